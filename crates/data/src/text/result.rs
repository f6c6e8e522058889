//! The results of games, as people write them.

use crate::Outcome;

/// What a word says about the end of a game, for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    Outcome(Outcome),
    /// a number between, such as 0.75
    Between,
}

/// Reads a result: `1-0`, `1/2-1/2`, `0-1`; `1.0`, `0.5`, `0.0` with any number of zeros; `1`, `1/2`, `0`; `w`,
/// `d`, `b` and the words of these letters. Brackets and quotes around it are ignored. `None` if it is none.
pub(super) fn read(text: &str) -> Option<Said> {
    let text = text.trim_matches(['[', ']', '(', ')', '"', '\'', ' ']);
    let outcome = match text.to_ascii_lowercase().as_str() {
        "1-0" | "w" | "white" => Outcome::Win,
        "1/2-1/2" | "1/2" | "d" | "draw" => Outcome::Draw,
        "0-1" | "b" | "black" => Outcome::Loss,
        _ => return of_number(text),
    };
    Some(Said::Outcome(outcome))
}

fn of_number(text: &str) -> Option<Said> {
    if !text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    if !(0.0..=1.0).contains(&number) {
        return None;
    }
    let whole = [Outcome::Loss, Outcome::Draw, Outcome::Win];
    let found = whole.into_iter().find(|outcome| outcome.points() == number);
    Some(found.map_or(Said::Between, Said::Outcome))
}

/// Whether a text is certainly a result, and no score.
pub(super) fn is_certain(text: &str) -> bool {
    read(text).is_some() && text.contains(['.', '/', '-', '[', 'w', 'b', 'd', 'W', 'B', 'D'])
}
