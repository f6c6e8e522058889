//! Lists of rows and changes as text.
//!
//! ```text
//!   3 17 40                one list: rows in any order, with spaces or commas between them
//!   3 17 | 8 9 b           two lists, and the side to move: `w`, which may be left out, or `b`
//!   +5 -17                 a change: row 5 is added, row 17 removed
//!   +5 | -8 b              a change of two lists, after which Black is to move
//! ```

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{RowLists, RowSets, RowsError};

const LISTED: &str = "the number of a row";
const CHANGED: &str = "`+` or `-` and the number of a row";

impl RowSets {
    /// Replaces all rows, and the side to move, by those of a text: `3 17 40`, `3 17 | 8 9 b`.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: the text is not a list of rows, or the rows are refused. Then the rows are as they were.
    pub fn set_text(&mut self, text: &str) -> Result<(), RowsError> {
        let position = RowsPosition::parse(text)?;
        self.set(position.lists())?;
        self.set_black_to_move(position.black_to_move.unwrap_or(false));
        Ok(())
    }
}

/// A position as text, of any network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsPosition {
    /// the rows as they are written, which may be wrong; the second list is empty without a second perspective
    pub rows: [Vec<u32>; 2],
    /// whether there is a second list
    pub two: bool,
    /// whether Black is to move; `None` if the text does not say it, which means White
    pub black_to_move: Option<bool>,
}

impl RowsPosition {
    /// Reads `3 17 40`, or `3 17 | 8 9 b` for two lists.
    ///
    /// # Errors
    ///
    /// [`RowsError::Text`]: it is not a list of rows.
    pub fn parse(text: &str) -> Result<Self, RowsError> {
        let (lists, black_to_move) = split(text)?;
        let mut rows: [Vec<u32>; 2] = Default::default();
        for (rows, list) in rows.iter_mut().zip(lists.into_iter().flatten()) {
            for word in words(list) {
                rows.push(number(word, word, LISTED)?);
            }
        }
        Ok(Self {
            rows,
            two: lists[1].is_some(),
            black_to_move,
        })
    }

    /// The lists.
    pub fn lists(&self) -> RowLists<'_> {
        lists(&self.rows, self.two)
    }
}

fn lists(rows: &[Vec<u32>; 2], two: bool) -> RowLists<'_> {
    if two { rows.into() } else { (&rows[0]).into() }
}

/// A change as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowsChange {
    /// by list
    added: [Vec<u32>; 2],
    removed: [Vec<u32>; 2],
    /// whether there is a second list
    two: bool,
    /// whether Black is to move afterwards; `None` if the side to move stays
    pub black_to_move: Option<bool>,
}

impl RowsChange {
    /// Whether a text is a change rather than a list: its first row has a sign.
    pub fn is_next(text: &str) -> bool {
        text.trim_start_matches([' ', '\t', '|', ','])
            .starts_with(['+', '-'])
    }

    /// Reads `+5 -17`, or `+5 | -8 b` for two lists.
    ///
    /// # Errors
    ///
    /// [`RowsError::Text`]: it is not a change.
    pub fn parse(text: &str) -> Result<Self, RowsError> {
        let (lists, black_to_move) = split(text)?;
        let mut change = Self {
            two: lists[1].is_some(),
            black_to_move,
            ..Self::default()
        };
        for (index, list) in lists.into_iter().flatten().enumerate() {
            for word in words(list) {
                let (rows, digits) = match (word.strip_prefix('+'), word.strip_prefix('-')) {
                    (Some(digits), _) => (&mut change.added, digits),
                    (_, Some(digits)) => (&mut change.removed, digits),
                    _ => return Err(unexpected(word, CHANGED)),
                };
                rows[index].push(number(digits, word, CHANGED)?);
            }
        }
        Ok(change)
    }

    /// The rows that are added.
    pub fn added(&self) -> RowLists<'_> {
        lists(&self.added, self.two)
    }

    /// The rows that are removed.
    pub fn removed(&self) -> RowLists<'_> {
        lists(&self.removed, self.two)
    }
}

/// The one or two lists of a text, and the side to move if it is said.
fn split(text: &str) -> Result<([Option<&str>; 2], Option<bool>), RowsError> {
    let text = text.trim();
    let last = words(text).last().unwrap_or("");
    let black = match last {
        "w" => Some(false),
        "b" => Some(true),
        _ => None,
    };
    let text = match black {
        Some(_) => &text[..text.rfind(last).unwrap_or(text.len())],
        None => text,
    };
    let mut lists = text.split('|');
    let two = [lists.next(), lists.next()];
    match lists.next() {
        Some(_) => Err(unexpected("|", "at most two lists")),
        None => Ok((two, black)),
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split([' ', '\t', ',', '\r', '\n'])
        .filter(|word| !word.is_empty())
}

/// The number in `digits`, a part of `word`.
fn number(digits: &str, word: &str, expected: &'static str) -> Result<u32, RowsError> {
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.parse() {
        Ok(row) if is_number => Ok(row),
        // A number above 32 bits is a row that no network has.
        Err(_) if is_number => Err(unexpected(word, "a number of 32 bits")),
        _ => Err(unexpected(word, expected)),
    }
}

fn unexpected(word: &str, expected: &'static str) -> RowsError {
    let found: String = word.chars().take(32).collect();
    RowsError::Text {
        expected,
        found: if found.is_empty() {
            "nothing".to_owned()
        } else {
            found
        },
    }
}

/// The text that [`set_text`](RowSets::set_text) reads, rows ascending.
impl fmt::Display for RowSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for list in 0..self.lists() {
            let mut rows = self.list(list).to_vec();
            rows.sort_unstable();
            if list > 0 {
                f.write_str(" |")?;
            }
            for (index, row) in rows.iter().enumerate() {
                let space = if index + list > 0 { " " } else { "" };
                write!(f, "{space}{row}")?;
            }
        }
        if self.black_to_move() {
            f.write_str(" b")?;
        }
        Ok(())
    }
}
