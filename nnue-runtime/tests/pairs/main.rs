//! Sets of pairs: their rows are those of the reference, and what a move changes is the difference of the full lists,
//! over random legal games from the start, from Chess960 and from the positions of the suite.

mod accumulators;

use std::fmt;

use nnue_runtime::features::{
    ChangedRows, FullThreatsV10, FullThreatsV11, FullThreatsV12, FullThreatsV14, FullThreatsV16,
    PairSet, PairView, PawnPairs, PieceMap, RowChange, Threats,
};
use nnue_runtime::spec::{self, FeatureDesc, FeatureSetId, NetDesc, ThreatPairs};
use nnue_runtime::{
    AvailableLevel, Change, Color, Level, Piece, PieceKind, Placed, Position, Square,
};
use nnue_spec::reference;
use nnue_testkit::board::Board;
use nnue_testkit::games::{position, random_game, suite_fens};
use nnue_testkit::random::Random;
use shakmaty::{CastlingMode, Chess, Move, Position as _};

struct TestBoard(Board);

impl Position for TestBoard {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.0.pieces(color == Color::Black, kind.index())
    }

    fn side_to_move(&self) -> Color {
        if self.0.black_to_move() {
            Color::Black
        } else {
            Color::White
        }
    }
}

/// For a view: the rows that a move removes, and those that it adds.
type RowChanges = [Vec<u32>; 2];

/// A set, and the descriptor's name for it.
trait Set: PairSet + Sized {
    const SET: FeatureSetId;

    fn rows(board: &PieceMap, view: PairView) -> Vec<u32> {
        let mut rows = Vec::new();
        Self::active(board, view, |row| rows.push(row));
        rows
    }

    /// The same rows at the fastest level, with a number added to each and taken off again.
    fn collected(board: &PieceMap, view: PairView) -> Vec<u32> {
        let mut rows = ChangedRows::new();
        Self::collect(Level::detect(), board, view, 7, &mut rows);
        sorted(
            rows.of(RowChange::Added, view.perspective)
                .iter()
                .map(|row| row - 7)
                .collect(),
        )
    }

    fn row_changes(
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: [PairView; 2],
        rows: &mut ChangedRows,
    ) -> [RowChanges; 2] {
        Color::ALL.into_iter().for_each(|side| rows.clear(side));
        Self::changes(level, boards, &views, 0, rows);
        Color::ALL.map(|side| RowChange::ALL.map(|change| rows.of(change, side).to_vec()))
    }
}

impl<const PAIRS: u64> Set for Threats<PAIRS> {
    const SET: FeatureSetId = FeatureSetId::Threats(Self::PAIRS);
}

impl Set for PawnPairs {
    const SET: FeatureSetId = FeatureSetId::PawnPairs;
}

/// A set of one's own: some of what pawns, bishops and kings attack, and pawns in front of pawns.
type Own = Threats<
    {
        ThreatPairs::new(["PQK", "", "PNBRQK", "", "", "K"])
            .with_pushes()
            .to_bits()
    },
>;

/// Calls a function for every set.
macro_rules! each_set {
    ($function:ident) => {
        $function::<FullThreatsV10>();
        $function::<FullThreatsV11>();
        $function::<FullThreatsV12>();
        $function::<FullThreatsV14>();
        $function::<FullThreatsV16>();
        $function::<Own>();
        $function::<PawnPairs>();
    };
}

fn sorted(mut rows: Vec<u32>) -> Vec<u32> {
    rows.sort_unstable();
    rows
}

/// A network of which only the feature set matters.
fn with_net(features: &[FeatureDesc], test: impl FnOnce(&NetDesc<'_>)) {
    test(&NetDesc {
        name: "Pairs",
        notation: "",
        features,
        accumulator: spec::AccumulatorDesc {
            width: 32,
            perspectives: 2,
            psqt: 0,
            psqt_floats: 0,
            one: 255,
            order: spec::PerspectiveOrder::SideToMove,
            separate: false,
            nonzero: 16,
        },
        stacks: spec::StackDesc {
            count: 1,
            selector: spec::Selector::Single,
        },
        buffers: &[],
        layers: &[],
        maps: &[],
        steps: &[],
        output: spec::OutputDesc {
            terms: &[],
            ratio: None,
        },
        heads: &[],
        value: spec::ValueDesc::Together { divide: 16 },
        tensors: &[],
        container: spec::ContainerDesc {
            version: 0,
            transformer_hash: 0,
            stack_hash: 0,
            encoding: spec::Encoding::Raw,
        },
        raw: None,
        goldens: &[],
        head_goldens: &[],
        custom: spec::CustomDesc::NONE,
    });
}

#[test]
fn rows_are_those_of_the_reference() {
    fn check<S: Set>() {
        let feature = FeatureDesc {
            set: S::SET,
            rows: S::SET.rows(),
            element: spec::ElementType::I8,
        };
        with_net(&[feature], |net| {
            for fen in suite_fens() {
                let board = Board::from_fen(&fen);
                let map = PieceMap::new(&TestBoard(board));
                let by_reference = reference::Board::new(board.iter(), board.black_to_move());
                for side in Color::ALL {
                    let expected =
                        reference::active_features(net, &by_reference, side == Color::Black);
                    let found = sorted(S::rows(&map, PairView::new(side, map.king(side))));
                    assert_eq!(
                        S::collected(&map, PairView::new(side, map.king(side))),
                        found,
                        "{:?} on {fen}",
                        S::SET
                    );
                    let found: Vec<usize> = found.into_iter().map(|row| row as usize).collect();
                    assert_eq!(found, expected, "{:?} of {side:?} on {fen}", S::SET);
                }
            }
        });
    }
    each_set!(check);
}

/// What kinds of moves were checked.
#[derive(Default)]
struct Counts {
    plies: usize,
    captures: usize,
    castlings: usize,
    en_passant: usize,
    promotions: usize,
    /// views that changed because the own king crossed between files d and e
    crossings: usize,
    most_changes: usize,
}

impl Counts {
    fn count(&mut self, m: &Move) {
        self.plies += 1;
        self.captures += usize::from(m.is_capture());
        self.castlings += usize::from(m.is_castle());
        self.en_passant += usize::from(m.is_en_passant());
        self.promotions += usize::from(m.is_promotion());
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            plies,
            captures,
            castlings,
            en_passant,
            promotions,
            crossings,
            most_changes,
        } = self;
        write!(
            f,
            "{plies} plies: {captures} captures, {castlings} castlings, {en_passant} en passant, {promotions} promotions, \
             {crossings} crossings"
        )?;
        if *most_changes > 0 {
            write!(f, "; at most {most_changes} rows changed")
        } else {
            Ok(())
        }
    }
}

/// Start, Chess960, and positions of the suite.
fn starts() -> Vec<Chess> {
    let chess960 = [
        "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w GEge - 0 1",
        "rkbbqnnr/pppppppp/8/8/8/8/PPPPPPPP/RKBBQNNR w HAha - 0 1",
        "nrkrbbqn/pppppppp/8/8/8/8/PPPPPPPP/NRKRBBQN w DBdb - 0 1",
        "qrbnnbkr/pppppppp/8/8/8/8/PPPPPPPP/QRBNNBKR w HBhb - 0 1",
        // nothing stands between kings and rooks: castling comes soon
        "1rk4r/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBhb - 0 1",
        "r2k3r/pppppppp/8/8/8/8/PPPPPPPP/R2K3R w HAha - 0 1",
    ];
    let fens = chess960
        .map(str::to_owned)
        .into_iter()
        .chain(suite_fens().into_iter().step_by(4));
    [Chess::default()]
        .into_iter()
        .chain(fens.map(|fen| position(&fen)))
        .collect()
}

/// Half of the games are from the start and Chess960.
fn any_start<'a>(random: &mut Random, starts: &'a [Chess]) -> &'a Chess {
    let from = if random.below(2) == 0 {
        7
    } else {
        starts.len()
    };
    &starts[random.below(from)]
}

/// Plays until `plies` are checked, each at one of the levels.
fn check_games<S: Set>(plies: usize, seed: u64) -> Counts {
    let (mut random, mut counts) = (Random::new(seed), Counts::default());
    let (starts, levels) = (starts(), Level::available().collect::<Vec<_>>());
    let mut rows = ChangedRows::new();
    while counts.plies < plies {
        let start = any_start(&mut random, &starts);
        let game = random_game(&mut random, start, 200);
        let mut now = start.clone();
        let mut before = PieceMap::new(&TestBoard(Board::from_position(&now)));
        for m in game.moves {
            counts.count(&m);
            now.play_unchecked(m);
            let after = PieceMap::new(&TestBoard(Board::from_position(&now)));
            let level = levels[random.below(levels.len())];
            let context = || {
                format!(
                    "{level}, {} to {:?}",
                    m.to_uci(CastlingMode::Chess960),
                    now.board()
                )
            };
            check_ply::<S>(level, [&before, &after], &mut rows, &mut counts, &context);
            before = after;
        }
    }
    counts
}

/// The move between two boards.
fn change_of(before: &PieceMap, after: &PieceMap) -> Change {
    let differing = before.differing(after);
    let squares = (0..64)
        .filter(|square| differing >> square & 1 == 1)
        .map(Square::new);
    let placed = |map: &PieceMap| -> Vec<Placed> {
        squares
            .clone()
            .filter_map(|square| Some(Placed::new(map.on(square)?, square)))
            .collect()
    };
    Change::new(&placed(before), &placed(after))
        .expect("a move takes off and puts down at most two pieces")
}

fn check_ply<S: Set>(
    level: AvailableLevel,
    [before, after]: [&PieceMap; 2],
    rows: &mut ChangedRows,
    counts: &mut Counts,
    context: &dyn Fn() -> String,
) {
    assert_eq!(
        after.undone([&change_of(before, after)]).differing(before),
        0,
        "{}",
        context()
    );
    let views =
        [before, after].map(|map| Color::ALL.map(|side| PairView::new(side, map.king(side))));
    let changes = S::row_changes(level, [before, after], views[1], rows);
    for (side, [removed, added]) in changes.into_iter().enumerate() {
        if views[0][side] != views[1][side] {
            counts.crossings += 1;
            continue;
        }
        counts.most_changes = counts.most_changes.max(removed.len() + added.len());
        let [old, new] = [before, after].map(|map| sorted(S::rows(map, views[0][side])));
        let only = |of: &[u32], not: &[u32]| {
            of.iter()
                .copied()
                .filter(|row| not.binary_search(row).is_err())
                .collect()
        };
        let expected: RowChanges = [only(&old, &new), only(&new, &old)];
        assert_eq!(
            [sorted(removed), sorted(added)],
            expected,
            "{:?} of side {side}: {}",
            S::SET,
            context()
        );
    }
}

#[test]
fn changes_are_the_difference_of_the_full_lists() {
    fn check<S: Set>() {
        let counts = check_games::<S>(15_000, 1);
        assert!(
            counts.castlings > 0
                && counts.en_passant > 0
                && counts.promotions > 0
                && counts.crossings > 0
        );
    }
    each_set!(check);
}

/// `cargo test --release -p nnue-runtime --test pairs -- --ignored --nocapture`
#[test]
#[ignore = "a million plies for each set takes a minute"]
fn changes_over_a_million_plies() {
    fn check<S: Set>() {
        println!(
            "{}[{}]: {}",
            S::SET.name(),
            S::SET.rows(),
            check_games::<S>(1_000_000, 2)
        );
    }
    each_set!(check);
}

#[test]
fn boards_that_no_game_reaches_give_rows_and_no_panic() {
    struct Full(u64);
    impl Position for Full {
        fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
            let mut random = Random::new(self.0 ^ (2 * kind.index() + color.index()) as u64);
            random.next() | random.next()
        }

        fn side_to_move(&self) -> Color {
            Color::White
        }
    }
    fn check<S: Set>() {
        for seed in 0..200 {
            let map = PieceMap::new(&Full(seed << 8));
            for side in Color::ALL {
                let rows = S::rows(&map, PairView::new(side, map.king(side)));
                assert!(rows.into_iter().all(|row| (row as usize) < S::SET.rows()));
            }
        }
    }
    each_set!(check);
}
