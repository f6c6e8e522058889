//! `roundrobin`: each batch goes to the next backend.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::common::{Parents, passed_on};
use crate::backend::{Attributes, Backend, Computation};
use crate::error::Error;
use crate::game::Game;
use crate::registry::Entry;

/// Gives each new batch to the next backend, in turn.
pub struct RoundRobin<G: Game> {
    name: String,
    parents: Parents<G>,
    turn: AtomicUsize,
}

impl<G: Game> RoundRobin<G> {
    /// Over these backends.
    ///
    /// # Errors
    ///
    /// If there are no backends.
    pub fn new(name: &str, parents: Vec<Arc<dyn Backend<G>>>) -> Result<Self, Error> {
        Ok(Self {
            name: name.to_owned(),
            parents: Parents::new(name, parents)?,
            turn: AtomicUsize::new(0),
        })
    }
}

impl<G: Game> Backend<G> for RoundRobin<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Attributes {
        let all = self.parents.attributes();
        Attributes {
            threads: all.threads.saturating_mul(self.parents.iter().len()),
            ..all
        }
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        self.parents
            .nth(self.turn.fetch_add(1, Ordering::Relaxed))
            .computation()
    }

    passed_on!(parents: digest, key, cached, set, report);
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    Entry::new(
        "roundrobin",
        -999,
        "each batch goes to the next backend",
        Vec::new(),
        |builder| {
            Ok(Arc::new(RoundRobin::new(
                builder.path(),
                builder.parents()?,
            )?))
        },
    )
}
