//! A game, and how the words of a file extend it.

use super::{eval, moves};
use crate::printable::shortened;
use crate::record::{ply_of, relative_score};
use crate::{Color, Fault, Move, Outcome, Position, position};

/// The most plies of a game: more than any game under the rules has.
const MAX_PLIES: usize = 20_000;

/// The most tags that are kept of a game: files have about ten.
const MAX_TAGS: usize = 100;

/// The words of the suffix `e.p.`, divided at its dots, and `ep`.
const EN_PASSANT: [&str; 3] = ["e", "p", "ep"];

/// The characters of signs of check, of evaluations and of good and bad moves.
const SIGNS: &str = "+-#=/!?";

/// How programs write that a side passes.
const NULL_MOVES: [&str; 6] = ["--", "Z0", "0000", "@@@@", "null", "pass"];

/// Values of the tag `Variant` of games of chess, and of Chess960, in lower case without spaces and hyphens.
const CHESS: [&str; 10] = [
    "",
    "?",
    "standard",
    "normal",
    "chess",
    "fromposition",
    "chess960",
    "fischerandom",
    "fischerrandom",
    "freestyle",
];

/// The start position of games without a `FEN` tag.
pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A game: its tags, positions and moves, without variations.
///
/// ```text
///   positions   0      1      2      ..   n
///   moves          0      1      ..  n-1          moves[i] leads from positions[i] to positions[i + 1]
///   scores      0      1      2      ..   n       those of the positions, as far as comments have them
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// its place in the file, counted from 1
    pub number: u64,
    /// names and values, in the order of the file; at most 100
    pub tags: Vec<(String, String)>,
    /// plies before the first position, from the `FEN` tag
    pub ply: u32,
    /// the positions, at least one
    pub positions: Vec<Position>,
    /// the moves, one fewer than positions
    pub moves: Vec<Move>,
    /// the evaluation of each position for the side to move, in hundredths of a pawn
    pub scores: Vec<Option<i16>>,
    /// the result for White, if it is known
    pub outcome: Option<Outcome>,
}

impl Game {
    pub(super) fn new(number: u64) -> Self {
        let (position, _) = position::parse_fen(START).expect("the start position is one");
        let (tags, positions, scores) = (Vec::new(), vec![position], vec![None]);
        Self {
            number,
            tags,
            ply: 0,
            positions,
            moves: Vec::new(),
            scores,
            outcome: None,
        }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    pub(super) fn read_tag(&mut self, name: String, value: String) -> Result<(), Fault> {
        match name.as_str() {
            "FEN" => {
                let (position, number) = position::parse_fen(&value)?;
                self.positions[0] = position;
                self.ply = ply_of(number, position.side_to_move());
            }
            "Result" => self.outcome = outcome(&value),
            "Variant" => refuse_variant(&value)?,
            _ => {}
        }
        if self.tags.len() < MAX_TAGS {
            self.tags.push((name, value));
        }
        Ok(())
    }

    fn last(&self) -> &Position {
        self.positions.last().expect("at least one position")
    }

    pub(super) fn read_comment(&mut self, text: &str) {
        let color = self.last().side_to_move();
        let score =
            eval::read(text, color == Color::White).and_then(|score| relative_score(score, color));
        let last = self.scores.last_mut().expect("as many as positions");
        *last = score.or(*last);
    }

    /// Reads a word. Returns whether it ends the game.
    pub(super) fn read_word(&mut self, word: &str) -> Result<bool, Fault> {
        if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
            self.outcome = outcome(word);
            return Ok(true);
        }
        if NULL_MOVES.contains(&word) {
            return Err(Fault::Null(word.to_owned()));
        }
        // move numbers, glyphs and signs such as `+-`
        let is_sign = |text: &str| text.chars().all(|c| SIGNS.contains(c));
        if word.starts_with(['$', '!', '?'])
            || is_sign(word)
            || word.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Ok(false);
        }
        if EN_PASSANT.contains(&word) {
            return Ok(false);
        }
        let wrong = |expected| Fault::Word {
            found: shortened(word),
            expected,
        };
        let mv = moves::read(word, self.last()).ok_or_else(|| wrong("a legal move"))?;
        let after = self.last().play(mv)?;
        if self.moves.len() == MAX_PLIES {
            return Err(wrong("the end of a game of 20000 moves"));
        }
        self.moves.push(mv);
        self.positions.push(after);
        self.scores.push(None);
        Ok(false)
    }
}

/// An error for games by other rules.
pub(super) fn refuse_variant(name: &str) -> Result<(), Fault> {
    let known: String = name
        .chars()
        .filter(|c| !matches!(c, ' ' | '-' | '_'))
        .collect();
    if CHESS.contains(&known.to_ascii_lowercase().as_str()) {
        return Ok(());
    }
    Err(Fault::Variant(shortened(name)))
}

/// The outcome for White.
fn outcome(text: &str) -> Option<Outcome> {
    match text {
        "1-0" => Some(Outcome::Win),
        "1/2-1/2" => Some(Outcome::Draw),
        "0-1" => Some(Outcome::Loss),
        _ => None,
    }
}
