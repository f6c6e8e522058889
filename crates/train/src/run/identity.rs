//! Checks that a resumed run is the one that was started: its data, and the keys of its file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nnue_data::files::Digest;
use nnue_data::files::FileError;

use toml::de::{DeTable, DeValue};

use crate::run::checkpoint::{self, Checkpoint};
use crate::run::table::Source;
use crate::run::{Error, Observer};

/// The files of a run and their digests.
pub(crate) struct DataFiles {
    paths: Vec<PathBuf>,
    digests: Vec<Option<Digest>>,
}

impl DataFiles {
    pub(crate) fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = paths.map(Path::to_owned).collect();
        let digest =
            |path: &PathBuf| Digest::of_path(path).map_err(|source| FileError::read(path, source));
        let digests = paths.iter().map(digest).collect::<Result<_, _>>()?;
        Ok(Self { paths, digests })
    }

    /// Adds data that are no file.
    pub(crate) fn with_memory(mut self, digest: Option<Digest>) -> Self {
        if let Some(digest) = digest {
            self.paths.push(PathBuf::from("the data in memory"));
            self.digests.push(Some(digest));
        }
        self
    }

    pub(crate) fn digests(&self) -> Vec<Option<Digest>> {
        self.digests.clone()
    }

    /// An error if the data have changed, unless that is allowed. Files that were added since are not
    /// compared.
    pub(crate) fn check(
        &self,
        begun: &[Option<Digest>],
        may_change: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let pairs = self.digests.iter().zip(begun);
        let changed = self.paths.iter().zip(pairs);
        for (path, _) in changed.filter(|(_, (now, then))| now != then) {
            if !may_change {
                return Err(Error::DataChanged { path: path.clone() });
            }
            observer.note(format_args!(
                "{} has changed since the checkpoint: the rest of the run is trained on other data",
                path.display()
            ));
        }
        Ok(())
    }
}

/// What a key of a run's file has to do with the network that the run gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The network depends on it: a resumed run notes that it has changed.
    Network,
    /// The network does not depend on it.
    Nothing,
}

/// The keys of a run's file, and what each has to do with the network. A row stands for all keys in its table as well. The contents of files of
/// data are compared apart from their names.
pub const KEYS: &[(&str, Role)] = &[
    ("output", Role::Nothing),
    ("seed", Role::Network),
    // sums are made by threads, and have other last bits
    ("threads", Role::Network),
    ("device", Role::Nothing),
    ("batch", Role::Network),
    ("batches", Role::Network),
    ("superbatches", Role::Network),
    ("checkpoint_minutes", Role::Nothing),
    ("optimize", Role::Network),
    ("rate", Role::Network),
    ("network", Role::Network),
    ("factors", Role::Network),
    ("data.files", Role::Network),
    ("data.shuffle", Role::Network),
    // batches are the same for any number of threads
    ("data.threads", Role::Nothing),
    ("data.weight_by_pieces", Role::Network),
    ("data.filter", Role::Network),
    ("data.divide", Role::Network),
    ("data.shift", Role::Network),
    ("validation", Role::Network),
    ("loss", Role::Network),
    ("policy", Role::Network),
    ("optimizer", Role::Network),
    ("average", Role::Network),
];

/// The role of a key, by its row or by that of the table that it is in.
fn role(key: &str) -> Option<Role> {
    let is_in = |table: &str| {
        key.strip_prefix(table)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let found = KEYS.iter().find(|(row, _)| is_in(row));
    found.map(|&(_, role)| role)
}

/// Notes what has changed since a run was begun, if the network depends on it.
pub(crate) fn note_changes(
    begun: &Checkpoint,
    source: &Source,
    declaration: &str,
    observer: &mut dyn Observer,
) {
    if let Some(change) = change((&begun.run, &begun.declaration), source, declaration) {
        observer.note(format_args!(
            "{change}: the network will match neither configuration"
        ));
    }
}

/// Why a checkpoint with other tensors is refused: `message`, and what has changed.
pub(crate) fn refusal(
    message: String,
    checkpoint: &[u8],
    source: &Source,
    declaration: &str,
) -> String {
    let change = checkpoint::texts(checkpoint)
        .and_then(|(run, begun)| change((&run, &begun), source, declaration));
    match change {
        Some(change) => format!("{message}; {change}"),
        None => message,
    }
}

/// Says what has changed since a run and its declaration were `begun`, if the network depends on it.
fn change(begun: (&str, &str), source: &Source, declaration: &str) -> Option<String> {
    let what = match changed_key(begun.0, &source.text) {
        Some(key) => format!("`{key}` in {}", source.name),
        None if begun.1 != declaration => format!("the declaration of {}", source.name),
        None => return None,
    };
    Some(format!("{what} has changed since the checkpoint"))
}

/// The first key on which the network depends that has another value in another text of the run.
fn changed_key(begun: &str, now: &str) -> Option<String> {
    let (begun, now) = (values(begun), values(now));
    let keys: BTreeSet<&String> = begun.keys().chain(now.keys()).collect();
    keys.into_iter()
        .find(|key| begun.get(*key) != now.get(*key) && role(key) != Some(Role::Nothing))
        .cloned()
}

/// The values of all keys. A text that does not parse has none.
fn values(text: &str) -> BTreeMap<String, String> {
    let mut values = BTreeMap::new();
    if let Ok(table) = DeTable::parse(text) {
        flatten("", table.get_ref(), &mut values);
    }
    values
}

fn flatten(name: &str, table: &DeTable<'_>, values: &mut BTreeMap<String, String>) {
    for (key, value) in table {
        let path = match name {
            "" => key.get_ref().to_string(),
            _ => format!("{name}.{}", key.get_ref()),
        };
        match value.get_ref() {
            DeValue::Table(table) => flatten(&path, table, values),
            value => drop(values.insert(path, plain(value))),
        }
    }
}

/// A value as text, without its place in the file.
fn plain(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("{text:?}"),
        DeValue::Integer(number) => format!("{} {}", number.radix(), number.as_str()),
        DeValue::Float(number) => number.as_str().to_owned(),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(time) => time.to_string(),
        DeValue::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| plain(item.get_ref())).collect();
            format!("[{}]", items.join(", "))
        }
        DeValue::Table(table) => {
            let mut values = BTreeMap::new();
            flatten("", table, &mut values);
            format!("{values:?}")
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::run::config::Config;
    use crate::run::dense;

    const LEAST: &str = "output = \"out\"\ndata.files = [\"a.binpack\"]\n\
        network.declaration = \"struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\"\n";

    const DENSE: &str = "output = \"out\"\ndata.files = [\"a.csv\"]\n\
        network.declaration = \"struct A = input[2] -> 1;\"\n";

    const ROWS: &str = "output = \"out\"\ndata.files = [\"a.rows\"]\n\
        network.declaration = \"struct A = rows[8] -> 32 -> 1;\"\n";

    /// The keys that a table may have: what is said where there is another one.
    fn keys_of(text: &str, table: &str, folder: &Path) -> Vec<String> {
        let prefix = if table.is_empty() {
            String::new()
        } else {
            format!("{table}.")
        };
        let source = Source {
            name: "run.toml".into(),
            text: format!("{text}{prefix}qqqzzz = 1\n"),
        };
        let error = match dense::is_dense(&source, folder).expect("it is declared") {
            true => dense::Config::parse(source, folder).err(),
            false => Config::parse(source, folder, None).err(),
        };
        let error = error.expect("there is no such key").to_string();
        let (_, keys) = error
            .split_once("the keys here are ")
            .unwrap_or_else(|| panic!("{error}"));
        keys.trim()
            .split(", ")
            .map(|key| format!("{prefix}{key}"))
            .collect()
    }

    #[test]
    fn every_key_has_a_row() {
        let folder = std::env::temp_dir().join(format!("nnue-train-keys.{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("a.csv"), "0.5,1,2\n".repeat(64)).expect("a file");
        let mut all = BTreeSet::new();
        for text in [LEAST, DENSE, ROWS] {
            for key in keys_of(text, "", &folder) {
                match role(&key) {
                    // its rows are those of its keys
                    None => all.extend(keys_of(text, &key, &folder)),
                    Some(_) => drop(all.insert(key)),
                }
            }
        }
        std::fs::remove_dir_all(&folder).expect("it can be removed");
        for key in &all {
            assert!(role(key).is_some(), "`{key}` has no row");
        }
        let rows: BTreeSet<String> = KEYS.iter().map(|(row, _)| (*row).to_owned()).collect();
        assert_eq!(rows, all);
    }

    #[test]
    fn a_key_that_changes_is_noted_as_its_row_says() {
        let run = |key: &str, value: &str| {
            format!("# {value}\n{key} = {value}\nother = [1, {{ a = \"b\" }}]\n")
        };
        for &(key, role) in KEYS {
            for key in [key.to_owned(), format!("{key}.of.it")] {
                let noted = |begun: &str, now: &str| changed_key(begun, now);
                let expected = (role == Role::Network).then(|| key.clone());
                assert_eq!(noted(&run(&key, "1"), &run(&key, "2")), expected);
                assert_eq!(noted(&run(&key, "\"a\""), &run(&key, "[\"a\"]")), expected);
                let without = "other = [1, { a = \"b\" }]";
                assert_eq!(noted(&run(&key, "true"), without), expected);
                assert_eq!(noted(without, &run(&key, "true")), expected);
                assert_eq!(noted(&run(&key, "0.1"), &run(&key, "0.1")), None);
            }
        }
    }
}
