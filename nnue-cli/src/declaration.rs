//! Declarations that are read when the command runs: `FILE[:NAME]`.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use nnue_codegen::{TextError, plan_text};
use nnue_spec::plan::Plan;

use crate::error::Error;

/// A text with declarations, and what to call it.
pub(crate) struct Source {
    /// the file in words
    pub(crate) name: String,
    /// its contents
    pub(crate) text: String,
}

impl Source {
    /// Reads a file, or standard input for `-`.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let failed = |path: &Path, source| Error::File { path: path.to_owned(), source };
        if path.as_os_str() != "-" {
            let text = fs::read_to_string(path).map_err(|error| failed(path, error))?;
            return Ok(Self { name: path.display().to_string(), text });
        }
        if io::stdin().is_terminal() {
            return Err(Error::Argument("give a declaration on standard input, or name a file that holds one".into()));
        }
        let (name, mut text) = ("standard input".to_owned(), String::new());
        io::stdin().read_to_string(&mut text).map_err(|error| failed(Path::new(&name), error))?;
        Ok(Self { name, text })
    }

    /// The errors of a declaration in this text, as a compiler shows them.
    pub(crate) fn refuse(&self, errors: &[TextError]) -> Error {
        let shown: Vec<String> = errors.iter().map(|error| error.shown_in(&self.name, &self.text)).collect();
        Error::Declaration(shown.join("\n\n"))
    }
}

/// Reads the declaration that `argument`, `FILE[:NAME]`, names.
pub(crate) fn read(argument: &str) -> Result<Plan, Error> {
    let (path, name) = split(argument);
    let source = Source::read(&path)?;
    let plans = plan_text(&source.text).map_err(|errors| source.refuse(&errors))?;
    choose(plans, &source.name, name)
}

/// The file and the name behind it. A path with a colon that is a file is no file with a name.
fn split(argument: &str) -> (PathBuf, Option<&str>) {
    let is_name = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c == '_' || c.is_alphanumeric()) && !text.starts_with(char::is_numeric)
    };
    match argument.rsplit_once(':') {
        Some((path, name)) if is_name(name) && !path.is_empty() && !Path::new(argument).exists() => {
            (path.into(), Some(name))
        }
        _ => (argument.into(), None),
    }
}

fn choose(mut plans: Vec<Plan>, source: &str, name: Option<&str>) -> Result<Plan, Error> {
    let names = plans.iter().map(|plan| format!("`{}`", plan.name)).collect::<Vec<_>>().join(", ");
    let Some(name) = name else {
        return match plans.len() {
            1 => Ok(plans.remove(0)),
            count => Err(Error::Argument(format!(
                "{source} has {count} declarations: write the name of one behind the file, as in {source}:{} (there are {names})",
                plans[0].name
            ))),
        };
    };
    let at = plans.iter().position(|plan| plan.name == name);
    at.map(|at| plans.remove(at)).ok_or_else(|| {
        Error::Argument(format!("{source} does not declare `{}`; there are {names}", name.escape_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_behind_the_last_colon() {
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
