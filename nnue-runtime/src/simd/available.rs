//! Levels that this program contains and this processor supports.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::{Level, Simd};

impl Level {
    /// This level, if this program contains it and the processor has its features.
    ///
    /// # Errors
    ///
    /// If not.
    pub fn check(self) -> Result<AvailableLevel, UnavailableLevel> {
        if self.is_available() {
            Ok(AvailableLevel(self))
        } else {
            Err(UnavailableLevel(self))
        }
    }

    /// The levels that this program contains and this processor has, from simplest to fastest.
    pub fn available() -> impl DoubleEndedIterator<Item = AvailableLevel> {
        Self::ALL.iter().filter_map(|level| level.check().ok())
    }

    /// The fastest of [`Level::available`].
    pub fn detect() -> AvailableLevel {
        Self::available()
            .next_back()
            .unwrap_or(AvailableLevel(Self::Scalar))
    }
}

/// A level that this program contains and this processor has: the proof that
/// [`dispatch`](super::dispatch) requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AvailableLevel(Level);

impl AvailableLevel {
    #[inline(always)]
    pub(crate) fn of<S: Simd>(_: S) -> Self {
        Self(S::LEVEL)
    }

    /// The level.
    pub const fn level(self) -> Level {
        self.0
    }
}

impl fmt::Display for AvailableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A level that cannot be used: this program was built without it, or the processor lacks its features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnavailableLevel(pub Level);

impl fmt::Display for UnavailableLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::available()
            .map(|level| level.level().name())
            .collect();
        if self.0.is_compiled() {
            write!(
                f,
                "this processor has no level `{}`; it has: {}",
                self.0,
                names.join(", ")
            )
        } else {
            write!(
                f,
                "this program was built without level `{}`; it can use: {}",
                self.0,
                names.join(", ")
            )
        }
    }
}

impl core::error::Error for UnavailableLevel {}

/// A name that no level has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLevel(pub String);

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Level::ALL.iter().map(|level| level.name()).collect();
        write!(f, "unknown level `{}`; known: {}", self.0, names.join(", "))
    }
}

impl core::error::Error for UnknownLevel {}

#[cfg(test)]
mod tests {
    use super::*;

    /// No program contains levels of another architecture.
    #[test]
    fn a_level_that_is_not_compiled_is_told_from_one_that_the_processor_lacks() {
        for &level in Level::ALL {
            let Err(error) = level.check() else { continue };
            let said = error.to_string();
            let expected = if level.is_compiled() {
                "this processor has no level"
            } else {
                "this program was built without level"
            };
            assert!(
                said.starts_with(&format!("{expected} `{level}`; ")),
                "{said}"
            );
            assert!(said.ends_with(Level::detect().level().name()), "{said}");
        }
        assert!(
            Level::ALL.iter().any(|level| !level.is_compiled()),
            "no program contains levels of all architectures"
        );
    }

    #[test]
    fn a_program_contains_the_levels_that_it_was_built_for() {
        let wanted = option_env!("NNUE_LEVELS")
            .map(str::trim)
            .filter(|names| !names.is_empty());
        for &level in Level::ALL
            .iter()
            .filter(|level| level.is_compiled() && **level != Level::Scalar)
        {
            assert!(
                wanted.is_none_or(|names| names.split(',').any(|name| name.trim() == level.name())),
                "{level}"
            );
        }
    }
}
