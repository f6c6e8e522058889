//! Parsed options: nested sections, with a record of what was read.

use std::cell::{Cell, RefCell};

use nnue_spec::suggest::nearest;

use super::kinds::Opt;
use crate::error::Error;

/// An option in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// its name
    pub name: String,
    /// position of the name
    pub at: usize,
    /// its value, without quotes
    pub value: String,
    /// position of the value
    pub value_at: usize,
    pub(super) is_read: Cell<bool>,
}

/// A name and the contents of its parentheses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// the name, if there is one
    pub name: Option<String>,
    /// its position
    pub at: usize,
    /// options, in order
    pub settings: Vec<Setting>,
    /// inner sections, in order
    pub sections: Vec<Section>,
    /// names of options that were looked up here
    asked: RefCell<Vec<&'static str>>,
    is_read: Cell<bool>,
}

impl Section {
    /// Checks that all options and sections were read.
    ///
    /// # Errors
    ///
    /// For the first unread one, with its position and the most similar name that was looked up.
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

    /// The name, or the index of an unnamed section.
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

/// A section with its enclosing sections, for the lookup of options.
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

    /// The scopes of the inner sections, in order.
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

    /// Dotted path of names from the outermost section to this one.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The value of an option, from here or the nearest enclosing section, or its default.
    ///
    /// # Errors
    ///
    /// If the value is invalid.
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

    /// The setting of an option, from here or the nearest enclosing section. It and those that it overrides
    /// count as read.
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
