//! The memory of a batch on a machine, and the order in which kernels take its positions.
//!
//! What is given of a batch is one array, in the memory of the processor and on the machine, where it arrives at once:
//!
//! ```text
//!   rows | order | stacks | begins | scores | results | weights | left | moves | shares of moves | numbers of the loss
//! ```
//!
//! The rows are in the order of the batch, everything else of positions in that of the kernels.
//!
//! In the memory of the processor there are two, which take turns: one is filled while the machine may still read the other.

use std::ops::Range;

use bytemuck::{cast_slice, cast_slice_mut};

use super::kernel::MEMORY_PARTS;
use super::machine::{Argument, Machine};
use crate::batch::Batch;

/// Parts begin at multiples of so many bytes: what neighbouring threads read at once.
const LINE: usize = 128;

/// What the size of memory depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) perspectives: usize,
    pub(super) stacks: usize,
    /// rows of all feature sets
    pub(super) rows: usize,
    /// numbers of all nodes
    pub(super) values: usize,
    /// outputs to which PSQT outputs are added
    pub(super) psqt: usize,
    /// rows of the policy
    pub(super) policy: usize,
    /// numbers of the loss
    pub(super) loss: usize,
}

/// The memory of a batch, enough for so many positions of so many rows and moves.
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
    /// the lists of active rows
    pub(super) uses: B,
    pub(super) firsts: B,
    pub(super) ranks: B,
    pub(super) entries: B,
    /// what is given, and where each part of it is
    given: B,
    parts: [Range<usize>; MEMORY_PARTS],
    /// what is sent there: the next one comes first
    turns: [S; 2],
    /// the size of the batch that is to be sent
    prepared: Option<Size>,
}

/// How large a batch is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Size {
    pub(super) positions: usize,
    /// rows of a perspective
    pub(super) stride: usize,
    /// moves of a position
    pub(super) listed: usize,
}

impl Size {
    /// Of a batch.
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

    /// Whether memory of this size is enough for another one.
    pub(super) const fn holds(self, other: Self) -> bool {
        self.positions >= other.positions
            && self.stride >= other.stride
            && self.listed >= other.listed
    }
}

/// The positions of a batch in the order of their stacks.
#[derive(Debug, Default)]
pub(super) struct Order {
    positions: Vec<usize>,
    /// where the positions of each stack begin, and the end
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

    /// Writes a batch, in an order, and the numbers of a loss where the next batch is sent from.
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
        // plies to the end of the game; -1 where that is not known
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

    /// Sends what was written, and gives its size.
    pub(super) fn send<M: Machine<Buffer = B, Shared = S>>(
        &mut self,
        machine: &mut M,
    ) -> Result<Size, M::Error> {
        let size = self.prepared.take().expect("a batch was prepared");
        machine.send(&self.turns[0], &mut self.given)?;
        self.turns.swap(0, 1);
        Ok(size)
    }

    /// The parts of what is given.
    pub(super) fn parts(&self) -> impl Iterator<Item = Argument<'_, B>> {
        self.parts.iter().map(|part| Argument::Part {
            buffer: &self.given,
            begin: part.start,
            bytes: part.len(),
        })
    }
}

/// Where the parts of what is given are.
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
    /// Takes over the order of a batch, whose stacks, rows and moves are checked: no kernel asks whether there is such a stack or row.
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

    /// A number for each position.
    fn write<T>(&self, to: &mut [T], of: impl Fn(usize) -> T) {
        to.iter_mut()
            .zip(&self.positions)
            .for_each(|(to, &position)| *to = of(position));
    }

    /// The listed rows of the policy, `[position][listed]`, ended by -1 where there are fewer; as many shares.
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
