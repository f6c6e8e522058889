//! Compares the stack with accumulators built from the position; the transformer generates its rows
//! by a hash.

use nnue_spec::*;

use crate::accumulator::Chess;
use crate::architecture::{Architecture, Model, Parameters};
use crate::board::{
    Bitboards, Change, Color, Piece, PieceKind, Placed, Position, Square, squares_of,
};
use crate::features::{
    Chess768, FeatureSet, FullThreatsV10, FullThreatsV11, FullThreatsV14, FullThreatsV16, HalfKaV2,
    HalfKaV2Hm, HalfKp, PairSets, PawnPairs,
};
use crate::network::{AccumulatorStack, AccumulatorTable, Network};
use crate::simd::{AvailableLevel, Level, Simd};
use crate::transform::{Frame, RowChanges, Transform};

const WIDTH: usize = 4;

/// Row `r` has the weights `hash(seed, r, 0..WIDTH)`.
struct Made(u64);

impl Made {
    fn weight(&self, row: u32, neuron: usize) -> i16 {
        let x = (u64::from(row) << 8 | neuron as u64)
            .wrapping_add(self.0)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (x ^ x >> 29)
            .wrapping_mul(0xBF58_476D_1CE4_E5B9)
            .cast_signed() as i16
    }

    fn sum(&self, mut acc: [i16; WIDTH], added: &[u32], removed: &[u32]) -> [i16; WIDTH] {
        for (neuron, value) in acc.iter_mut().enumerate() {
            added
                .iter()
                .for_each(|&row| *value = value.wrapping_add(self.weight(row, neuron)));
            removed
                .iter()
                .for_each(|&row| *value = value.wrapping_sub(self.weight(row, neuron)));
        }
        acc
    }

    fn sum_pieces(&self, acc: [i16; WIDTH], rows: RowChanges<'_>) -> [i16; WIDTH] {
        self.sum(acc, rows.added, rows.removed)
    }

    /// Rows of pairs follow all others.
    fn sum_pairs(&self, acc: [i16; WIDTH], rows: RowChanges<'_>) -> [i16; WIDTH] {
        let [added, removed] = [rows.pairs_added, rows.pairs_removed]
            .map(|rows| rows.iter().map(|row| 1 << 20 | row).collect::<Vec<_>>());
        self.sum(acc, &added, &removed)
    }
}

impl Transform for Made {
    type Accumulator = [i16; WIDTH];

    fn zeroed() -> [i16; WIDTH] {
        [0; WIDTH]
    }
    fn values(accumulator: &[i16; WIDTH]) -> [&[i16]; 2] {
        [accumulator; 2]
    }
    fn psqt(_: &[i16; WIDTH]) -> &[i32] {
        &[]
    }
    fn set_to_bias(&self, accumulator: &mut [i16; WIDTH]) {
        *accumulator = [7; WIDTH];
    }
    fn pass(
        &self,
        _: AvailableLevel,
        frame: Frame<&[i16; WIDTH], &mut [i16; WIDTH]>,
        rows: RowChanges<'_>,
    ) {
        let (pieces, target) = match frame {
            Frame::Step { source, target } => (self.sum_pieces(*source, rows), target),
            Frame::Build { target } => (self.sum_pieces([7; WIDTH], rows), target),
            Frame::Renew { cached, target } => {
                *cached = self.sum_pieces(*cached, rows);
                (*cached, target)
            }
            Frame::Fill { cached, target } => {
                *cached = self.sum_pieces([7; WIDTH], rows);
                (*cached, target)
            }
            Frame::Replace {
                source,
                left,
                cached,
                target,
            } => {
                *cached = self.sum_pieces(*cached, rows);
                (
                    core::array::from_fn(|i| {
                        source[i].wrapping_sub(left[i]).wrapping_add(cached[i])
                    }),
                    target,
                )
            }
        };
        *target = self.sum_pairs(pieces, rows);
    }
}

impl Parameters for Made {
    fn zeroed() -> Self {
        Self(0)
    }
    fn tensors(&self) -> Vec<TensorRef<'_>> {
        vec![]
    }
    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        vec![]
    }
    fn prepare(&mut self, _: Level) {}
}

struct Net<F, P = ()>(core::marker::PhantomData<(F, P)>);

impl<F: FeatureSet, P: PairSets> Model for Net<F, P> {
    const SPEC: NetDesc<'static> = NetDesc {
        name: F::NAME,
        notation: "",
        features: &[],
        accumulator: AccumulatorDesc {
            width: WIDTH,
            perspectives: 2,
            psqt: 0,
            psqt_floats: 0,
            one: 127,
            order: PerspectiveOrder::SideToMove,
            separate: false,
            nonzero: 16,
        },
        stacks: StackDesc {
            count: 1,
            selector: Selector::Single,
        },
        buffers: &[],
        layers: &[],
        maps: &[],
        steps: &[],
        output: OutputDesc {
            terms: &[],
            ratio: None,
        },
        heads: &[],
        value: ValueDesc::Together { divide: 1 },
        tensors: &[],
        container: ContainerDesc {
            version: 0,
            transformer_hash: 0,
            stack_hash: 0,
            encoding: Encoding::Raw,
        },
        raw: None,
        goldens: &[],
        head_goldens: &[],
        custom: CustomDesc::NONE,
    };
    type Game = Chess<F, P>;
    type Params = Made;
    type Transformer = Made;
    type Output = i32;

    fn transformer(params: &Made) -> &Made {
        params
    }
    fn forward<S: Simd>(_: S, _: &Made, us: &[i16; WIDTH], them: &[i16; WIDTH], _: usize) -> i32 {
        us.iter().zip(them).fold(0, |sum, (&a, &b)| {
            (31 * (sum % 1000)) + i32::from(a) - 3 * i32::from(b)
        })
    }
}

impl<F: FeatureSet, P: PairSets> Architecture for Net<F, P> {
    type Features = F;
    type Pairs = P;
}

/// Pieces that move without rules.
#[derive(Clone)]
struct Anarchy {
    boards: Bitboards,
    side_to_move: Color,
}

impl Position for Anarchy {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.boards[Piece::new(color, kind).index()]
    }
    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

impl Anarchy {
    fn start() -> Self {
        const WHITE: [(PieceKind, u64); 6] = [
            (PieceKind::Pawn, 0xFF00),
            (PieceKind::Knight, 0x42),
            (PieceKind::Bishop, 0x24),
            (PieceKind::Rook, 0x81),
            (PieceKind::Queen, 0x08),
            (PieceKind::King, 0x10),
        ];
        let mut boards = Bitboards::default();
        for (kind, squares) in WHITE {
            boards[Piece::new(Color::White, kind).index()] = squares;
            boards[Piece::new(Color::Black, kind).index()] = squares.swap_bytes();
        }
        Self {
            boards,
            side_to_move: Color::White,
        }
    }

    fn placed(&self) -> Vec<Placed> {
        let on = |piece: Piece| {
            squares_of(self.boards[piece.index()]).map(move |s| Placed::new(piece, s))
        };
        Piece::ALL.into_iter().flat_map(on).collect()
    }

    /// Up to two pieces appear, vanish, or move anywhere; kings only move. Kings often do.
    fn play(&mut self, random: &mut Random) -> Change {
        self.side_to_move = self.side_to_move.other();
        let placed = self.placed();
        let (mut removed, mut added) = (vec![], vec![]);
        for _ in 0..random.below(3) {
            let free = squares_of(!self.occupied())
                .filter(|s| added.iter().all(|p: &Placed| p.square != *s));
            let free: Vec<Square> = free.collect();
            let (from, to) = (
                placed[random.below(placed.len())],
                free[random.below(free.len())],
            );
            let from = if random.below(4) == 0 {
                placed[placed.len() - 1 - random.below(2)]
            } else {
                from
            };
            let is_king = from.piece.kind() == PieceKind::King;
            let action = if is_king { 2 } else { random.below(4) };
            if action != 0 && !removed.contains(&from) {
                removed.push(from);
                if action >= 2 {
                    added.push(Placed::new(from.piece, to));
                }
            } else if action == 0 {
                added.push(Placed::new(from.piece, to));
            }
        }
        removed
            .iter()
            .for_each(|p: &Placed| self.boards[p.piece.index()] &= !p.square.bit());
        added
            .iter()
            .for_each(|p| self.boards[p.piece.index()] |= p.square.bit());
        Change::new(&removed, &added).expect("at most two of each")
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// Walks up and down a line of random changes, evaluates now and then, with a stack and with a
/// table, and compares with an evaluation from scratch.
fn walk<F: FeatureSet, P: PairSets>(seed: u64) {
    let networks = [1, 2].map(|seed| Network::<Net<F, P>>::from_params(Made(seed)));
    let mut random = Random(seed);
    let mut line = vec![Anarchy::start()];
    let (mut stack, mut table) = (AccumulatorStack::new(), AccumulatorTable::new());
    for step in 0..3000 {
        if line.len() > 1 && random.below(100) < 45 {
            line.pop();
            stack.pop();
        } else {
            let mut next = line[line.len() - 1].clone();
            stack.push(next.play(&mut random));
            line.push(next);
        }
        assert_eq!(stack.depth(), line.len() - 1);
        let (position, network) = (
            &line[line.len() - 1],
            &networks[usize::from(step % 500 > 450)],
        );
        if random.below(3) == 0 {
            let incremental = network.evaluate(position, &mut stack);
            assert_eq!(
                incremental,
                network.evaluate_fresh(position),
                "{} step {step}",
                F::NAME
            );
            assert_eq!(
                incremental,
                network.forward(&network.accumulate(position)),
                "{} step {step}",
                F::NAME
            );
            assert_eq!(stack.verify(network, position), Ok(()));
        }
        if random.below(3) == 0 {
            assert_eq!(
                network.evaluate_at(position, &mut table),
                network.evaluate_fresh(position),
                "{} step {step}",
                F::NAME
            );
        }
        if random.below(3) == 0 {
            network.update(position, &mut stack);
            assert!(
                stack.line.plies[line.len() - 1]
                    .located
                    .iter()
                    .all(|at| *at != u32::MAX)
            );
        }
        match random.below(400) {
            0 => stack.reset(),
            1 => stack.clear(),
            _ => continue,
        }
        line = vec![line[line.len() - 1].clone()];
    }
}

#[test]
fn incremental_equals_fresh_on_random_illegal_changes() {
    for seed in 0..4 {
        walk::<HalfKp, ()>(seed);
        walk::<HalfKaV2, ()>(seed);
        walk::<HalfKaV2Hm, ()>(seed);
        walk::<Chess768, ()>(seed);
    }
}

#[test]
fn incremental_equals_fresh_with_sets_of_pairs() {
    for seed in 0..4 {
        walk::<HalfKaV2Hm, (FullThreatsV16, PawnPairs)>(seed);
        walk::<HalfKaV2, (FullThreatsV14,)>(seed);
        walk::<HalfKp, (FullThreatsV10,)>(seed);
        walk::<Chess768, (PawnPairs, FullThreatsV11, PawnPairs)>(seed);
    }
}

#[test]
fn verify_finds_a_wrong_change() {
    let network = Network::<Net<HalfKaV2>>::from_params(Made(1));
    let position = Anarchy::start();
    let mut stack = AccumulatorStack::new();
    assert_eq!(stack.verify(&network, &position), Ok(()));
    stack.push(Change::quiet(
        Piece::new(Color::White, PieceKind::Pawn),
        Square::at(4, 1),
        Square::at(4, 3),
    ));
    let mismatch = stack
        .verify(&network, &position)
        .expect_err("the pawn did not move");
    assert_ne!(mismatch.incremental, mismatch.refreshed);
    assert!(
        mismatch.to_string().contains("accumulator is wrong"),
        "{mismatch}"
    );
}

#[test]
fn a_change_of_the_other_kings_place_is_free_where_kings_are_no_features() {
    let network = Network::<Net<HalfKp>>::from_params(Made(1));
    let mut position = Anarchy::start();
    let mut stack = AccumulatorStack::new();
    network.evaluate(&position, &mut stack);
    let king = Piece::new(Color::Black, PieceKind::King);
    let (from, to) = (Square::at(4, 7), Square::at(4, 5));
    position.boards[king.index()] = to.bit();
    stack.push(Change::quiet(king, from, to));
    assert_eq!(
        network.evaluate(&position, &mut stack),
        network.evaluate_fresh(&position)
    );
    assert_eq!(
        stack.line.plies[1].located,
        [0, 1],
        "white's is shared, black's was refreshed"
    );
}

#[test]
fn odd_positions_give_some_number() {
    let network = Network::<Net<HalfKaV2Hm>>::from_params(Made(1));
    let (mut stack, mut table) = (AccumulatorStack::new(), AccumulatorTable::new());
    for boards in [[0; 12], [u64::MAX; 12], Anarchy::start().boards] {
        stack.reset();
        let position = Anarchy {
            boards,
            side_to_move: Color::Black,
        };
        assert_eq!(
            network.evaluate(&position, &mut stack),
            network.evaluate_fresh(&position)
        );
        assert_eq!(
            network.evaluate_at(&position, &mut table),
            network.evaluate_fresh(&position)
        );
        stack.push_null();
        assert_eq!(stack.verify(&network, &position), Ok(()));
    }
}

#[test]
#[should_panic(expected = "pop without push")]
fn pop_without_push_panics() {
    AccumulatorStack::<Net<HalfKp>>::new().pop();
}

/// A position, the stack that follows it, and the earlier positions of the line.
struct Walker<F: FeatureSet, P: PairSets> {
    line: Vec<Anarchy>,
    stack: AccumulatorStack<Net<F, P>>,
}

impl<F: FeatureSet, P: PairSets> Clone for Walker<F, P> {
    fn clone(&self) -> Self {
        Self {
            line: self.line.clone(),
            stack: self.stack.clone(),
        }
    }
}

impl<F: FeatureSet, P: PairSets> Walker<F, P> {
    fn start() -> Self {
        Self {
            line: vec![Anarchy::start()],
            stack: AccumulatorStack::new(),
        }
    }

    /// Up to `moves` moves, evaluated now and then.
    fn walk(&mut self, network: &Network<Net<F, P>>, moves: usize, random: &mut Random) {
        for _ in 0..moves {
            let mut next = self.line[self.line.len() - 1].clone();
            self.stack.push(next.play(random));
            self.line.push(next);
            if random.below(3) == 0 {
                self.check(network);
            }
        }
    }

    fn truncate(&mut self, depth: usize) {
        self.line.truncate(depth + 1);
        self.stack.truncate(depth);
        assert_eq!(self.stack.depth(), depth);
    }

    fn check(&mut self, network: &Network<Net<F, P>>) {
        let position = &self.line[self.line.len() - 1];
        assert_eq!(
            network.evaluate(position, &mut self.stack),
            network.evaluate_fresh(position),
            "{}",
            F::NAME
        );
        assert_eq!(self.stack.verify(network, position), Ok(()));
    }
}

/// Copies of a stack go on separately: back to plies from before the copy, beyond the capacity of
/// the copy, and with another network.
fn clones_diverge<F: FeatureSet, P: PairSets>() {
    let [network, other] = [1, 2].map(|seed| Network::<Net<F, P>>::from_params(Made(seed)));
    let mut random = Random(5);
    let mut walker = Walker::start();
    for round in 0..40 {
        let moves = random.below(100);
        walker.walk(&network, moves, &mut random);
        let mut copy = walker.clone();
        assert_eq!(copy.stack.depth(), walker.stack.depth());
        let back = random.below(walker.line.len());
        walker.truncate(back);
        walker.check(&network);
        copy.check(&network);
        copy.walk(
            if round % 4 == 0 { &other } else { &network },
            70,
            &mut random,
        );
        walker.walk(&network, 10, &mut random);
        copy.truncate(back);
        copy.check(&network);
        walker.truncate(back.min(walker.line.len() - 1));
    }
}

#[test]
fn clones_of_a_stack_diverge_and_stay_right() {
    clones_diverge::<HalfKaV2Hm, ()>();
    clones_diverge::<HalfKp, (FullThreatsV10,)>();
}

#[test]
fn truncate_is_as_many_pops() {
    let network = Network::<Net<HalfKaV2Hm>>::from_params(Made(1));
    let mut random = Random(9);
    let mut walker = Walker::start();
    walker.walk(&network, 30, &mut random);
    for depth in [30, 22, 21, 7, 0] {
        let mut popped = walker.stack.clone();
        while popped.depth() > depth {
            popped.pop();
        }
        walker.truncate(depth);
        let located = |stack: &AccumulatorStack<_>| {
            let plies = stack.line.plies.iter();
            plies.map(|ply| ply.located).collect::<Vec<_>>()
        };
        assert_eq!(located(&popped), located(&walker.stack));
        walker.check(&network);
    }
}

#[test]
#[should_panic(expected = "truncate to 3 moves: the stack has only 1")]
fn truncate_to_more_than_was_pushed_panics() {
    let mut stack = AccumulatorStack::<Net<HalfKp>>::new();
    stack.push_null();
    stack.truncate(3);
}
