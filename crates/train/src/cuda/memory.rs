//! The buffers of a batch on a machine, and the order of its positions.
//!
//! The input of a batch is one array, uploaded in one copy:
//!
//! ```text
//!   rows | order | stacks | begins | scores | results | weights | left | moves | shares of moves | numbers of the loss
//! ```
//!
//! Rows are in the order of the batch; everything else of a position is in the order of the kernels.
//!
//! The host has two such arrays: one is filled while the machine may still read the other.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};

use super::kernel::MEMORY_PARTS;
use super::machine::{Argument, Machine};
use crate::batch::Batch;

/// Alignment of the parts in bytes: one coalesced access of a warp.
const LINE: usize = 128;

/// Sizes of the network that determine the sizes of buffers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) perspectives: usize,
    pub(super) stacks: usize,
    /// rows of all feature sets
    pub(super) rows: usize,
    /// length of all nodes
    pub(super) values: usize,
    /// outputs that PSQT is added to
    pub(super) psqt: usize,
    /// rows of the policy
    pub(super) policy: usize,
    /// numbers of the loss
    pub(super) loss: usize,
}

/// Buffers for batches of up to `size`.
#[derive(Debug)]
pub(super) struct Memory<B, S> {
    pub(super) size: Size,
    pub(super) values: B,
    pub(super) slopes: B,
    pub(super) psqt: B,
    pub(super) of_psqt: B,
    pub(super) shares: B,
    pub(super) losses: B,
    pub(super) logits: B,
    pub(super) uses: B,
    pub(super) firsts: B,
    pub(super) ranks: B,
    pub(super) entries: B,
    /// the input array and the ranges of its parts
    given: B,
    parts: [Range<usize>; MEMORY_PARTS],
    /// host copies of the input array; the next one to fill comes first
    turns: [S; 2],
    /// size of the batch that waits for `send`
    prepared: Option<Size>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) positions: usize,
    /// rows of a perspective
    pub(super) stride: usize,
    pub(super) listed: usize,
}

impl Size {
    pub(super) fn of(batch: &Batch, shape: Shape) -> Self {
        let moves = |position| {
            if shape.policy > 0 {
                batch.moves(position).0.len()
            } else {
                0
            }
        };
        let listed = (0..batch.len()).map(moves).max().unwrap_or(0);
        Self {
            positions: batch.len(),
            stride: batch.stride(),
            listed,
        }
    }

    /// Whether buffers of this size are enough for another size.
    pub(super) const fn holds(self, other: Self) -> bool {
        self.positions >= other.positions
            && self.stride >= other.stride
            && self.listed >= other.listed
    }
}

/// The order of positions: by stack.
#[derive(Debug, Default)]
pub(super) struct Order {
    positions: Vec<usize>,
    /// first position of each stack, and the end
    begins: Vec<usize>,
}

impl<B, S> Memory<B, S> {
    pub(super) fn new<M: Machine<Buffer = B, Shared = S>>(
        machine: &mut M,
        shape: Shape,
        size: Size,
    ) -> Result<Self, M::Error> {
        let Size {
            positions,
            stride,
            listed,
        } = size;
        let (single, double) = (size_of::<f32>() * positions, size_of::<f64>() * positions);
        let (keys, entries) = (
            shape.rows * shape.perspectives,
            positions * shape.perspectives * stride,
        );
        let parts = parts(shape, size);
        let given = parts[MEMORY_PARTS - 1].end;
        Ok(Self {
            size,
            values: machine.allocate(single * shape.values)?,
            slopes: machine.allocate(single * shape.values)?,
            psqt: machine.allocate((single * shape.psqt).max(1))?,
            of_psqt: machine.allocate((single * shape.psqt).max(1))?,
            shares: machine.allocate(double)?,
            losses: machine.allocate(double)?,
            logits: machine.allocate((single * listed).max(1))?,
            uses: machine.allocate((keys + 1) * size_of::<i32>())?,
            firsts: machine.allocate(keys * size_of::<i32>())?,
            ranks: machine.allocate(entries * size_of::<i32>())?,
            entries: machine.allocate(2 * entries * size_of::<i32>())?,
            given: machine.allocate(given)?,
            parts,
            turns: [machine.share(given)?, machine.share(given)?],
            prepared: None,
        })
    }

    /// Writes a batch, in an order, and the numbers of the loss into the next host array.
    pub(super) fn fill<M: Machine<Buffer = B, Shared = S>>(
        &mut self,
        machine: &mut M,
        (batch, size): (&Batch, Size),
        order: &Order,
        numbers: &[f64],
    ) -> Result<(), M::Error> {
        let bytes = machine.open(&mut self.turns[0])?;
        let parts = bytes
            .get_disjoint_mut(self.parts.clone())
            .expect("the parts are apart");
        let [
            rows,
            positions,
            stacks,
            begins,
            scores,
            results,
            weights,
            left,
            moves,
            shares,
            loss,
        ] = parts;
        cast_slice_mut(rows)[..batch.indices().len()].copy_from_slice(batch.indices());
        order.write(cast_slice_mut(positions), |position| position as i32);
        order.write(cast_slice_mut(stacks), |position| {
            i32::from(batch.stacks()[position])
        });
        for (to, &begin) in cast_slice_mut::<u8, i32>(begins)
            .iter_mut()
            .zip(&order.begins)
        {
            *to = begin as i32;
        }
        order.write(cast_slice_mut(scores), |position| batch.scores()[position]);
        order.write(cast_slice_mut(results), |position| {
            batch.results()[position]
        });
        order.write(cast_slice_mut(weights), |position| {
            batch.weights()[position]
        });
        // Plies to the end of the game; -1 if unknown.
        let plies = |position: usize| {
            batch.left()[position].map_or(-1, |plies| plies.min(i32::MAX as u32) as i32)
        };
        order.write(cast_slice_mut(left), plies);
        if size.listed > 0 {
            order.write_moves(
                batch,
                size.listed,
                (cast_slice_mut(moves), cast_slice_mut(shares)),
            );
        }
        loss.copy_from_slice(cast_slice(numbers));
        self.prepared = Some(size);
        Ok(())
    }

    /// Uploads the array that was filled and returns its size.
    pub(super) fn send<M: Machine<Buffer = B, Shared = S>>(
        &mut self,
        machine: &mut M,
    ) -> Result<Size, M::Error> {
        let size = self.prepared.take().expect("a batch was prepared");
        machine.send(&self.turns[0], &mut self.given)?;
        self.turns.swap(0, 1);
        Ok(size)
    }

    /// The parts of the input array as arguments.
    pub(super) fn parts(&self) -> impl Iterator<Item = Argument<'_, B>> {
        self.parts.iter().map(|part| Argument::Part {
            buffer: &self.given,
            begin: part.start,
            bytes: part.len(),
        })
    }
}

/// The ranges of the parts of the input array.
fn parts(shape: Shape, size: Size) -> [Range<usize>; MEMORY_PARTS] {
    let Size {
        positions,
        stride,
        listed,
    } = size;
    let (single, moves) = (
        positions * size_of::<f32>(),
        positions * listed * size_of::<f32>(),
    );
    let (rows, begins) = (
        single * shape.perspectives * stride,
        (shape.stacks + 1) * size_of::<i32>(),
    );
    let loss = shape.loss * size_of::<f64>();
    let mut begin = 0;
    [
        rows, single, single, begins, single, single, single, single, moves, moves, loss,
    ]
    .map(|bytes| {
        let part = begin..begin + bytes;
        begin = part.end.next_multiple_of(LINE);
        part
    })
}

impl Order {
    /// Takes over the order of a batch and checks its stacks, rows and moves, since no kernel does.
    pub(super) fn sort(&mut self, batch: &Batch, shape: Shape) {
        assert!(!batch.is_empty(), "a mean is of one position or more");
        assert_eq!(batch.perspectives(), shape.perspectives, "perspectives");
        // Kernels count active rows, and two numbers for each of them, in 32 bits.
        let entries = shape.perspectives * batch.stride() * batch.len();
        let is_small = shape.values * batch.len() < 1 << 40 && i32::try_from(2 * entries).is_ok();
        assert!(is_small, "a batch of {} positions", batch.len());
        self.begins.clear();
        self.begins.resize(shape.stacks + 1, 0);
        for &stack in batch.stacks() {
            assert!(
                usize::from(stack) < shape.stacks,
                "the network has {} stacks",
                shape.stacks
            );
            self.begins[usize::from(stack) + 1] += 1;
        }
        for stack in 0..shape.stacks {
            self.begins[stack + 1] += self.begins[stack];
        }
        for &row in (0..batch.len())
            .filter(|_| shape.policy > 0)
            .flat_map(|position| batch.moves(position).0)
        {
            assert!(
                (row as usize) < shape.policy,
                "the policy has {} rows, and no row {row}",
                shape.policy
            );
        }
        let greatest = batch.greatest_row();
        assert!(
            i64::from(greatest) < shape.rows as i64,
            "the network has {} rows, and no row {greatest}",
            shape.rows
        );
        let mut next = self.begins.clone();
        self.positions.resize(batch.len(), 0);
        for (position, &stack) in batch.stacks().iter().enumerate() {
            let place = &mut next[usize::from(stack)];
            self.positions[*place] = position;
            *place += 1;
        }
    }

    /// Writes one number for each position.
    fn write<T>(&self, to: &mut [T], of: impl Fn(usize) -> T) {
        to.iter_mut()
            .zip(&self.positions)
            .for_each(|(to, &position)| *to = of(position));
    }

    /// Writes the policy rows, `[position][listed]`, padded with -1, and as many shares.
    fn write_moves(&self, batch: &Batch, listed: usize, (rows, shares): (&mut [i32], &mut [f32])) {
        let lists = rows
            .chunks_exact_mut(listed)
            .zip(shares.chunks_exact_mut(listed));
        for ((rows, shares), &position) in lists.zip(&self.positions) {
            let (moves, of_moves) = batch.moves(position);
            rows[moves.len()..].fill(-1);
            shares[moves.len()..].fill(0.0);
            shares[..moves.len()].copy_from_slice(of_moves);
            rows.iter_mut()
                .zip(moves)
                .for_each(|(to, &row)| *to = row as i32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Target;

    #[test]
    #[should_panic(expected = "the network has 768 rows, and no row 768")]
    fn a_row_that_the_network_has_not_is_refused() {
        let shape = Shape {
            perspectives: 2,
            stacks: 1,
            rows: 768,
            values: 64,
            psqt: 0,
            policy: 0,
            loss: 0,
        };
        let (mut batch, mut order) = (Batch::new(2), Order::default());
        let target = Target {
            stack: 0,
            score: 0.0,
            result: 0.5,
            ply: 0,
            weight: 1.0,
        };
        batch.push(&[&[5, 767], &[0]], target);
        order.sort(&batch, shape);
        batch.push(&[&[4], &[768, 3]], target);
        order.sort(&batch, shape);
    }
}
