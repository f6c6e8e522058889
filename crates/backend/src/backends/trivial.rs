//! `trivial`: material and centralisation, without a network.

use std::sync::Arc;

use nnue_data::{Color, Move, MoveKind, Piece, Position, Square};
use nnue_spec::softmax;

use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::chess::Chess;
use crate::digest::digest_of;
use crate::error::Error;
use crate::evaluator::{Batched, Evaluator};
use crate::game::{Sample, Wanted};
use crate::registry::Entry;
use crate::value::expected_score;

/// Piece values in centipawns.
const WORTH: [i32; 6] = [100, 320, 330, 500, 950, 0];
/// Value of a step towards the centre, in centipawns.
const STEP: [i32; 6] = [4, 10, 6, 0, 2, -8];
/// The score with an expected score of 73 %.
const SCALE: f32 = 400.0;

/// Material and distance from the centre; captures of valuable pieces by cheap ones are probable. A sensible
/// baseline for searches, and for comparisons.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trivial;

/// A position and the logits of its moves.
#[derive(Debug)]
pub struct Input {
    score: i32,
    logits: Vec<f32>,
}

fn score(position: &Position) -> i32 {
    let of = |color| {
        let squares = Piece::ALL.into_iter().flat_map(|piece| {
            position
                .colored(color, piece)
                .into_iter()
                .map(move |square| worth(piece, square))
        });
        squares.sum::<i32>()
    };
    let us = position.side_to_move();
    of(us) - of(!us)
}

fn worth(piece: Piece, square: Square) -> i32 {
    let from_edge = |line: usize| line.min(7 - line) as i32;
    let steps = from_edge(square.file() as usize) + from_edge(square.rank() as usize);
    WORTH[piece as usize] + STEP[piece as usize] * steps
}

/// Expected gain of a move, in pawns.
fn logit(position: &Position, mv: &Move) -> f32 {
    let worth = |piece: Option<Piece>| piece.map_or(0, |piece| WORTH[piece as usize]);
    let gain = match mv.kind {
        MoveKind::Castling => 50,
        MoveKind::EnPassant => 90,
        MoveKind::Promotion(piece) => WORTH[piece as usize] - 100 + worth(position.piece_on(mv.to)),
        MoveKind::Normal => {
            let captured = worth(
                position
                    .piece_on(mv.to)
                    .filter(|_| is_enemy(position, mv.to)),
            );
            captured - (worth(position.piece_on(mv.from)) / 10).min(captured)
        }
    };
    gain as f32 / 200.0
}

fn is_enemy(position: &Position, square: Square) -> bool {
    let color: Option<Color> = position.color_on(square);
    color.is_some_and(|color| color != position.side_to_move())
}

impl Evaluator<Chess> for Trivial {
    type Input = Input;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_policy: true,
            has_score: true,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        digest_of("trivial", &[1])
    }

    fn read(&self, sample: &Sample<'_, Chess>, wanted: Wanted) -> Result<Input, Error> {
        let what = || "the history has no position".into();
        let position = sample.position().ok_or_else(|| Error::Sample {
            backend: "trivial".into(),
            what: what(),
        })?;
        let moves = if wanted.policy { sample.moves } else { &[] };
        Ok(Input {
            score: score(position),
            logits: moves.iter().map(|mv| logit(position, mv)).collect(),
        })
    }

    fn evaluate(&self, inputs: &[Input], answers: &mut Answers) -> Result<(), Error> {
        for Input { score, logits } in inputs {
            let mut policy = logits.clone();
            softmax(&mut policy, 1.0);
            let q = expected_score(*score, SCALE);
            answers.push(&Answer {
                q,
                d: 0.0,
                m: 0.0,
                score: Some(*score),
                policy,
            });
        }
        Ok(())
    }
}

pub(crate) fn entry() -> Entry<Chess> {
    Entry::new(
        "trivial",
        4,
        "material and where it stands",
        Vec::new(),
        |builder| Ok(Arc::new(Batched::new(builder.path(), Trivial))),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Backend;

    fn ask(fen: &str) -> (Answer, Vec<String>) {
        let position: Position = fen.parse().expect("a FEN");
        let moves = position.legal_moves().expect("a position of a game");
        let sample = Sample {
            history: &[position],
            moves: &moves,
        };
        let answers = Batched::new("trivial", Trivial)
            .evaluate(&[sample], Wanted::ALL)
            .expect("an answer");
        (
            answers.get(0).to_owned(),
            moves.iter().map(|mv| mv.to_uci(&position)).collect(),
        )
    }

    #[test]
    fn more_material_is_better_and_both_sides_are_alike() {
        let (start, _) = ask("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
        assert_eq!((start.q, start.score), (0.0, Some(0)));
        let (white, _) = ask("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
        let (black, _) = ask("q3k3/8/8/8/8/8/8/4K3 b - - 0 1");
        assert_eq!((white.q, white.score), (black.q, black.score));
        assert!(white.q > 0.8);
    }

    #[test]
    fn a_hanging_queen_is_probably_taken() {
        let (answer, moves) =
            ask("rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
        let best = (0..moves.len())
            .max_by(|&a, &b| answer.policy[a].total_cmp(&answer.policy[b]))
            .expect("a move");
        assert_eq!(moves[best], "f3g5");
        assert!((answer.policy.iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}
