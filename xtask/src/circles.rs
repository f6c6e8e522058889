//! Checks that the files of a crate have no circular dependencies, directly or through a `pub use`.
//!
//! ```text
//!   use super::{Color, Piece};     board/mod.rs says `pub use piece::{Color, Piece}`:     position.rs ──► piece.rs
//! ```
//!
//! Files are read as words; macros are not expanded. That suffices for `use` and for paths that begin with
//! `crate` or `super`. Tests are ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::repo::{self, Failure, Outcome};

const CRATES: &[&str] = &[
    "crates/spec",
    "crates/files",
    "crates/codegen",
    "nnue-runtime",
    "crates/cli",
    "crates/tools",
    "crates/data",
    "crates/backend",
    "crates/train",
    "crates/import",
    "crates/python",
    "crates/datafusion",
];

/// Modules whose files may depend on each other, with the reason. The list may only shrink.
const UNITS: &[(&str, &[&str])] = &[
    // `levels!` in `level` names the token of every level, and each token names its level.
    ("nnue-runtime", &["simd"]),
];

/// The path of a module or item from the crate root.
type Names = Vec<String>;

/// The paths in a file.
#[derive(Default)]
struct File {
    uses: BTreeSet<Names>,
    exports: Vec<Names>,
}

pub(crate) fn run(_: &[String]) -> Outcome {
    let mut circles = Vec::new();
    let mut count = 0;
    for name in CRATES {
        let mut files = BTreeMap::new();
        read_folder(
            &repo::root().join(name).join("src"),
            &Names::new(),
            &mut files,
        )?;
        count += files.len();
        circles.extend(
            remaining(dependencies(name, &files))
                .into_iter()
                .map(|line| format!("{name}: {line}")),
        );
    }
    if !circles.is_empty() {
        return Err(Failure::new(format!(
            "files that lead back to themselves:\n  {}",
            circles.join("\n  ")
        )));
    }
    println!("{count} files, no circle");
    Ok(())
}

/// Reads the modules of a folder, except tests.
fn read_folder(folder: &Path, module: &Names, files: &mut BTreeMap<Names, File>) -> Outcome {
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    for entry in std::fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        let stem = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if ["tests", "testing", "test_support"].contains(&stem.as_str()) {
            continue;
        }
        let mut inner = module.clone();
        if !["mod", "lib", "main"].contains(&stem.as_str()) {
            inner.push(stem);
        }
        if path.is_dir() {
            read_folder(&path, &inner, files)?;
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let file = parse(&repo::read(&path)?, &inner);
            let known = files.entry(inner).or_default();
            known.uses.extend(file.uses);
            known.exports.extend(file.exports);
        }
    }
    Ok(())
}

fn parse(text: &str, module: &Names) -> File {
    let words = words(
        text.split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default(),
    );
    let mut file = File::default();
    let mut at = 0;
    while at < words.len() {
        let test = at >= 5
            && words[at - 5..at - 1]
                .iter()
                .map(String::as_str)
                .eq(["cfg", "(", "test", ")"]);
        if words[at] == "use" {
            let public = at > 0 && (words[at - 1] == "pub" || words[at - 1] == ")");
            let mut found = Vec::new();
            at = tree(&words, at + 1, &Names::new(), &mut found);
            let paths = found.into_iter().filter_map(|path| absolute(&path, module));
            match (public, test) {
                (true, _) => file.exports.extend(paths),
                (false, _) => file.uses.extend(paths),
            }
        } else if ["crate", "super"].contains(&words[at].as_str())
            && words.get(at + 1).is_some_and(|word| word == "::")
        {
            let mut found = Vec::new();
            at = tree(&words, at, &Names::new(), &mut found);
            file.uses
                .extend(found.into_iter().filter_map(|path| absolute(&path, module)));
        } else {
            at += 1;
        }
    }
    file
}

/// Splits a text into names, `::` and single characters, without comments.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::<String>::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or_default();
        let mut open = false; // whether the last word may continue
        for letter in line.chars() {
            let is_name = letter.is_alphanumeric() || letter == '_';
            let joins = match words.last() {
                Some(last) if is_name => {
                    open && last.chars().all(|c| c.is_alphanumeric() || c == '_')
                }
                Some(last) => open && letter == ':' && last == ":",
                None => false,
            };
            match words.last_mut() {
                Some(last) if joins => last.push(letter),
                _ if !letter.is_whitespace() => words.push(letter.to_string()),
                _ => {}
            }
            open = !letter.is_whitespace();
        }
    }
    words
}

/// Reads a path or a tree of paths at `at`; returns the index after it.
fn tree(words: &[String], mut at: usize, before: &Names, found: &mut Vec<Names>) -> usize {
    let mut path = before.clone();
    while let Some(word) = words.get(at) {
        match word.as_str() {
            "{" => {
                at += 1;
                while words.get(at).is_some_and(|word| word != "}") {
                    at = if words[at] == "," {
                        at + 1
                    } else {
                        tree(words, at, &path, found).max(at + 1)
                    };
                }
                return at + 1;
            }
            "::" => at += 1,
            name if name == "*" || name.starts_with(|c: char| c.is_alphabetic() || c == '_') => {
                path.push(name.to_owned());
                at += 1;
                if words.get(at).is_none_or(|next| next != "::") {
                    break;
                }
            }
            _ => break,
        }
    }
    if words.get(at).is_some_and(|word| word == "as") {
        at += 2;
    }
    found.push(path);
    at
}

/// The path from the crate root; `None` for other crates.
fn absolute(path: &Names, module: &Names) -> Option<Names> {
    let (first, rest) = path.split_first()?;
    let mut base = module.clone();
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([&base[..], rest].concat()),
        "super" => {
            base.pop()?;
            let ups = rest.iter().take_while(|name| *name == "super").count();
            base.truncate(base.len().checked_sub(ups)?);
            Some([&base[..], &rest[ups..]].concat())
        }
        _ => Some([&base[..], path].concat()), // a submodule, or another crate, which resolves to nothing
    }
}

fn dependencies(krate: &str, files: &BTreeMap<Names, File>) -> BTreeMap<Names, BTreeSet<Names>> {
    let unit = |module: &Names| {
        let first = module.first()?;
        UNITS
            .iter()
            .position(|(name, modules)| *name == krate && modules.contains(&first.as_str()))
    };
    let of = |(module, file): (&Names, &File)| {
        let targets = file.uses.iter().filter_map(|path| resolve(files, path, 0));
        let foreign = |target: &Names| {
            target != module && (unit(target).is_none() || unit(target) != unit(module))
        };
        (module.clone(), targets.filter(foreign).collect())
    };
    files.iter().map(of).collect()
}

/// The file that defines an item; follows re-exports.
fn resolve(files: &BTreeMap<Names, File>, path: &Names, depth: usize) -> Option<Names> {
    let known = (0..=path.len())
        .rev()
        .find(|&len| files.contains_key(&path[..len]))?;
    let (module, rest) = (path[..known].to_vec(), &path[known..]);
    let Some(item) = rest.first() else {
        return Some(module);
    };
    let exports = files[&module]
        .exports
        .iter()
        .filter(|export| export.last() == Some(item) && **export != *path);
    let followed = exports.filter(|_| depth < 8).find_map(|export| {
        let whole = [&export[..], &rest[1..]].concat();
        resolve(files, &whole, depth + 1).filter(|found| !found.is_empty())
    });
    // A name of another crate resolves to the root or to the module that mentions it: no dependency.
    followed.or(Some(module))
}

/// The files in circles, with the files that they use: repeatedly removes files that use none or that none
/// uses.
fn remaining(mut uses: BTreeMap<Names, BTreeSet<Names>>) -> Vec<String> {
    loop {
        let is_free = |(module, targets): (&Names, &BTreeSet<Names>)| {
            let leads_on = targets.iter().any(|target| uses.contains_key(target));
            let is_used = uses.values().any(|others| others.contains(module));
            (!leads_on || !is_used).then(|| module.clone())
        };
        let free: Vec<Names> = uses.iter().filter_map(is_free).collect();
        if free.is_empty() {
            break;
        }
        free.iter().for_each(|module| drop(uses.remove(module)));
    }
    let show = |module: &Names| {
        if module.is_empty() {
            "lib".to_owned()
        } else {
            module.join("/")
        }
    };
    let line = |(module, targets): (&Names, &BTreeSet<Names>)| {
        let targets: Vec<String> = targets
            .iter()
            .filter(|target| uses.contains_key(*target))
            .map(show)
            .collect();
        format!("{} uses {}", show(module), targets.join(", "))
    };
    uses.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(texts: &[(&str, &str)]) -> Vec<String> {
        let names = |module: &str| {
            module
                .split('/')
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect::<Names>()
        };
        let files = texts
            .iter()
            .map(|(module, text)| (names(module), parse(text, &names(module))))
            .collect();
        remaining(dependencies("nnue-runtime", &files))
    }

    #[test]
    fn a_circle_through_a_re_export_is_found() {
        let found = circles(&[
            (
                "board",
                "mod piece;\nmod square;\npub use piece::Piece;\npub(crate) use square::{Square, at};",
            ),
            ("board/piece", "use super::Square;\nuse core::fmt;"),
            (
                "board/square",
                "// use nothing::Here;\nfn at(piece: super::Piece) {}",
            ),
            ("network", "use crate::board::{Piece, Square};"),
        ]);
        assert_eq!(
            found,
            [
                "board/piece uses board/square",
                "board/square uses board/piece"
            ]
        );
    }

    #[test]
    fn what_only_tests_use_does_not_count() {
        let found = circles(&[
            ("line", "use crate::stack::Stack;"),
            (
                "stack",
                "pub struct Stack;\n#[cfg(test)]\nmod tests {\n    use crate::line::Line;\n}\n",
            ),
        ]);
        assert_eq!(found, [""; 0]);
    }
}
