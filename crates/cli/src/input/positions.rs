//! Positions from arguments and files.

use std::path::Path;

use super::{Placement, lines, notation};
use crate::error::Error;

/// Positions of all kinds, one per line; after a tab follows their origin.
const SUITE: &str = include_str!("../../data/suite.fen");

#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// as the user wrote it, or after the user's moves
    pub(crate) fen: String,
    pub(crate) position: Placement,
}

/// The positions of the arguments, then those of a file, one per line. Text after a tab is ignored.
pub(crate) fn positions<'a>(
    fens: &'a [String],
    file: Option<&'a Path>,
) -> Result<Box<dyn Iterator<Item = Result<Given, Error>> + 'a>, Error> {
    let from_arguments = fens
        .iter()
        .map(|fen| given(fen, || format!("position `{}`", fen.escape_default())));
    let Some(path) = file else {
        return Ok(Box::new(from_arguments));
    };
    let from_file = lines(path)?.map(|line| {
        let (place, line) = line?;
        given(before_tab(&line), || place)
    });
    Ok(Box::new(from_arguments.chain(from_file)))
}

pub(crate) fn suite() -> impl Iterator<Item = Given> {
    SUITE
        .lines()
        .map(|line| given(before_tab(line), String::new).expect("the built-in positions are sound"))
}

/// Parses a position; `place` is its origin, for errors.
pub(crate) fn given(text: &str, place: impl FnOnce() -> String) -> Result<Given, Error> {
    let (fen, position) = notation::read(text).map_err(|message| Error::Input {
        place: place(),
        message,
    })?;
    Ok(Given {
        fen: fen.into_owned(),
        position,
    })
}

fn before_tab(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}

/// An evenly spread sample of a list of unknown length: keeps every second element of a longer list, every
/// fourth of a still longer one, and so on.
pub(crate) struct Spread<T> {
    most: usize,
    every: usize,
    seen: usize,
    kept: Vec<T>,
}

impl<T> Spread<T> {
    /// Keeps at most `most` elements.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            most,
            every: 1,
            seen: 0,
            kept: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, element: T) {
        if self.seen.is_multiple_of(self.every) {
            if self.kept.len() == self.most {
                self.thin_out();
            }
            if self.seen.is_multiple_of(self.every) {
                self.kept.push(element);
            }
        }
        self.seen += 1;
    }

    fn thin_out(&mut self) {
        let mut index = 0;
        self.kept.retain(|_| {
            index += 1;
            index % 2 == 1
        });
        self.every *= 2;
    }

    pub(crate) fn into_kept(self) -> Vec<T> {
        self.kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_thinned_out_evenly() {
        let suite: Vec<Placement> = suite().map(|given| given.position).collect();
        for (length, every) in [
            (7, 1),
            (8, 1),
            (9, 2),
            (16, 2),
            (17, 4),
            (100, 16),
            (300, 64),
        ] {
            let mut spread = Spread::new(8);
            suite[..length]
                .iter()
                .for_each(|&position| spread.push(position));
            let expected: Vec<String> = suite[..length]
                .iter()
                .step_by(every)
                .map(|p| format!("{p:?}"))
                .collect();
            let kept: Vec<String> = spread
                .into_kept()
                .iter()
                .map(|p| format!("{p:?}"))
                .collect();
            assert_eq!(kept, expected, "{length}");
        }
    }
}
