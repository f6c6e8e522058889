//! Source locations in a declaration.

/// An opaque source location. The front end that made it can turn it into a span or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(pub u32);

/// A value and its source location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Located<T> {
    /// the value
    pub value: T,
    /// its location
    pub loc: Loc,
}

impl<T> Located<T> {
    /// Joins a value with its location.
    pub const fn new(value: T, loc: Loc) -> Self {
        Self { value, loc }
    }

    /// Applies `f` to the value and keeps the location.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Located<U> {
        Located {
            value: f(self.value),
            loc: self.loc,
        }
    }
}
