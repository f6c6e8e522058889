//! Options that affect answers. Stored answers, in memory and in files, are found by this identity only.
//!
//! [`OPTIONS`] is the single source: `Identity` looks up which values become part of a digest. An adapter
//! has the identity of the backends inside, plus those of its own options that count.

use crate::digest::{Digest, halves};

/// How an option affects answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// its value affects answers
    Answers,
    /// the contents that it names, such as a file, affect answers; the name does not
    Contents,
    /// it does not affect answers
    Nothing,
}

/// An option of a backend and its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRole {
    /// the name of the backend
    pub backend: &'static str,
    /// the name of the option
    pub option: &'static str,
    /// effect on answers
    pub role: Role,
}

const fn row(backend: &'static str, option: &'static str, role: Role) -> OptionRole {
    OptionRole {
        backend,
        option,
        role,
    }
}

/// All options of the backends in this crate, including those that programs create from declared networks.
pub const OPTIONS: &[OptionRole] = &[
    row("random", "seed", Role::Answers),
    row("random", "uniform", Role::Answers),
    row("random", "delay", Role::Nothing),
    row("nnue", "net", Role::Contents),
    row("nnue", "arch", Role::Contents),
    row("nnue", "declaration", Role::Contents),
    row("nnue", "scale", Role::Answers),
    row("nnue", "level", Role::Nothing),
    row("nnue", "threads", Role::Nothing),
    row("reference", "net", Role::Contents),
    row("reference", "arch", Role::Contents),
    row("reference", "declaration", Role::Contents),
    row("reference", "scale", Role::Answers),
    row("lc0", "weights", Role::Contents),
    row("lc0", "fill", Role::Answers),
    row("lc0", "temperature", Role::Answers),
    row("lc0", "threads", Role::Nothing),
    row("lc0", "together", Role::Nothing),
    row("lc0-reference", "weights", Role::Contents),
    row("lc0-reference", "fill", Role::Answers),
    row("lc0-reference", "temperature", Role::Answers),
    row("lc0-reference", "threads", Role::Nothing),
    row("lc0-reference", "together", Role::Nothing),
    // an answer may come from a sample with another history, and answers in files are rounded
    row("cached", "history", Role::Answers),
    row("cached", "steps", Role::Answers),
    row("cached", "coding", Role::Nothing),
    row("cached", "file", Role::Nothing),
    row("cached", "disk", Role::Nothing),
    row("cached", "memory", Role::Nothing),
    row("cached", "sync", Role::Nothing),
    // answers come from the first backend
    row("check", "freq", Role::Nothing),
    row("check", "mode", Role::Nothing),
    row("check", "exact", Role::Nothing),
    row("check", "atol", Role::Nothing),
    row("check", "rtol", Role::Nothing),
    row("check", "fail", Role::Nothing),
    row("check", "seed", Role::Nothing),
    row("demux", "threads", Role::Nothing),
    row("demux", "step", Role::Nothing),
    row("multiplexing", "threads", Role::Nothing),
    row("multiplexing", "max_batch", Role::Nothing),
    row("record", "file", Role::Nothing),
    row("replay", "file", Role::Contents),
];

/// The effect of an option; `None` if it is not in the table.
pub fn role(backend: &str, option: &str) -> Option<Role> {
    let found = OPTIONS
        .iter()
        .find(|row| row.backend == backend && row.option == option);
    found.map(|row| row.role)
}

/// Builds the digest that identifies answers.
pub(crate) struct Identity {
    backend: &'static str,
    digest: Digest,
}

impl Identity {
    /// The identity of a backend without options.
    pub(crate) fn of(backend: &'static str) -> Self {
        let mut digest = Digest::new();
        digest.text(backend);
        Self { backend, digest }
    }

    /// Adds a network, the contents of a file, or a backend inside.
    pub(crate) fn contents(mut self, contents: u128) -> Self {
        halves(contents)
            .into_iter()
            .for_each(|word| self.digest.word(word));
        self
    }

    /// Adds the value of an option, if the table says that it counts.
    pub(crate) fn option(mut self, option: &'static str, value: u64) -> Self {
        let role = role(self.backend, option);
        debug_assert!(role.is_some(), "{}.{option} has no role", self.backend);
        if role != Some(Role::Nothing) {
            self.digest.word(value);
        }
        self
    }

    pub(crate) fn finish(self) -> u128 {
        self.digest.finish()
    }
}
