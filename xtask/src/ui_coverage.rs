//! Checks that every diagnostic of a declaration has a test: `tests/ui/<theme>/<slug>.rs` and its `.stderr`.

use std::collections::BTreeSet;
use std::path::Path;

use nnue_spec::diagnostic::Code;

use crate::repo::{self, Failure, Outcome};

pub(crate) fn run(_: &[String]) -> Outcome {
    let mut tested = BTreeSet::new();
    for theme in entries(&repo::root().join("tests/ui"))? {
        if theme.is_dir() {
            for file in entries(&theme)? {
                if file.extension().is_some_and(|kind| kind == "rs")
                    && file.with_extension("stderr").exists()
                {
                    tested.extend(
                        file.file_stem()
                            .map(|stem| stem.to_string_lossy().into_owned()),
                    );
                }
            }
        }
    }
    let missing: Vec<&str> = Code::ALL
        .iter()
        .map(|code| code.slug())
        .filter(|slug| !tested.contains(*slug))
        .collect();
    if !missing.is_empty() {
        return Err(Failure::new(format!(
            "no tests/ui/<theme>/<slug>.rs with .stderr for: {}",
            missing.join(", ")
        )));
    }
    println!("{} codes, {} tests", Code::ALL.len(), tested.len());
    Ok(())
}

fn entries(folder: &Path) -> Outcome<Vec<std::path::PathBuf>> {
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(failure)?;
    entries
        .map(|entry| entry.map(|entry| entry.path()).map_err(failure))
        .collect()
}
