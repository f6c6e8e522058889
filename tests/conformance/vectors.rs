//! Positions and games against the vectors, on every level.

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Color, Level, Network, PieceKind, Position};
use nnue_testkit::board::Board;
use nnue_testkit::games::{self, Game};
use nnue_testkit::random::Random;
use nnue_testkit::sample;
use nnue_testkit::vectors::{self, GameRow};
use shakmaty::{Chess, Position as _};

/// A board of the test kit, for the network.
pub(crate) struct Seen(pub(crate) Board);

impl Position for Seen {
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

/// Every position: the parts of the chosen bucket, and those of all buckets.
pub(crate) fn suite<A: Architecture>(mut network: Network<A>, name: &str) -> Network<A> {
    let rows = vectors::suite(name);
    for level in Level::available() {
        network = network.with_level(level);
        for row in rows.iter().step_by(sample()) {
            let position = Seen(Board::from_fen(&row.fen));
            let evaluation = network.evaluate_fresh(&position);
            let found = (evaluation.bucket, evaluation.psqt, evaluation.positional);
            assert_eq!(
                found,
                (row.bucket, row.psqt, row.positional),
                "{name}, {level}: {}",
                row.fen
            );
            let trace = network.trace(&position);
            let positional: Vec<i32> = trace
                .buckets
                .iter()
                .map(|bucket| bucket.positional)
                .collect();
            assert_eq!(
                positional, row.all_positional,
                "{name}, {level}: {}",
                row.fen
            );
            let psqt: Vec<i32> = trace.buckets.iter().map(|bucket| bucket.psqt).collect();
            assert_eq!(
                psqt,
                row.all_psqt[..psqt.len()],
                "{name}, {level}: {}",
                row.fen
            );
        }
    }
    network
}

/// Every ply of every game, incrementally, with one stack for all games.
pub(crate) fn games<A: Architecture>(mut network: Network<A>, name: &str) -> Network<A> {
    let games = games_with_rows(name);
    for level in Level::available() {
        network = network.with_level(level);
        let mut stack = AccumulatorStack::new();
        for (game, rows) in &games {
            stack.reset();
            let mut position = game.start.clone();
            for (ply, row) in rows.iter().enumerate() {
                assert_row(
                    &network,
                    &mut stack,
                    &position,
                    row,
                    &format!("{name}, {level}"),
                );
                if let Some(&next) = game.moves.get(ply) {
                    stack.push(change_of(&position, &next));
                    position.play_unchecked(next);
                }
            }
        }
    }
    network
}

/// The games, each with a row for every ply: all, or the sample.
fn games_with_rows(name: &str) -> Vec<(Game, Vec<GameRow>)> {
    let mut rows = vectors::games(name).into_iter();
    let mut with_rows = |game: Game| {
        let of_game: Vec<GameRow> = rows.by_ref().take(game.moves.len() + 1).collect();
        let plies = of_game.iter().map(|row| (row.game, row.ply));
        assert!(
            plies.eq((0..=game.moves.len()).map(|ply| (game.id, ply))),
            "{name}: a row for each ply"
        );
        (game, of_game)
    };
    let games: Vec<_> = games::vector_games()
        .into_iter()
        .map(&mut with_rows)
        .collect();
    assert!(rows.next().is_none(), "{name}: more rows than plies");
    games.into_iter().step_by(sample()).collect()
}

/// Every game as in a search: several plies at once, and some of them taken back.
pub(crate) fn searches<A: Architecture>(mut network: Network<A>, name: &str) {
    let games = games_with_rows(name);
    for level in Level::available() {
        network = network.with_level(level);
        let what = format!("{name}, {level}, search");
        let mut stack = AccumulatorStack::new();
        let mut random = Random::new(1);
        for (game, rows) in &games {
            search(&network, &mut stack, &mut random, game, rows, &what);
        }
    }
}

fn search<A: Architecture>(
    network: &Network<A>,
    stack: &mut AccumulatorStack<A>,
    random: &mut Random,
    game: &Game,
    rows: &[GameRow],
    what: &str,
) {
    stack.reset();
    let mut line = vec![game.start.clone()];
    while line.len() < rows.len() {
        let back = random.below(4).min(line.len() - 1);
        for _ in 0..back {
            line.pop();
            stack.pop();
        }
        if random.below(2) == 0 {
            assert_row(
                network,
                stack,
                &line[line.len() - 1],
                &rows[line.len() - 1],
                what,
            );
        }
        for _ in 0..back + 1 + random.below(6) {
            let Some(&next) = game.moves.get(line.len() - 1) else {
                break;
            };
            let mut position = line[line.len() - 1].clone();
            stack.push(change_of(&position, &next));
            position.play_unchecked(next);
            line.push(position);
        }
        assert_row(
            network,
            stack,
            &line[line.len() - 1],
            &rows[line.len() - 1],
            what,
        );
    }
}

fn assert_row<A: Architecture>(
    network: &Network<A>,
    stack: &mut AccumulatorStack<A>,
    position: &Chess,
    row: &GameRow,
    what: &str,
) {
    let evaluation = network.evaluate(position, stack);
    let found = (evaluation.bucket, evaluation.psqt, evaluation.positional);
    assert_eq!(
        found,
        (row.bucket, row.psqt, row.positional),
        "{what}: game {}, ply {}",
        row.game,
        row.ply
    );
}
