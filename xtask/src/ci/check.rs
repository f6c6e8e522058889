//! A check: name, requirements and task.

use super::needs::Need;
use super::shell::Shell;
use crate::repo::Outcome;

/// Folders that cargo builds into. Two checks must not use the same one at once: cargo locks it, so the
/// second would only wait. Targets of other processors also share a lock, but their tests run longer than
/// they build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// `target`: the project for this processor
    Native,
    /// `target/debian/aarch64-unknown-linux-gnu`
    Aarch64,
    /// `target/debian/wasm32-wasip1`
    Wasm,
    /// the other folders of `target/debian`
    Elsewhere,
    /// `target/fuzz`
    Fuzz,
    /// the whole machine, for measurements of time
    Machine,
}

/// Whether checks that use these rooms can run at the same time.
pub(super) fn are_apart(one: &[Room], other: &[Room]) -> bool {
    let mut all = one.iter().chain(other);
    !all.any(|room| *room == Room::Machine) && !one.iter().any(|room| other.contains(room))
}

type Task = Box<dyn Fn(&Shell<'_>) -> Outcome + Send>;

pub(super) struct Check {
    pub(super) name: String,
    /// empty if it builds nothing or into its own folder
    pub(super) rooms: &'static [Room],
    /// checks that must run before it, if selected
    pub(super) after: &'static [&'static str],
    pub(super) needs: &'static [Need],
    /// optional programs, without which it checks less; required on CI
    pub(super) wants: &'static [Need],
    /// levels that it tests, and where
    pub(super) levels: Option<String>,
    /// left to `cargo xtask nightly`
    pub(super) is_nightly: bool,
    pub(super) task: Task,
}

impl Check {
    pub(super) fn new(
        name: impl Into<String>,
        rooms: &'static [Room],
        task: impl Fn(&Shell<'_>) -> Outcome + Send + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            rooms,
            after: &[],
            needs: &[],
            wants: &[],
            levels: None,
            is_nightly: false,
            task: Box::new(task),
        }
    }

    pub(super) fn after(self, after: &'static [&'static str]) -> Self {
        Self { after, ..self }
    }

    pub(super) fn needs(self, needs: &'static [Need]) -> Self {
        Self { needs, ..self }
    }

    pub(super) fn wants(self, wants: &'static [Need]) -> Self {
        Self { wants, ..self }
    }

    pub(super) fn nightly(self) -> Self {
        Self {
            is_nightly: true,
            ..self
        }
    }

    /// Reports that these levels ran at this place.
    pub(super) fn levels(self, place: &str, levels: &str) -> Self {
        Self {
            levels: Some(format!("{place}: {levels}")),
            ..self
        }
    }
}
