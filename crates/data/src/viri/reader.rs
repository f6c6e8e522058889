//! Reads games.

use std::io::{BufReader, Read};

use super::{END, moves};
use crate::fixed::{Codec, SIZE, read_up_to};
use crate::marlin::PackedBoard;
use crate::record::relative_score;
use crate::{Fault, Outcome, Place, Position, ReadError, Record, Unit};

/// Reads the records of all games. After a fault inside a game it continues after the end mark of that game.
#[derive(Debug)]
pub struct Reader<R> {
    input: BufReader<R>,
    /// the next record of the game, without score and move
    next: Option<(Position, Outcome, u32)>,
    /// counted from 1
    game: u64,
    offset: u64,
    state: State,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Reading,
    /// the rest of a damaged game is to be skipped
    Leaving,
    Ended,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            next: None,
            game: 0,
            offset: 0,
            state: State::Reading,
        }
    }

    fn read(&mut self) -> Result<Option<Record>, ReadError> {
        if self.state == State::Leaving && !self.leave_game()? {
            return Ok(None);
        }
        loop {
            let Some((position, outcome, ply)) = self.next else {
                if !self.begin_game()? {
                    return Ok(None);
                }
                continue;
            };
            let begin = self.offset;
            let bytes: [u8; 4] = self.take()?.ok_or_else(|| self.cut(END.len()))?;
            if bytes == END {
                self.next = None;
                continue;
            }
            return self
                .record(bytes, position, outcome, ply)
                .map(Some)
                .map_err(|fault| self.damaged(begin, fault));
        }
    }

    fn record(
        &mut self,
        bytes: [u8; 4],
        position: Position,
        outcome: Outcome,
        ply: u32,
    ) -> Result<Record, Fault> {
        let [low, high, score @ ..] = bytes;
        let mv = moves::unpack(u16::from_le_bytes([low, high]));
        let after = position.play(mv)?;
        let score = relative_score(i16::from_le_bytes(score), position.side_to_move())
            .ok_or(Fault::Score)?;
        self.next = Some((after, outcome.flipped(), ply.saturating_add(1)));
        Ok(Record {
            position,
            score,
            outcome,
            ply,
            mv: Some(mv),
        })
    }

    /// Reads the start position of the next game. `false` if there is none.
    fn begin_game(&mut self) -> Result<bool, ReadError> {
        let begin = self.offset;
        self.game += 1;
        let Some(mut bytes) = self.take::<SIZE>()? else {
            return Ok(false);
        };
        bytes[28..30].fill(0); // the score has no meaning
        let start = PackedBoard::decode(&bytes).map_err(|fault| self.damaged(begin, fault))?;
        self.next = Some((start.position, start.outcome, start.ply));
        Ok(true)
    }

    /// Skips to the end of a damaged game. `false` if it has none.
    fn leave_game(&mut self) -> Result<bool, ReadError> {
        self.state = State::Reading;
        loop {
            match self.take()? {
                None => return Ok(false),
                Some(END) => return Ok(true),
                Some(_) => {}
            }
        }
    }

    /// Reads the next bytes. `None` at the end of the file.
    fn take<const N: usize>(&mut self) -> Result<Option<[u8; N]>, ReadError> {
        let mut bytes = [0; N];
        let found = read_up_to(&mut self.input, &mut bytes)?;
        self.offset += found as u64;
        match found {
            0 => Ok(None),
            _ if found == N => Ok(Some(bytes)),
            _ => Err(self.cut(N - found)),
        }
    }

    /// The error for a file that ends `missing` bytes too early.
    fn cut(&self, missing: usize) -> ReadError {
        self.damaged(
            self.offset,
            Fault::Cut {
                missing: missing as u64,
                unit: Unit::Game,
            },
        )
    }

    fn damaged(&self, offset: u64, fault: Fault) -> ReadError {
        ReadError::Damaged {
            place: Place {
                unit: Unit::Game,
                number: self.game,
                offset,
            },
            fault,
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.state == State::Ended {
            return None;
        }
        let next = self.read();
        match &next {
            Ok(Some(_)) => {}
            Ok(None)
            | Err(
                ReadError::Io(_)
                | ReadError::Table(_)
                | ReadError::Damaged {
                    fault: Fault::Cut { .. },
                    ..
                },
            ) => self.state = State::Ended,
            Err(ReadError::Damaged { .. } | ReadError::Illegal { .. }) => {
                self.next = None;
                self.state = State::Leaving;
            }
        }
        next.transpose()
    }
}
