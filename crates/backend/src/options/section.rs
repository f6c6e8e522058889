//! Parsed options: sections inside each other, and who has read what.

use std::cell::{Cell, RefCell};

use nnue_spec::suggest::nearest;

use super::kinds::Opt;
use crate::error::Error;

/// An option as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// its name
    pub name: String,
    /// the byte at which it begins
    pub at: usize,
    /// its value, without quotes
    pub value: String,
    /// the byte at which the value begins
    pub value_at: usize,
    pub(super) is_read: Cell<bool>,
}

/// What is between two parentheses, and the name before them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// the name, if there is one
    pub name: Option<String>,
    /// the byte at which it begins
    pub at: usize,
    /// options, in written order
    pub settings: Vec<Setting>,
    /// sections inside, in written order
    pub sections: Vec<Section>,
    /// options that somebody has looked for here
    asked: RefCell<Vec<&'static str>>,
    is_read: Cell<bool>,
}

impl Section {
    /// Checks that every option was read, and every section.
    ///
    /// # Errors
    ///
    /// If one was not, with its place and the nearest name that somebody has looked for.
    pub fn require_read(&self) -> Result<(), Error> {
        self.require_read_in("")
    }

    fn require_read_in(&self, path: &str) -> Result<(), Error> {
        if let Some(setting) = self.settings.iter().find(|setting| !setting.is_read.get()) {
            let nearest =
                nearest(&setting.name, self.asked.borrow().iter().copied()).map(str::to_owned);
            return Err(Error::UnknownOption {
                option: join(path, &setting.name),
                at: setting.at,
                nearest,
            });
        }
        for (index, section) in self.sections.iter().enumerate() {
            if !section.is_read.get() {
                let (found, at) = (self.sections.len(), section.at);
                return Err(Error::Parents {
                    backend: path.to_owned(),
                    at,
                    expected: "no backends inside",
                    found,
                });
            }
            section.require_read_in(&join(path, &section.shown(index)))?;
        }
        Ok(())
    }

    /// The name, or the index of a section without one.
    fn shown(&self, index: usize) -> String {
        self.name.clone().unwrap_or_else(|| format!("[{index}]"))
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// A section with those around it, in which options are looked for.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    section: &'a Section,
    outer: Option<&'a Scope<'a>>,
    path: String,
}

impl<'a> Scope<'a> {
    /// The outermost section.
    pub fn root(section: &'a Section) -> Self {
        section.is_read.set(true);
        Self {
            section,
            outer: None,
            path: String::new(),
        }
    }

    /// Those of the sections inside, in written order.
    pub fn inner(&'a self) -> impl ExactSizeIterator<Item = Scope<'a>> {
        self.section
            .sections
            .iter()
            .enumerate()
            .map(|(index, section)| {
                section.is_read.set(true);
                Scope {
                    section,
                    outer: Some(self),
                    path: join(&self.path, &section.shown(index)),
                }
            })
    }

    /// The section.
    pub const fn section(&self) -> &'a Section {
        self.section
    }

    /// The names from the outermost section to this one, with dots between them.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value of an option: as it is written here or in the nearest section around, else its default.
    ///
    /// # Errors
    ///
    /// If it is written and is none that the option can have.
    pub fn get<O: Opt>(&self, option: &O) -> Result<O::Value, Error> {
        let Some(setting) = self.find(option.name()) else {
            return Ok(option.default());
        };
        option.read(&setting.value).ok_or_else(|| Error::Value {
            option: join(&self.path, option.name()),
            at: setting.value_at,
            found: setting.value.clone(),
            expected: option.expected(),
        })
    }

    /// The setting of an option, here or in the nearest section around. It counts as read, and so do those that it overrides.
    pub fn find(&self, name: &'static str) -> Option<&'a Setting> {
        let (mut found, mut scope) = (None, Some(self));
        while let Some(Scope { section, outer, .. }) = scope {
            section.asked.borrow_mut().push(name);
            if let Some(setting) = section.settings.iter().find(|setting| setting.name == name) {
                setting.is_read.set(true);
                found = found.or(Some(setting));
            }
            scope = *outer;
        }
        found
    }
}
