//! The memory of a batch on a machine, and the batch in the order in which kernels take it.

use bytemuck::cast_slice;

use super::machine::Machine;
use crate::batch::Batch;

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
}

/// The memory of a batch, enough for so many positions of so many rows and moves.
#[derive(Debug)]
pub(super) struct Memory<B> {
    pub(super) size: Size,
    pub(super) values: B,
    pub(super) slopes: B,
    pub(super) psqt: B,
    pub(super) of_psqt: B,
    pub(super) shares: B,
    pub(super) losses: B,
    pub(super) rows: B,
    pub(super) stacks: B,
    pub(super) begins: B,
    pub(super) scores: B,
    pub(super) results: B,
    pub(super) weights: B,
    pub(super) left: B,
    pub(super) moves: B,
    pub(super) move_shares: B,
    pub(super) logits: B,
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
    /// Whether memory of this size is enough for another one.
    pub(super) const fn holds(self, other: Self) -> bool {
        self.positions >= other.positions && self.stride >= other.stride && self.listed >= other.listed
    }
}

/// A batch whose positions are in the order of their stacks.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    order: Vec<usize>,
    pub(super) rows: Vec<i32>,
    pub(super) stacks: Vec<i32>,
    /// where the positions of each stack begin, and the end
    pub(super) begins: Vec<i32>,
    pub(super) scores: Vec<f32>,
    pub(super) results: Vec<f32>,
    pub(super) weights: Vec<f32>,
    /// plies to the end of the game; -1 where that is not known
    pub(super) left: Vec<i32>,
    /// the listed rows of the policy, `[position][listed]`, ended by -1 where there are fewer; as many shares
    pub(super) moves: Vec<i32>,
    pub(super) move_shares: Vec<f32>,
    pub(super) listed: usize,
}

impl<B> Memory<B> {
    pub(super) fn new<M: Machine<Buffer = B>>(machine: &mut M, shape: Shape, size: Size) -> Result<Self, M::Error> {
        let Size { positions, stride, listed } = size;
        let (single, double) = (size_of::<f32>() * positions, size_of::<f64>() * positions);
        Ok(Self {
            size,
            values: machine.allocate(single * shape.values)?,
            slopes: machine.allocate(single * shape.values)?,
            psqt: machine.allocate((single * shape.psqt).max(1))?,
            of_psqt: machine.allocate((single * shape.psqt).max(1))?,
            shares: machine.allocate(double)?,
            losses: machine.allocate(double)?,
            rows: machine.allocate(single * shape.perspectives * stride)?,
            stacks: machine.allocate(single)?,
            begins: machine.allocate((shape.stacks + 1) * size_of::<i32>())?,
            scores: machine.allocate(single)?,
            results: machine.allocate(single)?,
            weights: machine.allocate(single)?,
            left: machine.allocate(single)?,
            moves: machine.allocate((single * listed).max(1))?,
            move_shares: machine.allocate((single * listed).max(1))?,
            logits: machine.allocate((single * listed).max(1))?,
        })
    }

    /// Puts a batch there.
    pub(super) fn fill<M: Machine<Buffer = B>>(&mut self, machine: &mut M, batch: &Sorted) -> Result<(), M::Error> {
        machine.write(&mut self.rows, cast_slice(&batch.rows))?;
        machine.write(&mut self.stacks, cast_slice(&batch.stacks))?;
        machine.write(&mut self.begins, cast_slice(&batch.begins))?;
        machine.write(&mut self.scores, cast_slice(&batch.scores))?;
        machine.write(&mut self.results, cast_slice(&batch.results))?;
        machine.write(&mut self.weights, cast_slice(&batch.weights))?;
        machine.write(&mut self.left, cast_slice(&batch.left))?;
        machine.write(&mut self.moves, cast_slice(&batch.moves))?;
        machine.write(&mut self.move_shares, cast_slice(&batch.move_shares))
    }
}

impl Sorted {
    /// Takes over a batch, whose rows and stacks are checked: no kernel asks whether there is such a row.
    pub(super) fn sort(&mut self, batch: &Batch, shape: Shape) {
        assert!(!batch.is_empty(), "a mean is of one position or more");
        assert_eq!(batch.perspectives(), shape.perspectives, "perspectives");
        let most = (shape.values * batch.len()).max(shape.perspectives * batch.stride() * batch.len());
        assert!(i32::try_from(batch.len()).is_ok() && most < 1 << 40, "a batch of {} positions", batch.len());
        let rows = shape.rows as i32;
        assert!(batch.indices().iter().all(|&row| row < rows), "the network has {rows} rows");
        let mut counts = vec![0; shape.stacks];
        for &stack in batch.stacks() {
            assert!(usize::from(stack) < shape.stacks, "the network has {} stacks", shape.stacks);
            counts[usize::from(stack)] += 1;
        }
        self.begins.clear();
        self.begins.push(0);
        self.begins.extend(counts.iter().scan(0, |end, count| {
            *end += count;
            Some(*end)
        }));
        self.order.clear();
        self.order.extend(0..batch.len());
        self.order.sort_by_key(|&position| batch.stacks()[position]);
        let of_position = shape.perspectives * batch.stride();
        self.rows.clear();
        for &position in &self.order {
            self.rows.extend_from_slice(&batch.indices()[position * of_position..][..of_position]);
        }
        self.stacks.clear();
        self.stacks.extend(self.order.iter().map(|&position| i32::from(batch.stacks()[position])));
        for (to, from) in [
            (&mut self.scores, batch.scores()),
            (&mut self.results, batch.results()),
            (&mut self.weights, batch.weights()),
        ] {
            to.clear();
            to.extend(self.order.iter().map(|&position| from[position]));
        }
        self.left.clear();
        let left = |&position: &usize| batch.left()[position].map_or(-1, |plies| plies.min(i32::MAX as u32) as i32);
        self.left.extend(self.order.iter().map(left));
        self.list_moves(batch, shape);
    }

    fn list_moves(&mut self, batch: &Batch, shape: Shape) {
        let moves = |position: usize| if shape.policy > 0 { batch.moves(position) } else { (&[][..], &[][..]) };
        self.listed = (0..batch.len()).map(|position| moves(position).0.len()).max().unwrap_or(0);
        self.moves.clear();
        self.move_shares.clear();
        for (index, &position) in self.order.iter().enumerate() {
            let (rows, shares) = moves(position);
            let rows = rows.iter().map(|&row| {
                assert!((row as usize) < shape.policy, "the policy has {} rows, and no row {row}", shape.policy);
                row as i32
            });
            self.moves.extend(rows);
            self.moves.resize((index + 1) * self.listed, -1);
            self.move_shares.extend_from_slice(shares);
            self.move_shares.resize((index + 1) * self.listed, 0.0);
        }
    }
}
