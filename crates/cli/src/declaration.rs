//! Declarations read at run time: `FILE[:NAME]`.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use nnue_codegen::{TextError, dense_text, model_text, plan_text};
use nnue_spec::dense::DenseGraph;
use nnue_spec::model::NetSpec;
use nnue_spec::plan::Plan;

use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_SOURCE};
use crate::input::{is_standard, without_mark};
use crate::system::SystemError;

pub(crate) struct Source {
    /// the file, for messages
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let (name, bytes) = if is_standard(path) {
            (PathBuf::from("standard input"), standard_input()?)
        } else {
            (path.to_owned(), bounded::read(path, MOST_OF_SOURCE)?)
        };
        let text = text_of(bytes)
            .ok_or_else(|| SystemError::read(name.clone(), io::ErrorKind::InvalidData.into()))?;
        Ok(Self {
            name: name.display().to_string(),
            text: without_mark(&text).to_owned(),
        })
    }

    /// Formats the errors of a declaration as a compiler does.
    pub(crate) fn refuse(&self, errors: &[TextError]) -> Error {
        let shown: Vec<String> = errors
            .iter()
            .map(|error| error.shown_in(&self.name, &self.text))
            .collect();
        Error::Declaration(shown.join("\n\n"))
    }
}

/// The text in UTF-8, or in UTF-16 with a byte order mark, as PowerShell's `>` writes it.
fn text_of(bytes: Vec<u8>) -> Option<String> {
    let order: fn([u8; 2]) -> u16 = match bytes.first_chunk() {
        Some([0xFF, 0xFE]) => u16::from_le_bytes,
        Some([0xFE, 0xFF]) => u16::from_be_bytes,
        _ => return String::from_utf8(bytes).ok(),
    };
    let (units, []) = bytes.as_chunks() else {
        return None;
    };
    let units: Vec<u16> = units.iter().map(|&unit| order(unit)).collect();
    String::from_utf16(&units).ok()
}

fn standard_input() -> Result<Vec<u8>, Error> {
    if io::stdin().is_terminal() {
        return Err(Error::Argument(
            "give a declaration on standard input, or name a file that holds one".into(),
        ));
    }
    bounded::contents(io::stdin(), MOST_OF_SOURCE)
        .map_err(|source| SystemError::read("standard input", source).into())
}

/// Checks the value of `--declaration`. One that begins with `-` but is not standard input is a misplaced
/// option.
pub(crate) fn argument(text: &str) -> Result<String, String> {
    let (path, _) = split(text);
    match text.starts_with('-') && !is_standard(&path) {
        true => Err(format!(
            "a file is expected, `-` or `-:NAME` for standard input, or `./{text}` if that is its name"
        )),
        false => Ok(text.to_owned()),
    }
}

/// Reads the declaration `FILE[:NAME]`.
pub(crate) fn read(argument: &str) -> Result<Plan, Error> {
    let (path, name) = split(argument);
    read_from(&Source::read(&path)?, name)
}

/// A declaration of either kind of network.
pub(crate) enum Declaration {
    /// with an accumulator: the plan and its model
    Accumulated(Box<(Plan, NetSpec)>),
    /// over a dense input
    Dense(DenseGraph),
}

/// As [`read`], for networks with an accumulator or over a dense input.
pub(crate) fn read_either(argument: &str) -> Result<Declaration, Error> {
    let (path, name) = split(argument);
    let source = Source::read(&path)?;
    let refuse = |errors: Vec<TextError>| source.refuse(&errors);
    let mut plans = plan_text(&source.text).map_err(refuse)?;
    let mut models = model_text(&source.text).map_err(refuse)?;
    let mut dense = dense_text(&source.text).map_err(refuse)?;
    let names = plans
        .iter()
        .map(|plan| plan.name.as_str())
        .chain(dense.iter().map(|graph| graph.name.as_str()));
    let at = choose(&names.collect::<Vec<_>>(), &source.name, name)?;
    Ok(match at.checked_sub(plans.len()) {
        Some(at) => Declaration::Dense(dense.swap_remove(at)),
        None => Declaration::Accumulated(Box::new((plans.swap_remove(at), models.swap_remove(at)))),
    })
}

fn read_from(source: &Source, name: Option<&str>) -> Result<Plan, Error> {
    let mut plans = plan_text(&source.text).map_err(|errors| source.refuse(&errors))?;
    if plans.is_empty() {
        let message = format!(
            "{}: its networks have dense inputs or are made of subnets, which this command does not read",
            source.name
        );
        return Err(Error::Argument(message));
    }
    let names: Vec<&str> = plans.iter().map(|plan| plan.name.as_str()).collect();
    let at = choose(&names, &source.name, name)?;
    Ok(plans.swap_remove(at))
}

/// The file of `FILE[:NAME]`.
pub(crate) fn path(argument: &str) -> Option<PathBuf> {
    Some(split(argument).0)
}

/// Splits the file from the name. If a file exists whose path contains the colon, the whole argument is its
/// path.
fn split(argument: &str) -> (PathBuf, Option<&str>) {
    let is_name = |text: &str| {
        !text.is_empty()
            && text.chars().all(|c| c == '_' || c.is_alphanumeric())
            && !text.starts_with(char::is_numeric)
    };
    match argument.rsplit_once(':') {
        Some((path, name))
            if is_name(name) && !path.is_empty() && !Path::new(argument).exists() =>
        {
            (path.into(), Some(name))
        }
        _ => (argument.into(), None),
    }
}

/// The index of the named declaration, or of the only one.
fn choose(declared: &[&str], source: &str, name: Option<&str>) -> Result<usize, Error> {
    let names = declared
        .iter()
        .map(|name| format!("`{name}`"))
        .collect::<Vec<_>>()
        .join(", ");
    let Some(name) = name else {
        return match declared {
            [_] => Ok(0),
            [first, ..] => Err(Error::Argument(format!(
                "{source} has {} declarations: write the name of one after the file, as in {source}:{first} (there are {names})",
                declared.len()
            ))),
            [] => Err(Error::Argument(format!("{source} declares no network"))),
        };
    };
    let found: Vec<usize> = (0..declared.len())
        .filter(|&at| declared[at] == name)
        .collect();
    match found[..] {
        [at] => Ok(at),
        [] => Err(Error::Argument(format!(
            "{source} does not declare `{}`; there are {names}",
            name.escape_default()
        ))),
        _ => Err(Error::Argument(format!(
            "{source} declares `{name}` {} times: which one is meant?",
            found.len()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_no_declarations() {
        for right in ["-", "-:Big", "net.rs:Big", "./-x"] {
            assert_eq!(argument(right), Ok(right.to_owned()));
        }
        for wrong in ["--net", "-n", "-:", "-:2"] {
            assert!(
                argument(wrong).is_err_and(|message| message.contains(&format!("`./{wrong}`"))),
                "{wrong}"
            );
        }
    }

    #[test]
    fn names_stand_after_the_last_colon() {
        for (argument, path, name) in [
            ("net.rs", "net.rs", None),
            ("net.rs:Big", "net.rs", Some("Big")),
            ("-:Big_2", "-", Some("Big_2")),
            ("folder:x/net.rs", "folder:x/net.rs", None),
            ("net.rs:", "net.rs:", None),
            ("net.rs:2", "net.rs:2", None),
            (":Big", ":Big", None),
        ] {
            assert_eq!(split(argument), (PathBuf::from(path), name), "{argument}");
        }
    }
}
