//! Reading games.

use std::io::Read;

use super::tokens::{Token, Tokens};
use super::{eval, moves};
use crate::error::shortened;
use crate::record::{ply_of, relative_score};
use crate::{Fault, Outcome, Place, Position, ReadError, Record, Unit, position};

/// The most plies of a game that are kept: more than any game under the rules has.
const MAX_PLIES: usize = 20_000;

/// The records of all games, game after game. A game with a move that is not legal ends with that error, before which what was read of it is
/// given if the tags say its result; it goes on with the next game.
#[derive(Debug)]
pub struct Reader<R> {
    tokens: Tokens<R>,
    /// the first word of the next game, which ended the game before
    ahead: Option<Token>,
    /// counted from 1
    game: u64,
    /// records of the last game, the last first
    ready: Vec<Record>,
    /// what ended that game
    error: Option<ReadError>,
    ended: bool,
}

/// A game as far as it has been read.
struct Game {
    position: Position,
    ply: u32,
    /// of the position, for the side to move
    score: Option<i16>,
    /// the outcome is that for White, until the result is known
    records: Vec<Record>,
    /// for White
    outcome: Option<Outcome>,
    /// whether anything but tags has been read
    has_moves: bool,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self { tokens: Tokens::new(input), ahead: None, game: 0, ready: Vec::new(), error: None, ended: false }
    }

    /// Reads a game. `false` if there is none.
    fn read_game(&mut self) -> Result<bool, ReadError> {
        self.game += 1;
        let mut game = Game::new();
        let mut is_there = false;
        let mut depth = 0u32;
        let fault = loop {
            let Some(token) = self.ahead.take().map_or_else(|| self.tokens.next(), |token| Ok(Some(token)))? else {
                break None;
            };
            let ends = match token {
                Token::Variation(true) => {
                    depth = depth.saturating_add(1);
                    Ok(false)
                }
                Token::Variation(false) => {
                    depth = depth.saturating_sub(1);
                    Ok(false)
                }
                Token::Tag(..) if game.has_moves => {
                    self.ahead = Some(token);
                    break None;
                }
                Token::Tag(name, value) => game.tag(&name, &value).map(|()| false),
                Token::Comment(_) | Token::Word(_) if depth > 0 => Ok(false),
                Token::Comment(text) => {
                    game.comment(&text);
                    Ok(false)
                }
                Token::Word(word) => game.word(&word),
            };
            is_there = true;
            match ends {
                Ok(false) => {}
                Ok(true) => break None,
                Err(fault) => break Some((self.tokens.begin(), fault)),
            }
        };
        if let Some((offset, fault)) = fault {
            let place = Place { unit: Unit::Game, number: self.game, offset };
            self.error = Some(ReadError::Damaged { place, fault });
            self.leave_game(game.has_moves)?;
        }
        self.ready = game.finish();
        Ok(is_there)
    }

    /// Reads up to the tags of the next game. Those of this game come first if its moves have not begun.
    fn leave_game(&mut self, mut has_moves: bool) -> Result<(), ReadError> {
        while let Some(token) = self.tokens.next()? {
            match token {
                Token::Tag(..) if has_moves => {
                    self.ahead = Some(token);
                    return Ok(());
                }
                Token::Tag(..) => {}
                _ => has_moves = true,
            }
        }
        Ok(())
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.ready.pop() {
                return Some(Ok(record));
            }
            if let Some(error) = self.error.take() {
                return Some(Err(error));
            }
            if self.ended {
                return None;
            }
            match self.read_game() {
                Ok(is_there) => self.ended = !is_there,
                Err(error) => {
                    self.ended = true;
                    self.error = Some(error);
                }
            }
        }
    }
}

impl Game {
    fn new() -> Self {
        let (position, _) = position::parse_fen(START).expect("the start position is one");
        Self { position, ply: 0, score: None, records: Vec::new(), outcome: None, has_moves: false }
    }

    fn tag(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        match name {
            "FEN" => {
                let (position, number) = position::parse_fen(value)?;
                self.position = position;
                self.ply = ply_of(number, position.side_to_move());
            }
            "Result" => self.outcome = outcome(value),
            _ => {}
        }
        Ok(())
    }

    fn comment(&mut self, text: &str) {
        let color = self.position.side_to_move();
        let score = eval::read(text, color == crate::Color::White);
        self.score = score.and_then(|score| relative_score(score, color)).or(self.score);
    }

    /// Whether the word ends the game.
    fn word(&mut self, word: &str) -> Result<bool, Fault> {
        self.has_moves = true;
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.outcome = outcome(word);
            return Ok(true);
        }
        // numbers of moves, glyphs
        if word.starts_with(['$', '!', '?']) || word.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(false);
        }
        let wrong = || Fault::Word { found: shortened(word), expected: "a legal move" };
        let mv = moves::read(word, &self.position).ok_or_else(wrong)?;
        let after = self.position.play(mv)?;
        self.record(Some(mv));
        if self.records.len() > MAX_PLIES {
            return Err(Fault::Word { found: shortened(word), expected: "the end of a game of 20000 moves" });
        }
        self.position = after;
        self.ply = self.ply.saturating_add(1);
        self.score = None;
        Ok(false)
    }

    /// Keeps the position, if it has a score.
    fn record(&mut self, mv: Option<crate::Move>) {
        if let Some(score) = self.score {
            self.records.push(Record { position: self.position, score, outcome: Outcome::Draw, ply: self.ply, mv });
        }
    }

    /// The records, the last first; none without a result.
    fn finish(mut self) -> Vec<Record> {
        self.record(None);
        let Some(outcome) = self.outcome else { return Vec::new() };
        for record in &mut self.records {
            record.outcome = outcome.relative_to(record.position.side_to_move());
        }
        self.records.reverse();
        self.records
    }
}

/// Where a game begins without the tag `FEN`.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A result for White.
fn outcome(text: &str) -> Option<Outcome> {
    match text {
        "1-0" => Some(Outcome::Win),
        "1/2-1/2" => Some(Outcome::Draw),
        "0-1" => Some(Outcome::Loss),
        _ => None,
    }
}
