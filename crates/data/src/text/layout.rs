//! The layouts of labelled positions, one a line.
//!
//! ```text
//!   FEN | 31 | 0.5      FEN;31;1/2-1/2      FEN,31,d      FEN<tab>31<tab>0.5      fields
//!   FEN [0.5] 31        FEN [1/2-1/2]                                             brackets
//!   FEN c9 "1/2-1/2";   FEN ce 31; result "1-0";                                  operations of EPD
//!   fen,ply,score,result                                                          names of columns, first line
//! ```

use super::result;

/// The parts of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts<'l> {
    pub(super) fen: &'l str,
    pub(super) score: Option<&'l str>,
    /// whether the score is seen by the side to move, and not by White
    pub(super) by_mover: bool,
    pub(super) outcome: Option<&'l str>,
    /// the first field too many
    pub(super) more: Option<&'l str>,
}

/// Where the columns of a file are, as its first line says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    separator: char,
    fen: usize,
    score: Option<usize>,
    outcome: Option<usize>,
}

const SEPARATORS: [char; 4] = ['|', ';', ',', '\t'];

impl Columns {
    /// The columns that a first line names; `None` if it names none.
    pub(super) fn named(line: &str) -> Option<Self> {
        let separator = line.chars().find(|c| SEPARATORS.contains(c))?;
        let names: Vec<String> = fields(line, separator)
            .map(str::to_ascii_lowercase)
            .collect();
        let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
        Some(Self {
            separator,
            fen: find(&["fen", "position", "epd"])?,
            score: find(&["score", "eval", "evaluation", "cp", "centipawns"]),
            outcome: find(&["result", "outcome", "wdl", "game_result"]),
        })
    }

    pub(super) fn parts<'l>(&self, line: &'l str) -> Parts<'l> {
        let all: Vec<&str> = fields(line, self.separator).collect();
        let field = |at: usize| all.get(at).copied();
        Parts {
            fen: field(self.fen).unwrap_or_default(),
            score: self.score.and_then(field).filter(|text| !text.is_empty()),
            outcome: self.outcome.and_then(field),
            ..Parts::default()
        }
    }
}

/// Divides a line of any layout.
pub(super) fn parts(line: &str) -> Parts<'_> {
    let separated = line
        .char_indices()
        .find(|(_, c)| SEPARATORS.contains(c))
        .filter(|&(at, c)| c == '|' || is_fen(unquoted(&line[..at])));
    if let Some((_, separator)) = separated {
        return of_fields(fields(line, separator));
    }
    let (fen, rest) = line.split_at(fen_end(line));
    match rest.trim().strip_prefix('[') {
        Some(rest) => of_brackets(fen, rest),
        None => of_operations(fen, rest),
    }
}

fn fields(line: &str, separator: char) -> impl Iterator<Item = &str> {
    let line = line.trim_end_matches([separator, ' ']);
    line.split(separator).map(unquoted)
}

fn unquoted(field: &str) -> &str {
    field.trim().trim_matches('"')
}

/// FEN, score and outcome. An outcome that no score looks like, such as `1-0`, may come before the score.
fn of_fields<'l>(mut fields: impl Iterator<Item = &'l str>) -> Parts<'l> {
    let fen = fields.next().unwrap_or_default();
    let (first, second, more) = (fields.next(), fields.next(), fields.next());
    let (score, outcome) = match (first, second) {
        (Some(word), other) if result::is_certain(word) => (other, first),
        both => both,
    };
    Parts {
        fen,
        score,
        outcome,
        more,
        by_mover: false,
    }
}

fn of_brackets<'l>(fen: &'l str, rest: &'l str) -> Parts<'l> {
    let (outcome, score) = rest.split_once(']').unwrap_or((rest, ""));
    let score = score.trim();
    Parts {
        fen,
        score: (!score.is_empty()).then_some(score),
        outcome: Some(outcome),
        ..Parts::default()
    }
}

/// The outcome is the first operand, or the only word, that is one; `ce` is an evaluation by the side to move.
fn of_operations<'l>(fen: &'l str, rest: &'l str) -> Parts<'l> {
    let operations = || {
        rest.split(';').map(|operation| {
            let operation = operation.trim();
            operation.split_once(' ').unwrap_or(("", operation))
        })
    };
    let operand = |(_, operand): (&str, &'l str)| unquoted(operand);
    Parts {
        fen,
        score: operations().find(|&(code, _)| code == "ce").map(operand),
        by_mover: true,
        outcome: operations()
            .map(operand)
            .find(|&word| result::is_certain(word)),
        more: None,
    }
}

/// Whether a text is as long as the FEN with which it begins.
fn is_fen(text: &str) -> bool {
    text.split_ascii_whitespace().count() >= 4 && text[fen_end(text)..].trim().is_empty()
}

/// The end of the FEN with which a text begins: four words, and up to two numbers.
fn fen_end(text: &str) -> usize {
    let mut end = 0;
    for index in 0..6 {
        let from = end + text[end..].len() - text[end..].trim_start().len();
        let length = text[from..]
            .find(char::is_whitespace)
            .unwrap_or(text.len() - from);
        let word = &text[from..from + length];
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if index >= 4 && !is_number {
            break;
        }
        end = from + length;
    }
    end
}
