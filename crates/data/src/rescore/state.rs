//! The state: a file beside the output that says how much of it is complete.
//!
//! ```text
//!   nnue rescore 2
//!   settings 8c2f..          a digest of everything that the bytes of the output depend on, but for the inputs
//!   input 68112 5ad0..       the length and the digest of each; `input -` where it is no file
//!   part 5ad0..              a digest of the bytes of the output
//!   items 655360             records and damaged places of the inputs that are done
//!   bytes 130417             of the output
//!   written 655360           and the other counts
//!   ..
//!   end
//! ```

use std::path::Path;

use crate::files::bounded;
use crate::files::{Digest, output};

use crate::rescore::error::Error;
use crate::rescore::job::Job;
use crate::rescore::rules::Counts;

const TITLE: &str = "nnue rescore 2";

/// The largest accepted state, in bytes.
const MOST: u64 = 1 << 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) items: u64,
    pub(crate) bytes: u64,
    /// a digest of the bytes of the output
    pub(crate) part: u64,
    pub(crate) counts: Counts,
}

/// The identity of work. Only work with the same identity is resumed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Identity {
    /// a digest of everything that the bytes of the output depend on, except the contents of the inputs
    pub(crate) settings: u128,
    /// of each input; `None` if it is not a file
    pub(crate) inputs: Vec<Option<Digest>>,
}

impl Identity {
    /// Refuses `found`, the identity with which work was begun, if it differs.
    fn check(&self, found: &Self, path: &Path, job: &Job) -> Result<(), Error> {
        if found.settings != self.settings || found.inputs.len() != self.inputs.len() {
            return Err(Error::OtherWork {
                path: path.to_owned(),
            });
        }
        let digests = self.inputs.iter().zip(&found.inputs);
        let changed = job
            .inputs
            .iter()
            .zip(digests)
            .find(|(_, (now, then))| now != then)
            .filter(|_| !job.changed_data);
        changed.map_or(Ok(()), |(input, _)| {
            Err(Error::InputChanged {
                path: input.path.clone(),
                state: path.to_owned(),
            })
        })
    }
}

impl State {
    /// Reads the state of this work; `None` if there is none.
    pub(crate) fn read(path: &Path, identity: &Identity, job: &Job) -> Result<Option<Self>, Error> {
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
        let bytes = bounded::read(path, MOST)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| no_state("it is no text"))?;
        let (found, state) = Self::parse(text).map_err(no_state)?;
        identity.check(&found, path, job)?;
        Ok(Some(state))
    }

    /// Parses a state, or says what is wrong with it.
    fn parse(text: &str) -> Result<(Identity, Self), &'static str> {
        let mut lines = text.split_terminator('\n').peekable();
        lines
            .next()
            .filter(|title| *title == TITLE)
            .ok_or("its first line is not `nnue rescore 2`")?;
        let settings = lines.next().and_then(|line| line.strip_prefix("settings "));
        let settings = settings.and_then(|hex| u128::from_str_radix(hex, 16).ok());
        let settings = settings.ok_or("its settings are no number")?;
        let mut inputs = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with("input ")) {
            inputs.push(input_of(line).ok_or("an input has no digest")?);
        }
        let mut value = |name: &str| lines.next()?.strip_prefix(name)?.strip_prefix(' ');
        let part = value("part").and_then(|hex| u64::from_str_radix(hex, 16).ok());
        let part = part.ok_or("the digest of its part is no number")?;
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
            Identity { settings, inputs },
            Self {
                items,
                bytes,
                part,
                counts,
            },
        ))
    }

    /// Writes the state atomically.
    pub(crate) fn write(&self, path: &Path, identity: &Identity) -> Result<(), Error> {
        let Self {
            items,
            bytes,
            part,
            mut counts,
        } = *self;
        let settings = identity.settings;
        let inputs: String = identity.inputs.iter().map(line_of).collect();
        let counts: String = counts
            .named()
            .iter()
            .map(|(name, count)| format!("{name} {count}\n"))
            .collect();
        let text = format!(
            "{TITLE}\nsettings {settings:032x}\n{inputs}part {part:016x}\nitems {items}\nbytes {bytes}\n{counts}end \n"
        );
        output::write(path, text.as_bytes()).map_err(|source| Error::write(path, source))
    }
}

fn line_of(digest: &Option<Digest>) -> String {
    match digest {
        Some(Digest { length, sum }) => format!("input {length} {sum:016x}\n"),
        None => "input -\n".into(),
    }
}

fn input_of(line: &str) -> Option<Option<Digest>> {
    let text = line.strip_prefix("input ")?;
    if text == "-" {
        return Some(None);
    }
    let (length, sum) = text.split_once(' ')?;
    Some(Some(Digest {
        length: length.parse().ok()?,
        sum: u64::from_str_radix(sum, 16).ok()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_states_are_told_apart() {
        let counts =
            "written 1\nscored 2\nclipped 3\nskipped 4\nno_score 5\nno_move 6\nrefused 7\n";
        let whole = format!(
            "nnue rescore 2\nsettings ff\ninput 6 a\ninput -\npart 7\nitems 8\nbytes 9\n{counts}end \n"
        );
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
                Identity {
                    settings: 255,
                    inputs: vec![Some(Digest { length: 6, sum: 10 }), None],
                },
                State {
                    items: 8,
                    bytes: 9,
                    part: 7,
                    counts
                }
            ))
        );
        let cases = [
            (
                whole.replace("rescore 2", "rescore 1"),
                "its first line is not `nnue rescore 2`",
            ),
            (whole.replace("ff", "xx"), "its settings are no number"),
            (
                whole.replace("input 6 a", "input 6"),
                "an input has no digest",
            ),
            (
                whole.replace("part 7\n", ""),
                "the digest of its part is no number",
            ),
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
