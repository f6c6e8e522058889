//! How many files of the product name one operation, set or form: each is defined in few places, and a change that
//! spreads it over more is refused.

use std::path::{Path, PathBuf};

use crate::repo::{self, Failure, Outcome};

/// Something of which there are several, by one of its kind.
struct Station {
    what: &'static str,
    /// a text of Rust that names it
    names: &'static [&'static str],
    /// the most files that may name it
    most: usize,
    /// the number that we want
    aim: usize,
}

const STATIONS: [Station; 5] = [
    Station {
        what: "an elementwise operation, `floor(x)`",
        names: &["Scalar::Floor", "Arithmetic::Floor", "Self::Floor"],
        // the language and the definition
        most: 2,
        aim: 2,
    },
    Station {
        what: "an activation, `hard_swish`",
        names: &["HardSwish"],
        most: 13,
        aim: 2,
    },
    Station {
        what: "a feature set, `HalfKAv2_hm`",
        names: &["HalfKaV2Hm"],
        most: 3,
        aim: 3,
    },
    Station {
        what: "a form of a layer, `BlockSparse`",
        names: &["BlockSparse"],
        most: 29,
        aim: 8,
    },
    Station {
        what: "an operator of ONNX, `LeakyRelu`",
        names: &["LeakyRelu"],
        most: 11,
        aim: 3,
    },
];

/// Prints the files of each station, or their numbers; fails if one has more than before.
pub(crate) fn run(args: &[String]) -> Outcome {
    let files = product()?;
    let mut grown = Vec::new();
    for station in &STATIONS {
        let found: Vec<&PathBuf> = files
            .iter()
            .filter(|(_, text)| station.names.iter().any(|name| has_word(text, name)))
            .map(|(path, _)| path)
            .collect();
        let Station {
            what, most, aim, ..
        } = station;
        println!("{what}: {} files, at most {most}, aim {aim}", found.len());
        if args.iter().any(|arg| arg == "--files") {
            found
                .iter()
                .for_each(|path| println!("  {}", path.display()));
        }
        if found.len() > *most {
            grown.push(format!("{what}: {} files, at most {most}", found.len()));
        }
    }
    match grown.is_empty() {
        true => Ok(()),
        false => Err(Failure::new(format!(
            "{}\n`cargo xtask stations --files` lists them; define it in fewer places",
            grown.join("\n")
        ))),
    }
}

/// Whether a text names it, and not something longer.
fn has_word(text: &str, name: &str) -> bool {
    let is_part =
        |after: &str| after.starts_with(|next: char| next.is_alphanumeric() || next == '_');
    text.match_indices(name)
        .any(|(at, _)| !is_part(&text[at + name.len()..]))
}

/// The sources of the published crates and commands, without their tests.
fn product() -> Outcome<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    for folder in ["src", "nnue-macros", "nnue-runtime", "crates"] {
        collect(&repo::root().join(folder), &mut files)?;
    }
    files.sort();
    Ok(files)
}

const OTHERS: [&str; 7] = [
    "target",
    "tests",
    "tests.rs",
    "testing",
    "testing.rs",
    "examples",
    "testkit",
];

fn collect(folder: &Path, files: &mut Vec<(PathBuf, String)>) -> Outcome {
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(failure)?.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if OTHERS.iter().any(|other| name == *other) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = repo::read(&path)?;
            let shown = path.strip_prefix(repo::root()).unwrap_or(&path);
            files.push((shown.to_owned(), text));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::has_word;

    #[test]
    fn longer_names_are_others() {
        assert!(has_word("match x { Known::Swish => 1 }", "Swish"));
        assert!(!has_word("Known::SwishGate", "Swish"));
    }
}
