//! Reads whole games.

use std::io::Read;

use super::game::{self, Game};
use super::tokens::{Token, Tokens};
use crate::{Fault, Place, ReadError, Unit};

/// Reads the games of a file. A game with an illegal move is returned up to that move, followed by the error
/// and then the next game. A game with an invalid `FEN` tag gives only the error.
///
/// ```
/// use nnue_data::pgn::{self, Games};
///
/// let file = "[White \"A\"]\n\n1. e4 (1. d4) e5 2. Nf3 1-0";
/// let game = Games::new(file.as_bytes()).next().ok_or("a game")??;
/// assert_eq!((game.tag("White"), game.moves.len()), (Some("A"), 3));
/// assert_eq!(pgn::san(game.moves[2], &game.positions[2]).as_deref(), Some("Nf3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Games<R> {
    tokens: Tokens<R>,
    /// the first token of the next game, which ended the game before
    ahead: Option<Token>,
    /// counted from 1
    number: u64,
    /// the last game, until it is returned
    game: Option<Game>,
    /// the error that ended it
    error: Option<ReadError>,
    ended: bool,
}

impl<R: Read> Games<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            tokens: Tokens::new(input),
            ahead: None,
            number: 0,
            game: None,
            error: None,
            ended: false,
        }
    }

    /// Reads a game. `false` if there is none.
    fn read_game(&mut self) -> Result<bool, ReadError> {
        self.number += 1;
        let (mut game, mut parts) = (Game::new(self.number), Parts::default());
        let fault = loop {
            let Some(token) = self
                .ahead
                .take()
                .map_or_else(|| self.tokens.next(), |token| Ok(Some(token)))?
            else {
                break None;
            };
            if parts.has_moves && matches!(token, Token::Tag(..)) {
                self.ahead = Some(token);
                break None;
            }
            parts.is_there = true;
            match parts.read(token, &mut game) {
                Ok(false) => {}
                Ok(true) => break None,
                Err(fault) => break Some((self.tokens.begin(), fault)),
            }
        };
        if parts.is_there && (parts.has_moves || fault.is_none()) {
            self.game = Some(game);
        }
        if let Some((offset, fault)) = fault {
            let better = self.leave_game(parts.has_moves)?;
            let place = Place {
                unit: Unit::Game,
                number: self.number,
                offset,
            };
            let fault = better.unwrap_or(fault);
            self.error = Some(ReadError::Damaged { place, fault });
        }
        Ok(parts.is_there)
    }

    /// Skips to the tags of the next game. If the moves of this game have not begun, tags before them belong
    /// to it: one of another variant explains why its position could not be read.
    fn leave_game(&mut self, mut has_moves: bool) -> Result<Option<Fault>, ReadError> {
        let mut variant = None;
        while let Some(token) = self.tokens.next()? {
            match token {
                Token::Tag(..) if has_moves => {
                    self.ahead = Some(token);
                    break;
                }
                Token::Tag(name, value) if name == "Variant" => {
                    variant = game::refuse_variant(&value).err();
                }
                Token::Tag(..) => {}
                _ => has_moves = true,
            }
        }
        Ok(variant)
    }
}

/// How far a game has been read.
#[derive(Default)]
struct Parts {
    /// whether anything has been read
    is_there: bool,
    /// whether anything but tags and comments has been read
    has_moves: bool,
    /// nesting depth of variations
    depth: u32,
}

impl Parts {
    /// Reads a token. Returns whether it ends the game.
    fn read(&mut self, token: Token, game: &mut Game) -> Result<bool, Fault> {
        match token {
            Token::Variation(true) => self.depth = self.depth.saturating_add(1),
            Token::Variation(false) => self.depth = self.depth.saturating_sub(1),
            Token::Tag(name, value) => game.read_tag(name, value)?,
            Token::Comment(_) | Token::Word(_) if self.depth > 0 => {}
            Token::Comment(text) => game.read_comment(&text),
            Token::Word(word) => {
                self.has_moves = true;
                return game.read_word(&word);
            }
        }
        Ok(false)
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.game.take() {
                return Some(Ok(game));
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
