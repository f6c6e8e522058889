//! Plays a game.

use cozy_chess::{Board, Move, Piece};
use fastrand::Rng;
use nnue_data::{self as data, Color, MoveKind, Outcome, Position, Record};
use nnue_train::search::{Evaluator, Found, Limits, MAX_PLY, Search, is_material_draw};

use super::adjudication::Adjudication;
use crate::args::train::GameArgs;

pub(super) struct Rules<'r> {
    pub(super) games: &'r GameArgs,
    pub(super) openings: &'r [Board],
    pub(super) seed: u64,
}

#[derive(Debug)]
pub(super) struct Game {
    /// game number, from 0
    pub(super) number: u64,
    /// positions after the opening, with scores, moves and outcome
    pub(super) records: Vec<Record>,
    pub(super) outcome: Outcome,
}

/// Most openings tried for a game.
pub(super) const TRIES: usize = 1000;

/// Ratio between the hard and the soft node limit of a search.
const HARD: u64 = 8;

impl Game {
    /// Plays the game with this number; `None` if no balanced opening was found.
    pub(super) fn play<E: Evaluator>(
        search: &mut Search<E>,
        rules: &Rules<'_>,
        number: u64,
    ) -> Option<Self> {
        let mut random = Rng::with_seed(rules.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut table, mut found) = (0..TRIES).find_map(|_| {
            let table = Table::opened(rules, number, &mut random)?;
            search.clear();
            let found = table.search(search, rules)?;
            (found.value.abs() <= rules.games.opening_limit).then_some((table, found))
        })?;
        let (mut records, mut adjudication) = (Vec::new(), Adjudication::default());
        let begin = table.ply;
        let outcome = loop {
            let (position, ply) = (table.position, table.ply);
            let mv = Some(move_of(&table.board, found.best));
            records.push(Record {
                position,
                score: found.value as i16,
                outcome: Outcome::Draw,
                ply,
                mv,
            });
            let sign = if position.side_to_move() == Color::White {
                1
            } else {
                -1
            };
            if let Some(outcome) = adjudication.judge(rules.games, sign * found.value, ply) {
                break outcome;
            }
            table.make(found.best);
            if table.is_drawn() || table.ply - begin >= rules.games.max_plies {
                break Outcome::Draw;
            }
            found = match table.search(search, rules) {
                Some(found) => found,
                None => break table.end(),
            };
        };
        for record in &mut records {
            record.outcome = outcome.relative_to(record.position.side_to_move());
        }
        Some(Self {
            number,
            records,
            outcome,
        })
    }
}

struct Table {
    board: Board,
    /// the same position, in the form that records use
    position: Position,
    ply: u32,
    /// hashes of the positions since the last capture or pawn move
    before: Vec<u64>,
}

impl Table {
    /// Plays random opening moves; `None` if they end the game.
    fn opened(rules: &Rules<'_>, number: u64, random: &mut Rng) -> Option<Self> {
        let board = rules.openings[random.usize(..rules.openings.len())].clone();
        let position: Position = board.to_string().parse().ok()?;
        let ply = u32::from(position.side_to_move() == Color::Black);
        let mut table = Self {
            board,
            position,
            ply,
            before: Vec::new(),
        };
        for _ in 0..rules.games.random_plies + (number % 2) as u32 {
            let mut moves = Vec::new();
            table.board.generate_moves(|of_piece| {
                moves.extend(of_piece);
                false
            });
            let mv = random.choice(moves)?;
            table.make(mv);
        }
        (!table.is_drawn()).then_some(table)
    }

    /// The best move; `None` if there is none.
    fn search<E: Evaluator>(&self, search: &mut Search<E>, rules: &Rules<'_>) -> Option<Found> {
        let nodes = rules.games.nodes;
        let limits = Limits {
            depth: MAX_PLY as u32,
            soft_nodes: nodes,
            hard_nodes: nodes * HARD,
        };
        search.best(&self.board, &self.before, limits)
    }

    fn make(&mut self, mv: Move) {
        let hash = self.board.hash_without_ep();
        self.position = self
            .position
            .play(move_of(&self.board, mv))
            .expect("a legal move can be made");
        self.board.play_unchecked(mv);
        self.ply += 1;
        if self.board.halfmove_clock() == 0 {
            self.before.clear();
        } else {
            self.before.push(hash);
        }
    }

    /// Whether the game is drawn: third repetition, fifty moves, or insufficient material.
    fn is_drawn(&self) -> bool {
        let hash = self.board.hash_without_ep();
        let is_third = self.before.iter().filter(|&&before| before == hash).count() >= 2;
        let is_fifty = self.board.halfmove_clock() >= 100 && self.board.checkers().is_empty();
        is_third || is_fifty || is_material_draw(&self.board)
    }

    /// The outcome for White if the side to move has no legal move.
    fn end(&self) -> Outcome {
        match (
            self.board.checkers().is_empty(),
            self.position.side_to_move(),
        ) {
            (true, _) => Outcome::Draw,
            (false, Color::White) => Outcome::Loss,
            (false, Color::Black) => Outcome::Win,
        }
    }
}

/// Converts a move to one with its kind.
fn move_of(
    board: &Board,
    Move {
        from,
        to,
        promotion,
    }: Move,
) -> data::Move {
    let is_pawn = board.pieces(Piece::Pawn).has(from);
    let kind = match promotion {
        Some(piece) => MoveKind::Promotion(piece),
        None if board.colors(board.side_to_move()).has(to) => MoveKind::Castling,
        None if is_pawn && from.file() != to.file() && board.piece_on(to).is_none() => {
            MoveKind::EnPassant
        }
        None => MoveKind::Normal,
    };
    data::Move { from, to, kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARGS: GameArgs = GameArgs {
        nodes: 60,
        openings: None,
        random_plies: 6,
        opening_limit: 400,
        win_score: 1500,
        win_count: 3,
        draw_score: 2,
        draw_count: 8,
        draw_ply: 60,
        max_plies: 200,
    };

    fn material(board: &Board) -> i32 {
        let of = |color| {
            let pieces = [100, 310, 330, 500, 900].into_iter().zip(Piece::ALL);
            pieces
                .map(|(worth, piece)| worth * board.colored_pieces(color, piece).len() as i32)
                .sum::<i32>()
        };
        of(board.side_to_move()) - of(!board.side_to_move())
    }

    fn play(number: u64, openings: &[&str]) -> Option<Game> {
        let openings: Vec<Board> = openings.iter().map(|fen| fen.parse().unwrap()).collect();
        let rules = Rules {
            games: &ARGS,
            openings: &openings,
            seed: 5,
        };
        Game::play(&mut Search::new(material, 10), &rules, number)
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn records_are_a_game() {
        for number in 0..6 {
            let game = play(number, &[START]).unwrap();
            let first = game.records[0];
            assert_eq!(first.ply, 6 + (number % 2) as u32);
            assert!(i32::from(first.score).abs() <= ARGS.opening_limit);
            for (record, next) in game.records.iter().zip(&game.records[1..]) {
                let after = record.position.play(record.mv.unwrap()).unwrap();
                assert_eq!((after, record.ply + 1), (next.position, next.ply));
                assert_eq!(record.outcome, next.outcome.flipped());
            }
            let last = game.records.last().unwrap();
            assert_eq!(
                last.outcome.relative_to(last.position.side_to_move()),
                game.outcome
            );
            assert_eq!(play(number, &[START]).unwrap().records, game.records);
        }
        assert_ne!(
            play(0, &[START]).unwrap().records,
            play(2, &[START]).unwrap().records
        );
    }

    /// High scores agree with the outcome.
    #[test]
    fn outcomes_are_those_that_scores_announce() {
        for number in 0..6 {
            let game = play(
                number,
                &[
                    "4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1",
                    "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1",
                ],
            )
            .unwrap();
            let record = game.records.last().unwrap();
            let expected = match record.score {
                1500.. => Outcome::Win,
                ..=-1500 => Outcome::Loss,
                _ => Outcome::Draw,
            };
            assert_eq!(record.outcome, expected, "{}", record.fen());
        }
    }

    #[test]
    fn openings_that_are_lost_are_none() {
        assert!(play(0, &["4k3/8/8/8/8/8/8/QQQ1K3 w - - 0 1"]).is_none());
    }
}
