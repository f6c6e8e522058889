//! Backends by name.

use std::sync::Arc;

use nnue_spec::suggest::nearest;

use crate::backend::Backend;
use crate::error::Error;
use crate::game::Game;
use crate::options::{self, Opt, OptionHelp, Scope};

/// A shared backend.
pub(crate) type Shared<G> = Arc<dyn Backend<G>>;

/// Receives the messages of running backends, one line at a time.
pub(crate) type Tell = Arc<dyn Fn(&str) + Send + Sync>;

type Make<G> = dyn Fn(&Builder<'_, G>) -> Result<Shared<G>, Error> + Send + Sync;

/// A kind of backend: its name and its constructor.
pub struct Entry<G: Game> {
    /// the name in options
    pub name: &'static str,
    /// the backend with the highest priority is the default; a negative one never is
    pub priority: i32,
    /// description in one line
    pub about: &'static str,
    /// its options
    pub options: Vec<OptionHelp>,
    make: Arc<Make<G>>,
}

impl<G: Game> Entry<G> {
    /// A kind of backend. `make` constructs it and reads only `options`.
    pub fn new(
        name: &'static str,
        priority: i32,
        about: &'static str,
        options: Vec<OptionHelp>,
        make: impl Fn(&Builder<'_, G>) -> Result<Arc<dyn Backend<G>>, Error> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            priority,
            about,
            options,
            make: Arc::new(make),
        }
    }
}

/// The available backends, by name.
///
/// ```
/// use nnue_backend::{Backends, Chess};
///
/// let backends = Backends::<Chess>::standard();
/// let random = backends.create("random(seed=3)")?;
/// let wrong = backends.create("check(trivial, random, frq=0.1)").err().expect("an error");
/// assert_eq!(wrong.to_string(), "byte 23: no option `check.frq` here; did you mean `freq`?");
/// # Ok::<(), nnue_backend::Error>(())
/// ```
pub struct Backends<G: Game> {
    entries: Vec<Entry<G>>,
    tell: Tell,
}

impl<G: Game> Backends<G> {
    /// No backends.
    pub fn none() -> Self {
        Self {
            entries: Vec::new(),
            tell: Arc::new(|line| eprintln!("{line}")),
        }
    }

    /// Adds a kind of backend; it replaces one of the same name.
    pub fn add(&mut self, entry: Entry<G>) {
        self.entries.retain(|other| other.name != entry.name);
        self.entries.push(entry);
        self.entries
            .sort_by_key(|entry| (-entry.priority, entry.name));
    }

    /// Sets the receiver of messages from running backends, such as `check`. The default is standard error.
    pub fn tell(&mut self, tell: impl Fn(&str) + Send + Sync + 'static) {
        self.tell = Arc::new(tell);
    }

    /// All kinds: the default, then by falling priority and by name.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = &Entry<G>> {
        self.entries.iter()
    }

    /// Creates a backend from text: its name, and its options in parentheses. Options may also stand outside
    /// of the parentheses. An empty text gives the default backend.
    ///
    /// # Errors
    ///
    /// If the text has a syntax error, a backend does not exist, an option is unknown or has an invalid
    /// value; and errors of the backend, for example an unreadable file.
    pub fn create(&self, text: &str) -> Result<Arc<dyn Backend<G>>, Error> {
        let root = options::parse(text)?;
        if let Some(second) = root.sections.get(1) {
            let expected =
                "one backend; `multiplexing(..)`, for example, makes one of several".to_owned();
            let found = second
                .name
                .as_ref()
                .map_or("a second one".into(), |name| format!("`{name}` as well"));
            return Err(Error::Text {
                at: second.at,
                expected,
                found,
            });
        }
        let scope = Scope::root(&root);
        let backend = match scope.inner().next() {
            Some(inner) => self.make(&inner),
            None => self.make(&scope),
        }?;
        root.require_read()?;
        Ok(backend)
    }

    /// Creates the backend of a section.
    fn make(&self, scope: &Scope<'_>) -> Result<Shared<G>, Error> {
        let entry = self.entry_of(scope)?;
        let path = if scope.path().is_empty() {
            entry.name
        } else {
            scope.path()
        };
        (entry.make)(&Builder {
            name: entry.name,
            path,
            scope,
            backends: self,
        })
    }

    /// The kind of a section: by its name, else by the option `backend` here or in an enclosing section, else
    /// the default.
    fn entry_of(&self, scope: &Scope<'_>) -> Result<&Entry<G>, Error> {
        let section = scope.section();
        let known = |name: &str| self.entries.iter().find(|entry| entry.name == name);
        if let Some(entry) = section.name.as_deref().and_then(known) {
            return Ok(entry);
        }
        let (name, at) = match (scope.find("backend"), &section.name) {
            (Some(setting), _) => (setting.value.as_str(), setting.value_at),
            (None, Some(name)) => (name.as_str(), section.at),
            (None, None) => return self.default_entry(section.at),
        };
        known(name).ok_or_else(|| {
            let nearest =
                nearest(name, self.entries.iter().map(|entry| entry.name)).map(str::to_owned);
            Error::UnknownBackend {
                name: name.to_owned(),
                at,
                nearest,
            }
        })
    }

    fn default_entry(&self, at: usize) -> Result<&Entry<G>, Error> {
        let first = self.entries.first().filter(|entry| entry.priority >= 0);
        first.ok_or(Error::UnknownBackend {
            name: String::new(),
            at,
            nearest: None,
        })
    }
}

/// Arguments for a constructor: the options, and the backends inside the parentheses.
pub struct Builder<'a, G: Game> {
    name: &'static str,
    path: &'a str,
    scope: &'a Scope<'a>,
    backends: &'a Backends<G>,
}

impl<'a, G: Game> Builder<'a, G> {
    /// The name of the kind.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Dotted path of names from the outermost section to this one, for messages.
    pub const fn path(&self) -> &'a str {
        self.path
    }

    /// The value of an option, or its default.
    ///
    /// # Errors
    ///
    /// If the value is invalid.
    pub fn get<O: Opt>(&self, option: &O) -> Result<O::Value, Error> {
        self.scope.get(option)
    }

    /// The value of a required option.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn require(&self, option: &options::Text) -> Result<String, Error> {
        self.get(option)?.ok_or_else(|| Error::Missing {
            backend: self.name.to_owned(),
            at: self.scope.section().at,
            option: option.name.to_owned(),
            about: option.about.to_owned(),
        })
    }

    /// The backends inside the parentheses, in written order; if there are none, the default one with the
    /// options that apply here.
    ///
    /// # Errors
    ///
    /// Errors of their creation.
    pub fn parents(&self) -> Result<Vec<Arc<dyn Backend<G>>>, Error> {
        if self.scope.section().sections.is_empty() {
            let entry = self.backends.default_entry(self.scope.section().at)?;
            let builder = Builder {
                name: entry.name,
                ..*self
            };
            return Ok(vec![(entry.make)(&builder)?]);
        }
        self.each_parent(|builder| builder.make())
    }

    /// The single backend inside the parentheses, or the default one.
    ///
    /// # Errors
    ///
    /// If there are several, and errors of its creation.
    pub fn parent(&self) -> Result<Arc<dyn Backend<G>>, Error> {
        let count = self.scope.section().sections.len();
        if count > 1 {
            return Err(self.wrong_count("one backend"));
        }
        let mut parents = self.parents()?;
        Ok(parents.remove(0))
    }

    /// Calls `each` for each section inside the parentheses, in written order.
    pub(crate) fn each_parent<T>(
        &self,
        each: impl Fn(&Inner<'_, G>) -> Result<T, Error>,
    ) -> Result<Vec<T>, Error> {
        self.scope
            .inner()
            .map(|scope| {
                each(&Inner {
                    scope,
                    backends: self.backends,
                })
            })
            .collect()
    }

    /// Number of backends inside the parentheses.
    pub fn parent_count(&self) -> usize {
        self.scope.section().sections.len()
    }

    /// The error for a wrong number of backends inside the parentheses.
    pub(crate) fn wrong_count(&self, expected: &'static str) -> Error {
        let at = self.scope.section().at;
        Error::Parents {
            backend: self.name.to_owned(),
            at,
            expected,
            found: self.parent_count(),
        }
    }

    pub(crate) fn teller(&self) -> Tell {
        Arc::clone(&self.backends.tell)
    }
}

/// A section inside the parentheses of an adapter, which may set options for it.
pub(crate) struct Inner<'a, G: Game> {
    scope: Scope<'a>,
    backends: &'a Backends<G>,
}

impl<G: Game> Inner<'_, G> {
    /// The backend of the section.
    pub(crate) fn make(&self) -> Result<Shared<G>, Error> {
        self.backends.make(&self.scope)
    }

    /// An option of the adapter that may differ for each section.
    pub(crate) fn get<O: Opt>(&self, option: &O) -> Result<O::Value, Error> {
        self.scope.get(option)
    }
}
