//! A check: what it is called, what it needs, and what it does.

use super::needs::Need;
use super::shell::Shell;
use crate::repo::Outcome;

/// What two checks must not use at the same time: folders that cargo builds into. It locks them while it builds, so the second would only
/// wait. For other processors it locks one that they share as well, but they are emulated longer than they are built for.
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
    /// the whole machine: it measures time
    Machine,
}

/// Whether checks that use these rooms can run at the same time.
pub(super) fn are_apart(one: &[Room], other: &[Room]) -> bool {
    let mut all = one.iter().chain(other);
    !all.any(|room| *room == Room::Machine) && !one.iter().any(|room| other.contains(room))
}

type Task = Box<dyn Fn(&Shell<'_>) -> Outcome + Send>;

/// Something that must hold.
pub(super) struct Check {
    pub(super) name: String,
    /// empty if it builds nothing, or into a folder of its own
    pub(super) rooms: &'static [Room],
    /// checks that come before it, if they are asked for too
    pub(super) after: &'static [&'static str],
    /// what must be installed
    pub(super) needs: &'static [Need],
    /// what it runs without, and then checks less; on a machine of CI it must be there
    pub(super) wants: &'static [Need],
    /// which levels it has run when it passes, and where
    pub(super) levels: Option<String>,
    /// left out before a change lands: `cargo xtask nightly` runs it
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

    /// Leaves the check to `cargo xtask nightly`.
    pub(super) fn nightly(self) -> Self {
        Self {
            is_nightly: true,
            ..self
        }
    }

    /// Says in the report that these levels ran at this place.
    pub(super) fn levels(self, place: &str, levels: &str) -> Self {
        Self {
            levels: Some(format!("{place}: {levels}")),
            ..self
        }
    }
}
