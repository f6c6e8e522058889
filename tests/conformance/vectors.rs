//! Positions and games against the vectors, on every level.

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Color, Level, Network, PieceKind, Position};
use nnue_testkit::board::Board;
use nnue_testkit::games::vector_games;
use nnue_testkit::vectors;
use shakmaty::Position as _;

/// A board of the test kit, for the network.
pub(crate) struct Seen(pub(crate) Board);

impl Position for Seen {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.0.pieces(color == Color::Black, kind.index())
    }

    fn side_to_move(&self) -> Color {
        if self.0.black_to_move() { Color::Black } else { Color::White }
    }
}

/// Every position: the parts that count, and those of all buckets.
pub(crate) fn suite<A: Architecture>(mut network: Network<A>, name: &str) -> Network<A> {
    let rows = vectors::suite(name);
    for level in Level::available() {
        network = network.with_level(level);
        for row in &rows {
            let position = Seen(Board::from_fen(&row.fen));
            let evaluation = network.evaluate_fresh(&position);
            let found = (evaluation.bucket, evaluation.psqt, evaluation.positional);
            assert_eq!(found, (row.bucket, row.psqt, row.positional), "{name}, {level}: {}", row.fen);
            let trace = network.trace(&position);
            let positional: Vec<i32> = trace.buckets.iter().map(|bucket| bucket.positional).collect();
            assert_eq!(positional, row.all_positional, "{name}, {level}: {}", row.fen);
            let psqt: Vec<i32> = trace.buckets.iter().map(|bucket| bucket.psqt).collect();
            assert_eq!(psqt, row.all_psqt[..psqt.len()], "{name}, {level}: {}", row.fen);
        }
    }
    network
}

/// Every ply of every game, incrementally, with one stack for all games.
pub(crate) fn games<A: Architecture>(mut network: Network<A>, name: &str) {
    let rows = vectors::games(name);
    for level in Level::available() {
        network = network.with_level(level);
        let mut stack = AccumulatorStack::new();
        let mut rows = rows.iter();
        for game in vector_games() {
            stack.reset();
            let mut position = game.start;
            for ply in 0..=game.moves.len() {
                let row = rows.next().expect("a row for each ply");
                let evaluation = network.evaluate(&position, &mut stack);
                let found = (evaluation.bucket, evaluation.psqt, evaluation.positional);
                let place = format!("{name}, {level}: game {}, ply {ply}", game.id);
                assert_eq!((row.game, row.ply), (game.id, ply), "{place}");
                assert_eq!(found, (row.bucket, row.psqt, row.positional), "{place}");
                if let Some(&next) = game.moves.get(ply) {
                    stack.push(change_of(&position, &next));
                    position.play_unchecked(next);
                }
            }
        }
        assert!(rows.next().is_none(), "{name}: more rows than plies");
    }
}
