//! Prints the table: a line per position.

use std::io::{self, Write};

use nnue_backend::{Answer, Attributes};
use nnue_data::Color;

use super::super::format::{NOTHING, by_probability, draws, left, score};
use super::super::positions::Game;
use crate::error::Error;

/// Number of worst moves listed after a game.
const WORST: usize = 3;
/// Smallest loss of a listed move.
const LOSS: f32 = 0.1;

/// Sets the values of positions without legal moves by the rules.
pub(super) fn settle(game: &Game, answers: &mut [Answer]) {
    for (index, answer) in answers
        .iter_mut()
        .enumerate()
        .filter(|(index, _)| game.legal[*index].is_empty())
    {
        let [q, d] = if game.positions[index].is_check() {
            [-1.0, 0.0]
        } else {
            [0.0, 1.0]
        };
        *answer = Answer {
            q,
            d,
            m: 0.0,
            score: None,
            policy: Vec::new(),
        };
    }
}

/// White's expected score.
pub(super) fn white(game: &Game, answers: &[Answer], index: usize) -> f32 {
    let q = answers[index].q;
    if game.positions[index].side_to_move() == Color::White {
        q
    } else {
        -q
    }
}

/// Loss of the move played after a position: the value before it minus the value after it, for its mover.
pub(super) fn loss(game: &Game, answers: &[Answer], index: usize) -> Option<f32> {
    game.moves
        .get(index)
        .map(|_| answers[index].q + answers[index + 1].q)
}

pub(super) fn worst(game: &Game, answers: &[Answer]) -> Vec<(usize, f32)> {
    let losses =
        (0..game.moves.len()).filter_map(|index| Some((index, loss(game, answers, index)?)));
    let mut losses: Vec<(usize, f32)> = losses.filter(|(_, loss)| *loss >= LOSS).collect();
    losses.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    losses.truncate(WORST);
    losses
}

pub(super) struct Table<'o> {
    attributes: Attributes,
    as_tsv: bool,
    /// whether a line for a single position has been written
    has_position: bool,
    out: &'o mut dyn Write,
}

impl<'o> Table<'o> {
    /// Writes the header of a TSV table; in readable output each game has its own.
    pub(super) fn new(
        attributes: Attributes,
        as_tsv: bool,
        out: &'o mut dyn Write,
    ) -> io::Result<Self> {
        if as_tsv {
            writeln!(
                out,
                "game\tply\tfen\tmove\twhite\tdraw\tleft\tscore\tbest\tbest_p\tplayed_p\tloss"
            )?;
        }
        Ok(Self {
            attributes,
            as_tsv,
            has_position: false,
            out,
        })
    }

    pub(super) fn game(&mut self, game: &Game, answers: &[Answer]) -> Result<(), Error> {
        if self.as_tsv {
            (0..answers.len()).try_for_each(|index| self.row(game, answers, index))?;
        } else if game.is_game() {
            self.for_people(game, answers)?;
        } else {
            self.position(game, answers)?;
        }
        Ok(())
    }

    /// The most probable move, its probability, and the probability of the move played.
    fn moves(game: &Game, answer: &Answer, index: usize) -> [String; 3] {
        let nothing = || NOTHING.to_owned();
        let best = by_probability(&answer.policy).first().copied();
        let played = game
            .moves
            .get(index)
            .and_then(|mv| game.legal[index].iter().position(|legal| legal == mv));
        let played = played.and_then(|at| answer.policy.get(at));
        [
            best.map_or_else(nothing, |(at, _)| game.san(index, game.legal[index][at])),
            best.map_or_else(nothing, |(_, p)| format!("{p:.4}")),
            played.map_or_else(nothing, |p| format!("{p:.4}")),
        ]
    }

    fn row(&mut self, game: &Game, answers: &[Answer], index: usize) -> io::Result<()> {
        let answer = answers[index].as_view();
        let (name, ply) = (&game.name, game.ply as usize + index);
        let fen = game.positions[index].fen((ply / 2 + 1) as u32);
        let mv = game
            .moves
            .get(index)
            .map_or_else(|| NOTHING.into(), |&mv| game.san(index, mv));
        let [best, best_p, played_p] = Self::moves(game, &answers[index], index);
        let loss =
            loss(game, answers, index).map_or_else(|| NOTHING.into(), |loss| format!("{loss:.4}"));
        let (white, d, m) = (
            white(game, answers, index),
            draws(&answer, &self.attributes),
            left(&answer, &self.attributes),
        );
        let score = score(&answer);
        let line = format!(
            "{name}\t{ply}\t{fen}\t{mv}\t{white:.4}\t{d}\t{m}\t{score}\t{best}\t{best_p}\t{played_p}\t{loss}"
        );
        writeln!(self.out, "{line}")
    }

    fn for_people(&mut self, game: &Game, answers: &[Answer]) -> io::Result<()> {
        writeln!(self.out, "game {}", game.name)?;
        let titles = [
            "move", "white", "draw", "left", "best", "", "played", "loss",
        ];
        let [mv, white_, draw, left_, best, best_p, played, loss_] = titles;
        writeln!(
            self.out,
            "  {mv:<14} {white_:>7} {draw:>7} {left_:>6}   {best:<7} {best_p:>6} {played:>7} {loss_:>7}"
        )?;
        for (index, answer) in answers.iter().enumerate() {
            let view = answer.as_view();
            let mv = game
                .moves
                .get(index)
                .map_or_else(|| NOTHING.into(), |&mv| game.san(index, mv));
            let mv = format!("{:>5} {mv}", game.number(index));
            let [best, best_p, played_p] = Self::moves(game, answer, index);
            let loss = loss(game, answers, index)
                .map_or_else(|| NOTHING.into(), |loss| format!("{loss:.4}"));
            let (white, d) = (white(game, answers, index), draws(&view, &self.attributes));
            let m = left(&view, &self.attributes);
            writeln!(
                self.out,
                "  {mv:<14} {white:>+7.4} {d:>7} {m:>6}   {best:<7} {best_p:>6} {played_p:>7} {loss:>7}"
            )?;
        }
        let worst: Vec<String> = worst(game, answers)
            .into_iter()
            .map(|(index, loss)| {
                format!(
                    "{} {} ({loss:.2})",
                    game.number(index),
                    game.san(index, game.moves[index])
                )
            })
            .collect();
        let worst = if worst.is_empty() {
            format!("none of {LOSS} or more")
        } else {
            worst.join(", ")
        };
        writeln!(self.out, "  losses: {worst}\n")
    }

    fn position(&mut self, game: &Game, answers: &[Answer]) -> io::Result<()> {
        if !self.has_position {
            self.has_position = true;
            let titles = ["white", "draw", "left", "score", "best"];
            let [white_, draw, left_, score_, best] = titles;
            writeln!(
                self.out,
                "{white_:>7} {draw:>7} {left_:>6} {score_:>8}  {best:<7} {:>6}  position",
                ""
            )?;
        }
        let (answer, white) = (answers[0].as_view(), white(game, answers, 0));
        let (d, m) = (
            draws(&answer, &self.attributes),
            left(&answer, &self.attributes),
        );
        let ([best, p, _], score) = (Self::moves(game, &answers[0], 0), score(&answer));
        writeln!(
            self.out,
            "{white:>+7.4} {d:>7} {m:>6} {score:>8}  {best:<7} {p:>6}  {}",
            game.name
        )
    }
}
