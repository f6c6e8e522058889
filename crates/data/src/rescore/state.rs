//! How much of a file is whole: a file beside it.
//!
//! ```text
//!   nnue rescore 1
//!   settings 8c2f..          a digest of everything that the bytes of the output depend on
//!   items 655360             records and damaged places of the inputs that are done
//!   bytes 130417             of the output
//!   written 655360           and the other counts
//!   ..
//!   end
//! ```

use std::path::Path;

use crate::files::output;

use crate::rescore::error::Error;
use crate::rescore::rules::Counts;

const TITLE: &str = "nnue rescore 1";

/// The largest state that is read, in bytes.
const MOST: u64 = 1 << 16;

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) items: u64,
    pub(crate) bytes: u64,
    pub(crate) counts: Counts,
}

impl State {
    /// Reads the state of work with these settings; `None` if there is none.
    pub(crate) fn read(path: &Path, settings: u128) -> Result<Option<Self>, Error> {
        let no_state = |reason| Error::NoState {
            path: path.to_owned(),
            reason,
        };
        match std::fs::metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::read(path, error)),
            Ok(found) if found.len() > MOST => return Err(no_state("it is too large")),
            Ok(_) => {}
        }
        let bytes = std::fs::read(path).map_err(|source| Error::read(path, source))?;
        let text = std::str::from_utf8(&bytes).map_err(|_| no_state("it is no text"))?;
        let (found, state) = Self::parse(text).map_err(no_state)?;
        if found == settings {
            Ok(Some(state))
        } else {
            Err(Error::OtherWork {
                path: path.to_owned(),
            })
        }
    }

    /// The settings and the state, or what is wrong.
    fn parse(text: &str) -> Result<(u128, Self), &'static str> {
        let mut lines = text.split_terminator('\n');
        lines
            .next()
            .filter(|title| *title == TITLE)
            .ok_or("its first line is not `nnue rescore 1`")?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let settings = value("settings").and_then(|hex| u128::from_str_radix(hex, 16).ok());
        let settings = settings.ok_or("its settings are no number")?;
        let mut number = |name: &str| value(name)?.parse().ok();
        let missing = "a count is missing or no number";
        let (items, bytes) = (
            number("items").ok_or(missing)?,
            number("bytes").ok_or(missing)?,
        );
        let mut counts = Counts::default();
        for (name, count) in counts.named() {
            *count = number(name).ok_or(missing)?;
        }
        value("end")
            .filter(|end| end.is_empty())
            .ok_or("it was cut")?;
        Ok((
            settings,
            Self {
                items,
                bytes,
                counts,
            },
        ))
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn write(&self, path: &Path, settings: u128) -> Result<(), Error> {
        let Self {
            items,
            bytes,
            mut counts,
        } = *self;
        let counts: String = counts
            .named()
            .iter()
            .map(|(name, count)| format!("{name} {count}\n"))
            .collect();
        let text = format!(
            "{TITLE}\nsettings {settings:032x}\nitems {items}\nbytes {bytes}\n{counts}end \n"
        );
        output::write(path, text.as_bytes()).map_err(|source| Error::write(path, source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_states_are_told_apart() {
        let counts =
            "written 1\nscored 2\nclipped 3\nskipped 4\nno_score 5\nno_move 6\nrefused 7\n";
        let whole = format!("nnue rescore 1\nsettings ff\nitems 8\nbytes 9\n{counts}end \n");
        let counts = Counts {
            written: 1,
            scored: 2,
            clipped: 3,
            skipped: 4,
            no_score: 5,
            no_move: 6,
            refused: 7,
        };
        assert_eq!(
            State::parse(&whole),
            Ok((
                255,
                State {
                    items: 8,
                    bytes: 9,
                    counts
                }
            ))
        );
        let cases = [
            (
                whole.replace("rescore 1", "rescore 2"),
                "its first line is not `nnue rescore 1`",
            ),
            (whole.replace("ff", "xx"), "its settings are no number"),
            (
                whole.replace("clipped 3\n", ""),
                "a count is missing or no number",
            ),
            (
                whole.replace("items 8", "items -8"),
                "a count is missing or no number",
            ),
            (whole.replace("end \n", ""), "it was cut"),
        ];
        for (wrong, reason) in cases {
            assert_eq!(State::parse(&wrong), Err(reason), "{wrong}");
        }
        for length in 0..whole.len() - 1 {
            assert!(State::parse(&whole[..length]).is_err(), "{length}");
        }
    }
}
