//! Stores how much of a file is complete, in a text file beside it.
//!
//! ```text
//!   nnue-train generate 1
//!   settings 8c2f..          a sum of everything that games and their bytes depend on
//!   games 640
//!   positions 51234
//!   bytes 130417
//! ```

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::system::SystemError;
use nnue_data::files::{bounded, output};

use crate::error::Error;

const MOST: u64 = 1 << 16;

const TITLE: &str = "nnue-train generate 1";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) games: u64,
    pub(super) positions: u64,
    pub(super) bytes: u64,
}

pub(super) fn path_of(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

impl State {
    /// Reads the state of a file with the same settings; `None` if there is none.
    pub(super) fn read(file: &Path, settings: u64) -> Result<Option<Self>, Error> {
        let path = path_of(file);
        if fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
            return Ok(None);
        }
        let text = bounded::read_text(&path, MOST).map_err(SystemError::from)?;
        let Some((found, state)) = Self::parse(&text) else {
            return Err(Error::Argument(format!(
                "{} is not a state file of `nnue data generate`",
                path.display()
            )));
        };
        if found != settings {
            let message = "belongs to a run with another network, other rules or another seed: name another --output";
            return Err(Error::Argument(format!("{} {message}", file.display())));
        }
        Ok(Some(state))
    }

    fn parse(text: &str) -> Option<(u64, Self)> {
        let mut lines = text.lines();
        lines.next().filter(|title| *title == TITLE)?;
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let settings = u64::from_str_radix(value("settings")?, 16).ok()?;
        let mut number = |name| value(name)?.parse().ok();
        Some((
            settings,
            Self {
                games: number("games")?,
                positions: number("positions")?,
                bytes: number("bytes")?,
            },
        ))
    }

    pub(super) fn write(&self, file: &Path, settings: u64) -> Result<(), Error> {
        let Self {
            games,
            positions,
            bytes,
        } = self;
        let text = format!(
            "{TITLE}\nsettings {settings:016x}\ngames {games}\npositions {positions}\nbytes {bytes}\n"
        );
        let path = path_of(file);
        output::write(&path, text.as_bytes())
            .map_err(|source| SystemError::write(path, source).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_they_were_written() {
        let text = "nnue-train generate 1\nsettings 00000000000000ff\ngames 64\npositions 5000\nbytes 12345\n";
        assert_eq!(
            State::parse(text),
            Some((
                255,
                State {
                    games: 64,
                    positions: 5000,
                    bytes: 12345
                }
            ))
        );
        for wrong in [
            text.replace("generate 1", "generate 2"),
            text.replace("64", "x"),
            text[..60].to_owned(),
        ] {
            assert_eq!(State::parse(&wrong), None, "{wrong}");
        }
    }
}
