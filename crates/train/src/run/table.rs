//! A TOML table that is read key by key. A key that was never read is an error that names the key for the same
//! of other trainers, or the nearest known one.

use std::ops::{Range, RangeInclusive};
use std::path::Path;

use nnue_codegen::TextError;
use nnue_data::files::bounded::{self, MOST_OF_SOURCE};
use nnue_spec::suggest::nearest;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::words;
use crate::run::Error;

/// The text of a run and its name in errors.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// usually the path
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Source {
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = bounded::read_text(path, MOST_OF_SOURCE)?;
        Ok(Self {
            name: path.display().to_string(),
            text,
        })
    }

    /// An error at a range of bytes. Lines of `message` after the first are help.
    pub(crate) fn refuse(&self, at: Range<usize>, message: impl Into<String>) -> Error {
        let before = &self.text[..at.start];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let line_end = self.text[at.start..]
            .find('\n')
            .map_or(self.text.len(), |length| at.start + length);
        let error = TextError {
            line: before.matches('\n').count() + 1,
            column: self.text[line_start..at.start].chars().count() + 1,
            length: self.text[at.start..at.end.min(line_end).max(at.start)]
                .chars()
                .count()
                .max(1),
            message: message.into(),
            slug: "",
        };
        Error::Run(error.shown_in(&self.name, &self.text))
    }

    /// Parses the root table.
    pub(crate) fn table(&self) -> Result<Table<'_>, Error> {
        let table = DeTable::parse(&self.text).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            self.refuse(at, error.message())
        })?;
        let at = table.span();
        Ok(Table {
            source: self,
            name: String::new(),
            at,
            entries: table.into_inner(),
            keys: Vec::new(),
            places: Vec::new(),
        })
    }
}

/// A table and the keys read so far.
pub(crate) struct Table<'s> {
    source: &'s Source,
    /// path of the table, such as `loss`; empty for the root
    name: String,
    at: Range<usize>,
    /// entries not read yet
    entries: DeTable<'s>,
    /// keys that were asked for
    keys: Vec<String>,
    /// byte ranges of the values read so far
    places: Vec<(String, Range<usize>)>,
}

/// An unparsed value.
type Value<'s> = Spanned<DeValue<'s>>;

impl<'s> Table<'s> {
    fn take(&mut self, key: &str) -> Option<Value<'s>> {
        self.keys.push(key.to_owned());
        let (_, value) = self.entries.remove_entry(key)?;
        self.places.push((key.to_owned(), value.span()));
        Some(value)
    }

    /// The full path of a key.
    fn path(&self, key: &str) -> String {
        if self.name.is_empty() {
            key.to_owned()
        } else {
            format!("{}.{key}", self.name)
        }
    }

    /// An error at the value of a key, or at the table if there is none.
    pub(crate) fn refuse(&self, key: &str, message: impl Into<String>) -> Error {
        let place = self.places.iter().find(|(taken, _)| *taken == key);
        self.source
            .refuse(place.map_or(&self.at, |(_, at)| at).clone(), message)
    }

    fn expected(&self, key: &str, expected: &str) -> Error {
        self.refuse(key, format!("`{}` is {expected}", self.path(key)))
    }

    /// A number in a range, which `expected` describes.
    pub(crate) fn number(
        &mut self,
        key: &str,
        allowed: RangeInclusive<f64>,
        expected: &str,
    ) -> Result<Option<f64>, Error> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let number = number_of(value.get_ref()).filter(|number| allowed.contains(number));
        number.map(Some).ok_or_else(|| self.expected(key, expected))
    }

    pub(crate) fn positive(&mut self, key: &str) -> Result<Option<f64>, Error> {
        self.number(key, f64::MIN_POSITIVE..=f64::MAX, "a number above 0")
    }

    /// A number from 0 to 1.
    pub(crate) fn share(&mut self, key: &str) -> Result<Option<f64>, Error> {
        self.number(key, 0.0..=1.0, "a number from 0 to 1")
    }

    /// An integer in a range.
    pub(crate) fn count(
        &mut self,
        key: &str,
        allowed: RangeInclusive<u64>,
    ) -> Result<Option<u64>, Error> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let count = match value.get_ref() {
            DeValue::Integer(integer) => {
                u64::from_str_radix(integer.as_str(), integer.radix()).ok()
            }
            _ => None,
        };
        let count = count.filter(|count| allowed.contains(count));
        let expected = match (*allowed.start(), *allowed.end()) {
            (least, u64::MAX) => format!("an integer of at least {least}"),
            (least, greatest) => format!("an integer from {least} to {greatest}"),
        };
        count.map(Some).ok_or_else(|| self.expected(key, &expected))
    }

    /// A boolean; `false` by default.
    pub(crate) fn flag(&mut self, key: &str) -> Result<bool, Error> {
        self.flag_or(key, false)
    }

    /// A boolean with a default.
    pub(crate) fn flag_or(&mut self, key: &str, otherwise: bool) -> Result<bool, Error> {
        match self.take(key).map(Spanned::into_inner) {
            None => Ok(otherwise),
            Some(DeValue::Boolean(flag)) => Ok(flag),
            Some(_) => Err(self.expected(key, "`true` or `false`")),
        }
    }

    pub(crate) fn text(&mut self, key: &str) -> Result<Option<String>, Error> {
        match self.take(key).map(Spanned::into_inner) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(text.into_owned())),
            Some(_) => Err(self.expected(key, "a text in quotes")),
        }
    }

    /// A non-empty array of strings.
    pub(crate) fn texts(&mut self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let texts = match value.into_inner() {
            DeValue::Array(array) => array
                .into_iter()
                .map(|value| text_of(value.into_inner()))
                .collect(),
            _ => None,
        };
        let texts = texts.filter(|texts: &Vec<String>| !texts.is_empty());
        texts
            .map(Some)
            .ok_or_else(|| self.expected(key, "a list of texts in quotes, as [\"a\", \"b\"]"))
    }

    /// A non-empty array of numbers in a range.
    pub(crate) fn numbers(
        &mut self,
        key: &str,
        allowed: RangeInclusive<f64>,
        expected: &str,
    ) -> Result<Option<Vec<f64>>, Error> {
        let Some(value) = self.take(key) else {
            return Ok(None);
        };
        let numbers = match value.get_ref() {
            DeValue::Array(array) => array
                .iter()
                .map(|value| number_of(value.get_ref()))
                .collect(),
            _ => None,
        };
        let is_right = |numbers: &Vec<f64>| {
            !numbers.is_empty() && numbers.iter().all(|number| allowed.contains(number))
        };
        numbers
            .filter(is_right)
            .map(Some)
            .ok_or_else(|| self.expected(key, expected))
    }

    pub(crate) fn choice<T: Copy>(
        &mut self,
        key: &str,
        words: &[(&str, T)],
    ) -> Result<Option<T>, Error> {
        let Some(word) = self.text(key)? else {
            return Ok(None);
        };
        let found = words.iter().find(|(name, _)| *name == word);
        found.map(|(_, value)| Some(*value)).ok_or_else(|| {
            let names: Vec<String> = words.iter().map(|(name, _)| format!("`{name}`")).collect();
            let near = nearest(&word, words.iter().map(|(name, _)| *name));
            let help = near.map_or(String::new(), |near| {
                format!("\nhelp: did you mean `{near}`?")
            });
            let path = self.path(key);
            self.refuse(
                key,
                format!(
                    "`{path}` is one of {}, not `{}`{help}",
                    names.join(", "),
                    word.escape_debug()
                ),
            )
        })
    }

    /// A subtable; empty if it is missing.
    pub(crate) fn table(&mut self, key: &str) -> Result<Table<'s>, Error> {
        let name = self.path(key);
        let found = self.take(key);
        let at = found
            .as_ref()
            .map_or_else(|| self.at.clone(), Spanned::span);
        let entries = match found.map(Spanned::into_inner) {
            None => DeTable::new(),
            Some(DeValue::Table(entries)) => entries,
            Some(_) => return Err(self.expected(key, "a table")),
        };
        Ok(Table {
            source: self.source,
            name,
            at,
            entries,
            keys: Vec::new(),
            places: Vec::new(),
        })
    }

    /// Whether the value of a key is a number.
    pub(crate) fn has_number(&self, key: &str) -> bool {
        self.entries
            .get(key)
            .is_some_and(|value| number_of(value.get_ref()).is_some())
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Fails if a key was never read.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Some((key, value)) = self.entries.iter().next() else {
            return Ok(());
        };
        let word: &str = key.get_ref();
        let text = self.source.text.get(value.span()).unwrap_or_default();
        // keys of this table are the network's own names
        let of_others = match self.name.as_str() {
            "loss.outputs" => None,
            _ => words::help(word, text, number_of(value.get_ref())),
        };
        let by_name = || match nearest(word, self.keys.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the keys here are {}", self.keys.join(", ")),
        };
        let message = format!(
            "there is no key `{}`\nhelp: {}",
            self.path(word).escape_debug(),
            of_others.unwrap_or_else(by_name)
        );
        Err(self.source.refuse(key.span(), message))
    }
}

fn number_of(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .map(|number| number as f64),
        DeValue::Float(float) => float
            .as_str()
            .parse()
            .ok()
            .filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn text_of(value: DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.into_owned()),
        _ => None,
    }
}
