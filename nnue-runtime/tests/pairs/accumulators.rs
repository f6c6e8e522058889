//! Accumulators with sets of pairs, followed incrementally along random games, against accumulators of the position alone:
//! with gaps of several plies, lines taken back, null moves, at every level.

use nnue_runtime::spec::{self, NetDesc, TensorMut, TensorRef};
use nnue_runtime::{
    AccumulatorStack, Architecture, FeatureTransformer, HalfKaV2Hm, Level, Model, Network,
    Parameters, Transform,
};

use super::*;

const WIDTH: usize = 32;
const PSQT: usize = 8;

/// All that a network has here: a feature transformer.
struct Params<T>(T);

impl<T: Weights> Parameters for Params<T> {
    fn zeroed() -> Self {
        Self(T::without_weights())
    }

    fn tensors(&self) -> Vec<TensorRef<'_>> {
        Vec::new()
    }

    fn tensors_mut(&mut self) -> Vec<TensorMut<'_>> {
        Vec::new()
    }

    fn prepare(&mut self, _: Level) {}
}

/// A transformer that can be filled.
trait Weights: Transform {
    fn without_weights() -> Self;
    fn randomise(&mut self, random: &mut Random);
}

impl<const ROWS: usize, const PAIR_ROWS: usize> Weights
    for FeatureTransformer<WIDTH, PSQT, ROWS, PAIR_ROWS>
{
    fn without_weights() -> Self {
        Self::zeroed()
    }

    fn randomise(&mut self, random: &mut Random) {
        self.bias
            .flat_mut()
            .iter_mut()
            .for_each(|x| *x = random.next() as i16);
        self.weight
            .flat_mut()
            .iter_mut()
            .for_each(|x| *x = random.next() as i16);
        self.psqt
            .flat_mut()
            .iter_mut()
            .for_each(|x| *x = random.next() as i32);
        self.pair_weight
            .flat_mut()
            .iter_mut()
            .for_each(|x| *x = random.next() as i8);
        self.pair_psqt
            .flat_mut()
            .iter_mut()
            .for_each(|x| *x = random.next() as i32);
    }
}

/// Networks of these sets of pairs beside HalfKAv2_hm.
macro_rules! networks {
    ($($name:ident: $pairs:ty, $rows:expr;)*) => { $(
        struct $name;

        impl Model for $name {
            const SPEC: NetDesc<'static> = NetDesc {
                name: stringify!($name),
                notation: "",
                features: &[],
                accumulator: spec::AccumulatorDesc { width: WIDTH, perspectives: 2, psqt: PSQT, psqt_floats: 0, one: 255, order: spec::PerspectiveOrder::SideToMove, separate: false, nonzero: 16 },
                stacks: spec::StackDesc { count: 1, selector: spec::Selector::Single },
                buffers: &[],
                layers: &[],
                maps: &[],
                steps: &[],
                output: spec::OutputDesc { terms: &[], ratio: None },
                heads: &[],
                value: spec::ValueDesc::Together { divide: 16 },
                tensors: &[],
                raw: None,
                goldens: &[],
                head_goldens: &[],
                custom: spec::CustomDesc::NONE,
                container: spec::ContainerDesc {
                    version: 0,
                    transformer_hash: 0,
                    stack_hash: 0,
                    encoding: spec::Encoding::Raw,
                },
            };
            type Game = nnue_runtime::game::Chess<HalfKaV2Hm, $pairs>;
            type Params = Params<Self::Transformer>;
            type Transformer = FeatureTransformer<WIDTH, PSQT, 22528, { $rows }>;
            type Output = i32;

            fn transformer(params: &Self::Params) -> &Self::Transformer {
                &params.0
            }

            fn forward<S: nnue_runtime::simd::Simd>(
                _: S,
                _: &Self::Params,
                us: &nnue_runtime::architecture::Accumulator<Self>,
                them: &nnue_runtime::architecture::Accumulator<Self>,
                _: usize,
            ) -> i32 {
                i32::from(us.values[0]) - i32::from(them.values[0])
            }
        }

        impl Architecture for $name {
            type Features = HalfKaV2Hm;
            type Pairs = $pairs;
        }
    )* };
}

networks! {
    V10: (FullThreatsV10,), 79856;
    V11: (FullThreatsV11,), 66864;
    V12: (FullThreatsV12,), 60144;
    V14: (FullThreatsV14,), 60720;
    V16: (FullThreatsV16, PawnPairs), 59808 + 4560;
    OfPawns: (PawnPairs,), 4560;
    OfOwn: (Own, PawnPairs, Own), 2 * Own::ROWS + 4560;
}

/// An architecture that is nothing but a feature transformer.
trait Tested:
    Architecture<Params = Params<<Self as Model>::Transformer>, Transformer: Weights>
{
}

impl<T: Weights, A: Architecture<Params = Params<T>, Transformer = T>> Tested for A {}

/// Calls a function for every network.
macro_rules! each_network {
    ($function:ident $arguments:tt) => {
        $function::<V10> $arguments;
        $function::<V11> $arguments;
        $function::<V12> $arguments;
        $function::<V14> $arguments;
        $function::<V16> $arguments;
        $function::<OfPawns> $arguments;
        $function::<OfOwn> $arguments;
    };
}

fn network<A: Tested>(random: &mut Random) -> Network<A> {
    let mut params = A::Params::zeroed();
    params.0.randomise(random);
    Network::from_params(params)
}

/// What was done with the stack.
#[derive(Default)]
struct Walks {
    moves: Counts,
    compared: usize,
    /// plies that were pushed and never evaluated themselves
    skipped: usize,
    undone: usize,
    null_moves: usize,
    king_moves: usize,
}

impl fmt::Display for Walks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            moves,
            compared,
            skipped,
            undone,
            null_moves,
            king_moves,
        } = self;
        write!(
            f,
            "{moves}; {king_moves} king moves, {null_moves} null moves, {undone} taken back, {skipped} skipped; accumulators \
             compared {compared} times"
        )
    }
}

/// A position along a line.
struct At {
    board: TestBoard,
    map: PieceMap,
}

impl At {
    fn new(position: &Chess) -> Self {
        let board = TestBoard(Board::from_position(position));
        Self {
            map: PieceMap::new(&board),
            board,
        }
    }
}

/// Plays until `plies` moves are made; looks at the accumulators after most of them.
fn walk<A: Tested>(plies: usize, seed: u64) -> Walks {
    let (mut random, mut walks) = (Random::new(seed), Walks::default());
    let mut network = network::<A>(&mut random);
    let levels: Vec<_> = Level::available().collect();
    let mut stack = AccumulatorStack::new();
    let starts = starts();
    while walks.moves.plies < plies {
        network = network.with_level(levels[random.below(levels.len())]);
        let start = any_start(&mut random, &starts);
        let game = random_game(&mut random, start, 200);
        let mut now = start.clone();
        let mut line = vec![At::new(&now)];
        stack.reset();
        compare(&network, &mut stack, &line, &mut walks);
        for m in game.moves {
            walks.moves.count(&m);
            walks.king_moves += usize::from(m.role() == shakmaty::Role::King);
            now.play_unchecked(m);
            let at = At::new(&now);
            let before = &line[line.len() - 1];
            for side in Color::ALL {
                let [old, new] = [before, &at].map(|at| PairView::new(side, at.map.king(side)));
                walks.moves.crossings += usize::from(old != new);
            }
            stack.push(change_of(&before.map, &at.map));
            line.push(at);
            wander(&network, &mut stack, &mut line, &mut walks, &mut random);
        }
    }
    walks
}

/// Evaluates or not, passes, and now and then takes some plies back and makes them again.
fn wander<A: Architecture>(
    network: &Network<A>,
    stack: &mut AccumulatorStack<A>,
    line: &mut Vec<At>,
    walks: &mut Walks,
    random: &mut Random,
) {
    match random.below(16) {
        0..4 => walks.skipped += 1,
        4 => {
            stack.push_null();
            compare(network, stack, line, walks);
            stack.pop();
            walks.null_moves += 1;
        }
        5 => {
            // back, another look there, and forth again
            let back = 1 + random.below(5).min(line.len() - 2);
            let again: Vec<At> = line.drain(line.len() - back..).collect();
            (0..back).for_each(|_| stack.pop());
            walks.undone += back;
            if random.below(2) == 0 {
                compare(network, stack, line, walks);
            }
            for at in again {
                stack.push(change_of(&line[line.len() - 1].map, &at.map));
                line.push(at);
            }
            compare(network, stack, line, walks);
        }
        _ => compare(network, stack, line, walks),
    }
}

fn compare<A: Architecture>(
    network: &Network<A>,
    stack: &mut AccumulatorStack<A>,
    line: &[At],
    walks: &mut Walks,
) {
    walks.compared += 1;
    let at = &line[line.len() - 1];
    if let Err(mismatch) = stack.verify(network, &at.board) {
        panic!(
            "{}, {} plies from the root: {mismatch}; {:?}",
            A::SPEC.name,
            stack.depth(),
            at.board.0
        );
    }
}

#[test]
fn accumulators_follow_random_games() {
    fn check<A: Tested>() {
        let Walks {
            moves,
            skipped,
            undone,
            null_moves,
            ..
        } = walk::<A>(15_000, 1);
        assert!(
            moves.castlings > 0
                && moves.en_passant > 0
                && moves.promotions > 0
                && moves.crossings > 0
        );
        assert!(skipped > 0 && undone > 0 && null_moves > 0);
    }
    each_network!(check());
}

/// `cargo test --release -p nnue-runtime --test pairs -- --ignored --nocapture`
#[test]
#[ignore = "a million plies for each network takes minutes"]
fn accumulators_over_a_million_plies() {
    fn check<A: Tested>() {
        println!("{}: {}", A::SPEC.name, walk::<A>(1_000_000, 2));
    }
    each_network!(check());
}

/// A board on which anything may stand anywhere.
#[derive(Clone)]
struct Mailbox([Option<Piece>; 64]);

impl Position for Mailbox {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let piece = Some(Piece::new(color, kind));
        (0..64)
            .filter(|&square| self.0[square] == piece)
            .fold(0, |all, square| all | 1 << square)
    }

    fn side_to_move(&self) -> Color {
        Color::White
    }
}

impl Mailbox {
    /// Both kings, and any other pieces on `density` of 64 squares; pawns on the first and last rank, too.
    fn new(random: &mut Random, density: usize) -> Self {
        let mut board = Self([None; 64]);
        for square in &mut board.0 {
            *square = (random.below(64) < density).then(|| Piece::ALL[random.below(10)]);
        }
        for color in Color::ALL {
            let (free, king) = (random.below(32), Piece::new(color, PieceKind::King));
            board.0[2 * free + color.index()] = Some(king);
        }
        board
    }

    /// Takes a piece to any other square, whatever stands there but a king.
    fn play(&mut self, random: &mut Random) -> Change {
        loop {
            let [from, to] = [random.below(64), random.below(64)];
            let is_king =
                |piece: Option<Piece>| piece.is_some_and(|piece| piece.kind() == PieceKind::King);
            if let (Some(piece), false, false) = (self.0[from], from == to, is_king(self.0[to])) {
                let captured = self.0[to];
                (self.0[from], self.0[to]) = (None, Some(piece));
                let at = |piece, square: usize| Placed::new(piece, Square::new(square as u8));
                let removed: Vec<Placed> = [at(piece, from)]
                    .into_iter()
                    .chain(captured.map(|c| at(c, to)))
                    .collect();
                return Change::new(&removed, &[at(piece, to)]).expect("at most two are taken off");
            }
        }
    }
}

#[test]
fn accumulators_follow_any_change_on_any_board() {
    fn check<A: Tested>() {
        let mut random = Random::new(3);
        let network = network::<A>(&mut random);
        let mut stack = AccumulatorStack::new();
        for density in [2, 20, 50, 64] {
            let mut board = Mailbox::new(&mut random, density);
            stack.reset();
            for _ in 0..200 {
                stack.push(board.play(&mut random));
                if random.below(3) > 0 {
                    assert_eq!(
                        stack.verify(&network, &board),
                        Ok(()),
                        "{}, {density} of 64",
                        A::SPEC.name
                    );
                }
            }
        }
    }
    each_network!(check());
}
