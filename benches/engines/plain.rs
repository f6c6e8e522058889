//! Engines with code written by hand, as good engines have it: widths are constants, rows are added and subtracted in one pass over the
//! accumulator, nothing is computed before a node is evaluated, and a table has the last board and accumulator of each view of the king. The
//! compiler makes vectors of the loops.

use nnue::{Change, Color, Piece, PieceKind, Placed, Position, Square};
use shakmaty::Chess;

use crate::networks::{Shape, Weights};
use crate::search::{Evaluator, mover};

/// 1.0 in the accumulator, and in the weights of the layer.
const ONE: i32 = 255;
const ONE_OF_WEIGHTS: i32 = 64;
/// What 1.0 of the output is worth.
const SCALE: i32 = 400;

#[derive(Clone)]
#[repr(align(64))]
struct Accumulator<const W: usize>([i16; W]);

/// Where a side's king stands, as far as rows depend on it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct View {
    side: Color,
    bucket: usize,
    is_mirrored: bool,
}

impl View {
    fn of<A: Shape>(side: Color, king: Square) -> Self {
        let (bucket, is_mirrored) = match A::BUCKETS {
            None => (0, false),
            Some(buckets) => {
                let is_mirrored = king.file() >= 4;
                let file = if is_mirrored {
                    7 - king.file()
                } else {
                    king.file()
                };
                let rank = if side == Color::White {
                    king.rank()
                } else {
                    7 - king.rank()
                };
                (
                    usize::from(buckets[usize::from(4 * rank + file)]),
                    is_mirrored,
                )
            }
        };
        Self {
            side,
            bucket,
            is_mirrored,
        }
    }

    fn row(self, placed: Placed) -> usize {
        let flip = if self.side == Color::White { 0 } else { 56 };
        let mirror = if self.is_mirrored { 7 } else { 0 };
        let enemy = usize::from(placed.piece.color() != self.side);
        let kind = placed.piece.kind() as usize;
        768 * self.bucket + 384 * enemy + 64 * kind + (placed.square.index() ^ flip ^ mirror)
    }

    /// The place in a table of all views of a side.
    fn slot(self) -> usize {
        2 * self.bucket + usize::from(self.is_mirrored)
    }
}

impl<const W: usize> Weights<W> {
    fn row(&self, view: View, placed: Placed) -> &[i16; W] {
        &self.rows[view.row(placed)]
    }

    /// `target = source` after a move.
    fn step(
        &self,
        view: View,
        change: &Change,
        source: &Accumulator<W>,
        target: &mut Accumulator<W>,
    ) {
        let row = |placed: &Placed| self.row(view, *placed);
        match (change.added(), change.removed()) {
            ([a], [b]) => add_sub(source, target, row(a), row(b)),
            ([a], [b, c]) => add_sub_sub(source, target, row(a), row(b), row(c)),
            ([a, b], [c, d]) => {
                let (a, b, c, d) = (row(a), row(b), row(c), row(d));
                for i in 0..W {
                    target.0[i] = source.0[i] + a[i] + b[i] - c[i] - d[i];
                }
            }
            _ => unreachable!("a move of chess"),
        }
    }

    /// Turns the accumulator of the board `known` into that of `boards`.
    fn renew(&self, view: View, known: &mut Known<W>, boards: &Boards) {
        let mut added = [0; 32];
        let mut removed = [0; 32];
        let (mut adds, mut removes) = (0, 0);
        for (piece, (old, &new)) in known.boards.iter_mut().zip(boards).enumerate() {
            let piece = Piece::new(COLORS[piece % 2], PieceKind::ALL[piece / 2]);
            let mut come = new & !*old;
            while come != 0 {
                let square = Square::new(come.trailing_zeros() as u8);
                added[adds] = view.row(Placed::new(piece, square));
                adds += 1;
                come &= come - 1;
            }
            let mut go = *old & !new;
            while go != 0 {
                let square = Square::new(go.trailing_zeros() as u8);
                removed[removes] = view.row(Placed::new(piece, square));
                removes += 1;
                go &= go - 1;
            }
            *old = new;
        }
        let (mut added, mut removed) = (&added[..adds], &removed[..removes]);
        let acc = &mut known.accumulator.0;
        while let ([a, rest_a @ ..], [b, rest_b @ ..]) = (added, removed) {
            let (a, b) = (&self.rows[*a], &self.rows[*b]);
            for i in 0..W {
                acc[i] += a[i] - b[i];
            }
            (added, removed) = (rest_a, rest_b);
        }
        for &row in added {
            let row = &self.rows[row];
            for i in 0..W {
                acc[i] += row[i];
            }
        }
        for &row in removed {
            let row = &self.rows[row];
            for i in 0..W {
                acc[i] -= row[i];
            }
        }
    }

    /// The value for the side to move.
    fn value<A: Shape>(&self, us: &Accumulator<W>, them: &Accumulator<W>, pieces: u32) -> i32 {
        let bucket = (pieces as usize - 2) / 32_usize.div_ceil(A::OUTPUTS);
        let [own, other] = &self.output[bucket];
        let sum = screlu(us, own) + screlu(them, other);
        let output = sum / ONE + self.output_bias[bucket];
        output * SCALE / (ONE * ONE_OF_WEIGHTS)
    }
}

fn add_sub<const W: usize>(
    source: &Accumulator<W>,
    target: &mut Accumulator<W>,
    a: &[i16; W],
    b: &[i16; W],
) {
    for i in 0..W {
        target.0[i] = source.0[i] + a[i] - b[i];
    }
}

fn add_sub_sub<const W: usize>(
    source: &Accumulator<W>,
    target: &mut Accumulator<W>,
    a: &[i16; W],
    b: &[i16; W],
    c: &[i16; W],
) {
    for i in 0..W {
        target.0[i] = source.0[i] + a[i] - b[i] - c[i];
    }
}

/// `sum of clamp(x)^2 * weight`. The first product fits in 16 bits, as engines know of their weights, so that two instructions multiply.
fn screlu<const W: usize>(acc: &Accumulator<W>, weights: &[i16; W]) -> i32 {
    let mut sum = 0;
    for (&x, &weight) in acc.0.iter().zip(weights) {
        let x = x.clamp(0, ONE as i16);
        sum += i32::from(x) * i32::from(x.wrapping_mul(weight));
    }
    sum
}

/// By piece: `2 * kind + color`.
type Boards = [u64; 12];

const COLORS: [Color; 2] = [Color::White, Color::Black];

fn boards_of(position: &Chess) -> Boards {
    std::array::from_fn(|piece| position.pieces(COLORS[piece % 2], PieceKind::ALL[piece / 2]))
}

/// An accumulator, and the board it belongs to.
#[derive(Clone)]
struct Known<const W: usize> {
    accumulator: Accumulator<W>,
    boards: Boards,
}

/// By side and view.
struct Boarded<const W: usize>([Vec<Known<W>>; 2]);

impl<const W: usize> Boarded<W> {
    fn new<A: Shape>(weights: &Weights<W>) -> Self {
        let empty = Known {
            accumulator: Accumulator(weights.bias),
            boards: [0; 12],
        };
        let slots = 2 * A::BUCKETS.map_or(1, |buckets| {
            usize::from(buckets.into_iter().max().unwrap_or(0)) + 1
        });
        Self([vec![empty.clone(); slots], vec![empty; slots]])
    }

    /// The accumulator of this view of the position.
    fn at(&mut self, weights: &Weights<W>, view: View, boards: &Boards) -> &Accumulator<W> {
        let known = &mut self.0[view.side as usize][view.slot()];
        weights.renew(view, known, boards);
        &known.accumulator
    }
}

fn view<A: Shape>(position: &Chess, side: Color) -> View {
    View::of::<A>(side, position.king(side))
}

/// Knows positions only.
pub(crate) struct Table<'w, A, const W: usize> {
    weights: &'w Weights<W>,
    boarded: Boarded<W>,
    shape: std::marker::PhantomData<A>,
}

impl<'w, A: Shape, const W: usize> Table<'w, A, W> {
    pub(crate) fn new(weights: &'w Weights<W>) -> Self {
        Self {
            weights,
            boarded: Boarded::new::<A>(weights),
            shape: std::marker::PhantomData,
        }
    }
}

impl<A: Shape, const W: usize> Evaluator for Table<'_, A, W> {
    fn push(&mut self, _: Change) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Chess) -> i32 {
        let boards = boards_of(position);
        for side in COLORS {
            self.boarded
                .at(self.weights, view::<A>(position, side), &boards);
        }
        let of = |side| {
            let view = view::<A>(position, side);
            &self.boarded.0[side as usize][view.slot()].accumulator
        };
        let us = mover(position);
        self.weights
            .value::<A>(of(us), of(us.other()), position.occupied().count_ones())
    }

    fn begin(&mut self) {}
}

/// A ply: what its move changed, and the accumulators if they were computed.
#[derive(Clone)]
struct Ply<const W: usize> {
    change: Change,
    accumulators: [Accumulator<W>; 2],
    is_computed: [bool; 2],
}

/// An array of accumulators by ply, which are computed when a node is evaluated.
pub(crate) struct Plies<'w, A, const W: usize> {
    weights: &'w Weights<W>,
    plies: Vec<Ply<W>>,
    top: usize,
    boarded: Boarded<W>,
    shape: std::marker::PhantomData<A>,
}

impl<'w, A: Shape, const W: usize> Plies<'w, A, W> {
    pub(crate) fn new(weights: &'w Weights<W>) -> Self {
        let accumulator = Accumulator(weights.bias);
        let ply = Ply {
            change: Change::null(),
            accumulators: [accumulator.clone(), accumulator],
            is_computed: [false; 2],
        };
        Self {
            weights,
            plies: vec![ply; 256],
            top: 0,
            boarded: Boarded::new::<A>(weights),
            shape: std::marker::PhantomData,
        }
    }

    /// Computes the accumulator of `side` at the top.
    fn compute(&mut self, position: &Chess, boards: &Boards, side: Color) {
        let now = side as usize;
        if self.plies[self.top].is_computed[now] {
            return;
        }
        let view = view::<A>(position, side);
        let mut from = self.top;
        let moves_view = |change: &Change| match (change.king_squares(side), A::BUCKETS) {
            ((Some(from), Some(to)), Some(_)) => {
                View::of::<A>(side, from) != View::of::<A>(side, to)
            }
            _ => false,
        };
        loop {
            if self.plies[from].is_computed[now] {
                break;
            }
            if from == 0 || moves_view(&self.plies[from].change) {
                let accumulator = self.boarded.at(self.weights, view, boards);
                self.plies[self.top].accumulators[now].clone_from(accumulator);
                self.plies[self.top].is_computed[now] = true;
                return;
            }
            from -= 1;
        }
        for ply in from..self.top {
            let [before, after] = self.plies[ply..].first_chunk_mut().expect("two plies");
            let (source, target) = (&before.accumulators[now], &mut after.accumulators[now]);
            self.weights.step(view, &after.change, source, target);
            after.is_computed[now] = true;
        }
    }
}

impl<A: Shape, const W: usize> Evaluator for Plies<'_, A, W> {
    fn push(&mut self, change: Change) {
        self.top += 1;
        self.plies[self.top].change = change;
        self.plies[self.top].is_computed = [false; 2];
    }

    fn pop(&mut self) {
        self.top -= 1;
    }

    fn evaluate(&mut self, position: &Chess) -> i32 {
        let boards = boards_of(position);
        for side in COLORS {
            self.compute(position, &boards, side);
        }
        let us = mover(position);
        let [white, black] = &self.plies[self.top].accumulators;
        let (own, other) = match us {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.weights
            .value::<A>(own, other, position.occupied().count_ones())
    }

    fn begin(&mut self) {
        self.top = 0;
        self.plies[0].is_computed = [false; 2];
    }
}
