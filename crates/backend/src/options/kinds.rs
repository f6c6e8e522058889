//! Types of options.

use std::ops::RangeInclusive;

/// An option of a backend: parsing and default.
pub trait Opt {
    /// Type of the value.
    type Value;

    /// Its name.
    fn name(&self) -> &'static str;

    /// The default value.
    fn default(&self) -> Self::Value;

    /// Parses a value; `None` if it is invalid.
    fn read(&self, text: &str) -> Option<Self::Value>;

    /// The valid values, for a message after "is".
    fn expected(&self) -> String;

    /// The description of the option.
    fn help(&self) -> OptionHelp;
}

/// Description of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionHelp {
    /// its name
    pub name: &'static str,
    /// default value
    pub default: String,
    /// meaning and valid values
    pub about: String,
}

/// A boolean: `true` or `false`.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// its name
    pub name: &'static str,
    /// default value
    pub default: bool,
    /// meaning
    pub about: &'static str,
}

/// An integer.
#[derive(Clone, Debug)]
pub struct Integer {
    /// its name
    pub name: &'static str,
    /// default value
    pub default: u64,
    /// valid values
    pub range: RangeInclusive<u64>,
    /// meaning
    pub about: &'static str,
}

/// A float; integers are accepted.
#[derive(Clone, Debug)]
pub struct Float {
    /// its name
    pub name: &'static str,
    /// default value
    pub default: f64,
    /// valid values
    pub range: RangeInclusive<f64>,
    /// meaning
    pub about: &'static str,
}

/// One of several words.
#[derive(Clone, Copy, Debug)]
pub struct Word<T: 'static> {
    /// its name
    pub name: &'static str,
    /// words and their values; the first is the default
    pub words: &'static [(&'static str, T)],
    /// meaning
    pub about: &'static str,
}

/// Text, such as a file name.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    /// its name
    pub name: &'static str,
    /// meaning
    pub about: &'static str,
}

impl Opt for Flag {
    type Value = bool;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> bool {
        self.default
    }

    fn read(&self, text: &str) -> Option<bool> {
        text.parse().ok()
    }

    fn expected(&self) -> String {
        "`true` or `false`".into()
    }

    fn help(&self) -> OptionHelp {
        OptionHelp {
            name: self.name,
            default: self.default.to_string(),
            about: self.about.into(),
        }
    }
}

impl Opt for Integer {
    type Value = u64;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> u64 {
        self.default
    }

    fn read(&self, text: &str) -> Option<u64> {
        text.parse()
            .ok()
            .filter(|number| self.range.contains(number))
    }

    fn expected(&self) -> String {
        match *self.range.end() {
            u64::MAX => format!("a whole number of at least {}", self.range.start()),
            most => format!("a whole number from {} to {most}", self.range.start()),
        }
    }

    fn help(&self) -> OptionHelp {
        let about = format!("{}; {}", self.about, self.expected());
        OptionHelp {
            name: self.name,
            default: self.default.to_string(),
            about,
        }
    }
}

impl Opt for Float {
    type Value = f64;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> f64 {
        self.default
    }

    fn read(&self, text: &str) -> Option<f64> {
        text.parse()
            .ok()
            .filter(|number| self.range.contains(number))
    }

    fn expected(&self) -> String {
        format!(
            "a number from {} to {}",
            self.range.start(),
            self.range.end()
        )
    }

    fn help(&self) -> OptionHelp {
        let about = format!("{}; {}", self.about, self.expected());
        OptionHelp {
            name: self.name,
            default: self.default.to_string(),
            about,
        }
    }
}

impl<T: Copy> Opt for Word<T> {
    type Value = T;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> T {
        self.words[0].1
    }

    fn read(&self, text: &str) -> Option<T> {
        self.words
            .iter()
            .find(|(word, _)| *word == text)
            .map(|&(_, meaning)| meaning)
    }

    fn expected(&self) -> String {
        let words: Vec<String> = self
            .words
            .iter()
            .map(|(word, _)| format!("`{word}`"))
            .collect();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => words.concat(),
        }
    }

    fn help(&self) -> OptionHelp {
        let about = format!("{}; {}", self.about, self.expected());
        OptionHelp {
            name: self.name,
            default: self.words[0].0.into(),
            about,
        }
    }
}

impl Opt for Text {
    type Value = Option<String>;

    fn name(&self) -> &'static str {
        self.name
    }

    fn default(&self) -> Option<String> {
        None
    }

    fn read(&self, text: &str) -> Option<Option<String>> {
        (!text.is_empty()).then(|| Some(text.to_owned()))
    }

    fn expected(&self) -> String {
        "a text that is not empty".into()
    }

    fn help(&self) -> OptionHelp {
        OptionHelp {
            name: self.name,
            default: String::new(),
            about: self.about.into(),
        }
    }
}
