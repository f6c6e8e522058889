//! Writes games.

use std::io::Write;

use super::{eval, game::START, moves};
use crate::record::Next;
use crate::{Color, Outcome, Record, WriteError};

/// Writes records as games. Records of a game should come in order: one that does not follow the record
/// before begins a new game.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    game: Option<Game>,
}

/// The open game.
#[derive(Debug)]
struct Game {
    /// the expected next record; `None` after a position without a move
    next: Option<Next>,
    result: &'static str,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a move at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self { output, game: None }
    }

    /// Appends a record. One without a score gets no evaluation.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, the score is -32768 with Black to move, or the move is illegal.
    /// Nothing is written then.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        let score = match record.score() {
            Some(_) => Some(record.white_score().ok_or(WriteError::Score("PGN"))?),
            None => None,
        };
        let illegal = |mv| WriteError::IllegalMove {
            mv,
            fen: record.fen(),
        };
        let mv = record
            .mv
            .map(|mv| moves::write(mv, &record.position).ok_or_else(|| illegal(mv)))
            .transpose()?;
        let follows = self
            .game
            .as_ref()
            .and_then(|game| game.next)
            .is_some_and(|next| next.is(record));
        if !follows {
            self.begin_game(record)?;
        }
        if let Some(score) = score {
            write!(self.output, "{{ [%eval {}] }} ", eval::write(score))?;
        }
        if let Some(text) = mv {
            let dots = if record.position.side_to_move() == Color::White {
                "."
            } else {
                "..."
            };
            writeln!(self.output, "{}{dots} {text}", record.ply / 2 + 1)?;
        }
        if let Some(game) = &mut self.game {
            game.next = Next::after(record);
        }
        Ok(())
    }

    /// Ends the last game, and returns the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.end_game()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn begin_game(&mut self, record: &Record) -> Result<(), WriteError> {
        self.end_game()?;
        let result = match record.outcome.relative_to(record.position.side_to_move()) {
            Outcome::Win => "1-0",
            Outcome::Draw => "1/2-1/2",
            Outcome::Loss => "0-1",
        };
        self.game = Some(Game { next: None, result });
        writeln!(self.output, "[Result \"{result}\"]")?;
        let fen = record.fen();
        if fen != START {
            writeln!(self.output, "[SetUp \"1\"]\n[FEN \"{fen}\"]")?;
        }
        Ok(writeln!(self.output)?)
    }

    fn end_game(&mut self) -> Result<(), WriteError> {
        if let Some(game) = self.game.take() {
            writeln!(self.output, "{}\n", game.result)?;
        }
        Ok(())
    }
}
