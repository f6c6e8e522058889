//! The choice of the level for which a network is prepared when it is loaded.

use core::fmt;

use super::{AvailableLevel, Level, UnavailableLevel, UnknownLevel};

/// A level and why it was chosen.
///
/// Print it in problem reports: `avx2 (named by NNUE_LEVEL)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// the level
    pub level: AvailableLevel,
    /// why it was chosen
    pub reason: Reason,
}

/// Why a level was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// it is the fastest that the processor has
    Best,
    /// the environment variable [`Choice::VARIABLE`] names it
    Named,
    /// the program chose it: [`Network::with_level`](crate::Network::with_level)
    Given,
    /// it is the fastest that the processor has; the variable names one that is unavailable
    Unavailable(UnavailableLevel),
    /// it is the fastest that the processor has; the variable does not name a level
    Unknown(UnknownLevel),
}

impl Choice {
    /// The environment variable that names the level of all networks that are loaded, for
    /// comparisons and problem reports. All levels give the same numbers.
    pub const VARIABLE: &'static str = "NNUE_LEVEL";

    /// The level for a network that is loaded now: the one that [`Choice::VARIABLE`] names,
    /// otherwise the fastest that the processor has. Without the feature `std` the environment is
    /// not read.
    pub fn now() -> Self {
        #[cfg(feature = "std")]
        let named =
            std::env::var_os(Self::VARIABLE).map(|name| name.to_string_lossy().into_owned());
        #[cfg(not(feature = "std"))]
        let named: Option<alloc::string::String> = None;
        Self::of(named.as_deref())
    }

    /// [`Self::now`], but an unusable level is an error.
    ///
    /// # Errors
    ///
    /// If [`Choice::VARIABLE`] names a level that does not exist, or that this processor does not
    /// have.
    pub fn followed() -> Result<Self, NotFollowed> {
        Self::now().or_refused()
    }

    fn or_refused(self) -> Result<Self, NotFollowed> {
        match self.reason {
            Reason::Unavailable(error) => Err(NotFollowed::Unavailable(error)),
            Reason::Unknown(error) => Err(NotFollowed::Unknown(error)),
            Reason::Best | Reason::Named | Reason::Given => Ok(self),
        }
    }

    /// The choice for this value of the variable.
    fn of(named: Option<&str>) -> Self {
        let reason = match named
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::parse::<Level>)
        {
            None => Reason::Best,
            Some(Err(unknown)) => Reason::Unknown(unknown),
            Some(Ok(level)) => match level.check() {
                Ok(level) => {
                    return Self {
                        level,
                        reason: Reason::Named,
                    };
                }
                Err(unavailable) => Reason::Unavailable(unavailable),
            },
        };
        Self {
            level: Level::detect(),
            reason,
        }
    }
}

/// Why the level that [`Choice::VARIABLE`] names cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotFollowed {
    /// the processor does not have it
    Unavailable(UnavailableLevel),
    /// it is not the name of a level
    Unknown(UnknownLevel),
}

impl fmt::Display for NotFollowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variable = Choice::VARIABLE;
        match self {
            Self::Unavailable(error) => write!(f, "{variable}: {error}"),
            Self::Unknown(error) => write!(f, "{variable}: {error}"),
        }
    }
}

impl core::error::Error for NotFollowed {}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.level, self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let best = "the fastest that this processor has";
        match self {
            Self::Best => f.write_str(best),
            Self::Named => write!(f, "named by {}", Choice::VARIABLE),
            Self::Given => f.write_str("asked for by the program"),
            Self::Unavailable(error) => {
                write!(f, "{best}; {} is not followed: {error}", Choice::VARIABLE)
            }
            Self::Unknown(error) => {
                write!(f, "{best}; {} is not followed: {error}", Choice::VARIABLE)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_name_the_fastest_level_is_chosen() {
        for named in [None, Some(""), Some(" ")] {
            assert_eq!(
                Choice::of(named),
                Choice {
                    level: Level::detect(),
                    reason: Reason::Best
                }
            );
        }
    }

    #[test]
    fn a_level_that_is_named_is_chosen() {
        for level in Level::available() {
            let choice = Choice::of(Some(level.level().name()));
            assert_eq!(
                choice,
                Choice {
                    level,
                    reason: Reason::Named
                }
            );
            assert_eq!(choice.to_string(), format!("{level} (named by NNUE_LEVEL)"));
        }
    }

    #[test]
    fn a_name_that_cannot_be_followed_is_said_to_be_so() {
        let unknown = Choice::of(Some("mmx"));
        assert_eq!(unknown.level, Level::detect());
        let said = unknown.to_string();
        assert!(
            said.contains("NNUE_LEVEL is not followed: unknown level `mmx`; known: scalar"),
            "{said}"
        );

        assert_eq!(
            unknown
                .or_refused()
                .map_err(|error| error.to_string()[..33].to_owned()),
            Err("NNUE_LEVEL: unknown level `mmx`; ".to_owned())
        );

        let missing = Level::ALL
            .iter()
            .find(|level| !level.is_available())
            .expect("no processor has all levels");
        let unavailable = Choice::of(Some(missing.name()));
        assert_eq!(unavailable.level, Level::detect());
        assert_eq!(
            unavailable.reason,
            Reason::Unavailable(UnavailableLevel(*missing))
        );
        let expected = NotFollowed::Unavailable(UnavailableLevel(*missing));
        assert_eq!(unavailable.or_refused(), Err(expected));
    }
}
