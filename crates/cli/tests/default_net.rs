//! The built-in network: its file, and that it evaluates sensibly.

use nnue::{Model, Network, nnue};
use nnue_testkit::board::Board;
use nnue_testkit::games::suite_fens;

nnue! {
    /// The declaration of the built-in network, without its weights.
    pub struct Shape = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
    };
}

/// The committed file.
const COMMITTED: &[u8] = include_bytes!("../nets/default.nnue");

/// A board of the test kit, for the network.
struct Seen(Board);

impl nnue::Position for Seen {
    fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
        self.0.pieces(color == nnue::Color::Black, kind.index())
    }

    fn side_to_move(&self) -> nnue::Color {
        if self.0.black_to_move() {
            nnue::Color::Black
        } else {
            nnue::Color::White
        }
    }
}

fn network() -> Network<Shape> {
    Network::from_bytes(COMMITTED).expect("the committed file")
}

/// Hundredths of a pawn, about, for the side to move.
fn value(fen: &str) -> i32 {
    network().evaluate_fresh(&Seen(Board::from_fen(fen))).value
}

#[test]
fn the_file_is_that_of_its_recipe() {
    assert!(COMMITTED.len() < 1_000_000, "{} bytes", COMMITTED.len());
    assert!(network().to_bytes().expect("it was read") == COMMITTED);
    let recipe = include_str!("../../../examples/nets/default.toml");
    let graphs =
        nnue_codegen::graph_text(&declaration(recipe)).expect("the recipe declares a network");
    let plan = nnue_spec::plan::plan(&graphs[0]);
    assert_eq!(plan.tables().descriptor().notation, Shape::SPEC.notation);
    assert_eq!(plan.tables().descriptor().tensors, Shape::SPEC.tensors);
}

/// What stands between the marks of a text of several lines.
fn declaration(recipe: &str) -> String {
    recipe
        .split("\"\"\"")
        .nth(1)
        .expect("a declaration")
        .to_owned()
}

#[test]
fn no_sum_can_overflow() {
    let network = network();
    let bounds =
        nnue_tools::bounds::prove(&Shape::SPEC, &nnue::Parameters::tensors(network.params()));
    assert!(bounds.nothing_wraps(), "{bounds}");
}

#[test]
fn the_start_position_is_worth_the_right_to_move() {
    let value = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((10..40).contains(&value), "{value}");
}

#[test]
fn pieces_are_worth_what_they_are_worth_to_who_is_one_ahead() {
    // The start position without one of Black's pieces. Whoever is a piece ahead wins, so pieces count more than in a middle game.
    let cases = [
        (
            "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            850..1400,
        ),
        (
            "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1",
            700..1100,
        ),
        (
            "rnbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            550..900,
        ),
        (
            "rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            500..850,
        ),
        (
            "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            100..250,
        ),
    ];
    let values = cases.clone().map(|(fen, range)| {
        let value = value(fen);
        assert!(range.contains(&value), "{fen}: {value}");
        value
    });
    assert!(
        values.is_sorted_by(|greater, less| greater > less),
        "{values:?}"
    );
    let without_queen = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!((-1400..-800).contains(&without_queen), "{without_queen}");
}

#[test]
fn knowledge_shows() {
    // each pair: the first is better for white, who moves
    let pairs = [
        (
            "castled",
            "r4rk1/pppqbppp/2np1n2/4p3/4P3/2NP1N2/PPPQBPPP/R4RK1 w - - 0 1",
            "r4rk1/pppqbppp/2np1n2/4p3/4P3/2NP1N2/PPPQBPPP/R3K2R w - - 0 1",
        ),
        (
            "knight in the centre",
            "4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1",
            "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1",
        ),
        (
            "far passed pawn",
            "4k3/8/P7/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/P7/8/4K3 w - - 0 1",
        ),
        (
            "passed pawn",
            "4k3/6p1/8/P7/8/8/8/4K3 w - - 0 1",
            "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1",
        ),
        (
            "bishop pair",
            "4kb2/pppp1ppp/5n2/8/8/8/PPPP1PPP/2B1KB2 w - - 0 1",
            "2b1kb2/pppp1ppp/8/8/8/5N2/PPPP1PPP/4KB2 w - - 0 1",
        ),
        (
            "rook on the open file",
            "4k3/ppp1pppp/8/8/8/8/PPP1PPPP/3RK3 w - - 0 1",
            "4k3/ppp1pppp/8/8/8/8/PPP1PPPP/R3K3 w - - 0 1",
        ),
        (
            "king in the endgame",
            "8/pp3ppp/8/3k4/8/4K3/PP3PPP/8 w - - 0 1",
            "8/pp3ppp/8/3k4/8/8/PP3PPP/6K1 w - - 0 1",
        ),
    ];
    for (what, better, worse) in pairs {
        assert!(
            value(better) > value(worse),
            "{what}: {} <= {}",
            value(better),
            value(worse)
        );
    }
}

#[test]
fn colours_are_equal() {
    let network = network();
    for fen in suite_fens() {
        let board = Board::from_fen(&fen);
        let values = [board, board.flipped()].map(|board| network.evaluate_fresh(&Seen(board)));
        assert_eq!(values[0], values[1], "{fen}");
    }
}
