//! The built-in network: it is what its program makes, and it evaluates sensibly.

#[path = "../examples/make_default_net/main.rs"]
#[expect(dead_code, reason = "the program's own entry point")]
mod make_default_net;

use nnue::{Model, Network};
use nnue_testkit::board::Board;
use nnue_testkit::games::suite_fens;

use make_default_net::{Shape, file};

/// The committed file.
const COMMITTED: &[u8] = include_bytes!("../nets/default.nnue");

/// A board of the test kit, for the network.
struct Seen(Board);

impl nnue::Position for Seen {
    fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
        self.0.pieces(color == nnue::Color::Black, kind.index())
    }

    fn side_to_move(&self) -> nnue::Color {
        if self.0.black_to_move() { nnue::Color::Black } else { nnue::Color::White }
    }
}

fn network() -> Network<Shape> {
    Network::from_bytes(COMMITTED).expect("the committed file")
}

/// Centipawns for the side to move.
fn value(fen: &str) -> i32 {
    network().evaluate_fresh(&Seen(Board::from_fen(fen))).value
}

#[test]
fn the_committed_file_is_what_the_program_makes() {
    assert!(file() == COMMITTED, "run `cargo run -p nnue-cli --example make_default_net`");
    assert!(COMMITTED.len() < 300_000);
}

#[test]
fn no_sum_can_overflow() {
    let network = network();
    let bounds = nnue_format::bounds::prove(&Shape::SPEC, &nnue::Parameters::tensors(network.params()));
    assert!(bounds.nothing_wraps(), "{bounds}");
}

#[test]
fn the_start_position_is_worth_the_right_to_move() {
    let value = value("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((10..40).contains(&value), "{value}");
}

#[test]
fn pieces_are_worth_about_what_players_say() {
    let without = |fen: &str| value(fen);
    let cases = [
        ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 850..1150),
        ("rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1", 430..600),
        ("rnbqk1nr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 300..450),
        ("rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 260..420),
        ("rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 50..170),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", -1150..-800),
    ];
    for (fen, range) in cases {
        assert!(range.contains(&without(fen)), "{fen}: {}", without(fen));
    }
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
        ("knight in the centre", "4k3/pppp4/8/8/3N4/8/PPPP4/4K3 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/N3K3 w - - 0 1"),
        ("far passed pawn", "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/P7/8/4K3 w - - 0 1"),
        ("passed pawn", "4k3/6p1/8/P7/8/8/8/4K3 w - - 0 1", "4k3/1p6/8/P7/8/8/8/4K3 w - - 0 1"),
        ("bishop pair", "4k3/pppp4/8/8/8/8/PPPP4/2B1KB2 w - - 0 1", "4k3/pppp4/8/8/8/8/PPPP4/2B1KN2 w - - 0 1"),
        (
            "rook on the open file",
            "4k3/ppp1pppp/8/8/8/8/PPP1PPPP/3RK3 w - - 0 1",
            "4k3/ppp1pppp/8/8/8/8/PPP1PPPP/R3K3 w - - 0 1",
        ),
        ("pawns not doubled", "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", "4k3/8/8/8/8/P7/PP6/4K3 w - - 0 1"),
        ("king in the endgame", "4k3/p7/8/8/4K3/8/P7/8 w - - 0 1", "4k3/p7/8/8/8/8/P7/6K1 w - - 0 1"),
    ];
    for (what, better, worse) in pairs {
        assert!(value(better) > value(worse), "{what}: {} <= {}", value(better), value(worse));
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
