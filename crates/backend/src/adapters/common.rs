//! Common parts of adapters over several backends.

use std::fmt;

use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::digest::{digest_of, halves};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::registry::Shared;

/// Maximum batch size of an adapter that splits batches for its parents.
pub(super) const MOST: usize = 1 << 16;

/// Generates methods of [`Backend`](crate::Backend) that delegate to the field with the backends inside:
/// [`Parents`], or one backend.
macro_rules! passed_on {
    ($parents:ident: $($method:ident),+) => { $(passed_on!(@$method $parents);)+ };
    (@attributes $parents:ident) => {
        fn attributes(&self) -> $crate::Attributes {
            self.$parents.attributes()
        }
    };
    (@digest $parents:ident) => {
        fn digest(&self) -> u128 {
            self.$parents.digest()
        }
    };
    (@key $parents:ident) => {
        fn key(&self, sample: &$crate::Sample<'_, G>) -> u128 {
            self.$parents.key(sample)
        }
    };
    (@cached $parents:ident) => {
        fn cached(&self, sample: &$crate::Sample<'_, G>, wanted: $crate::Wanted) -> Option<$crate::Answer> {
            self.$parents.cached(sample, wanted)
        }
    };
    (@set $parents:ident) => {
        fn set(&self, option: &str, value: &str) -> Result<bool, $crate::Error> {
            self.$parents.set(option, value)
        }
    };
    (@report $parents:ident) => {
        fn report(&self, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
            self.$parents.report(out)
        }
    };
}
pub(super) use passed_on;

/// The backends inside an adapter. Any of them may compute a batch.
pub(super) struct Parents<G: Game>(Vec<Shared<G>>);

impl<G: Game> Parents<G> {
    /// Checks that there is at least one backend.
    pub(super) fn new(name: &str, parents: Vec<Shared<G>>) -> Result<Self, Error> {
        let what = || "it needs at least one backend".to_owned();
        if parents.is_empty() {
            Err(Error::Unlike {
                backend: name.into(),
                what: what(),
            })
        } else {
            Ok(Self(parents))
        }
    }

    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = &Shared<G>> {
        self.0.iter()
    }

    /// The backend with this index modulo their number.
    pub(super) fn nth(&self, index: usize) -> &Shared<G> {
        &self.0[index % self.0.len()]
    }

    pub(super) fn attributes(&self) -> Attributes {
        let all = self.0.iter().map(|parent| parent.attributes());
        all.reduce(Attributes::merge).expect("at least one parent")
    }

    /// The digest of all backends, combined.
    pub(super) fn digest(&self) -> u128 {
        combined(self.0.iter().map(|parent| parent.digest()))
    }

    /// The key of a sample for all backends, combined.
    pub(super) fn key(&self, sample: &Sample<'_, G>) -> u128 {
        combined(self.0.iter().map(|parent| parent.key(sample)))
    }

    pub(super) fn cached(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Option<Answer> {
        self.0
            .iter()
            .find_map(|parent| parent.cached(sample, wanted))
    }

    /// Sets an option in all backends that accept it.
    pub(super) fn set(&self, option: &str, value: &str) -> Result<bool, Error> {
        self.0
            .iter()
            .try_fold(false, |any, parent| Ok(parent.set(option, value)? || any))
    }

    pub(super) fn report(&self, out: &mut dyn fmt::Write) -> fmt::Result {
        self.0.iter().try_for_each(|parent| parent.report(out))
    }
}

/// The common value if all are equal, otherwise a digest of all in order.
pub(super) fn combined(numbers: impl Iterator<Item = u128>) -> u128 {
    let numbers: Vec<u128> = numbers.collect();
    match numbers.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => *first,
        _ => digest_of(
            "several",
            &numbers.into_iter().flat_map(halves).collect::<Vec<_>>(),
        ),
    }
}

/// Concatenates the answers of several computations.
pub(super) fn joined(parts: Vec<Answers>) -> Answers {
    let mut all = Answers::new(combined(parts.iter().map(Answers::digest)));
    parts
        .iter()
        .flat_map(Answers::iter)
        .for_each(|answer| all.push(&answer));
    all
}
