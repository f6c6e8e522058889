//! Places in the source of a declaration.

/// An opaque place in the source. The front end that made it can turn it into a span or a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Loc(pub u32);

/// A value and the place where it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Located<T> {
    /// what was written
    pub value: T,
    /// its place
    pub loc: Loc,
}

impl<T> Located<T> {
    /// Joins a value with its place.
    pub const fn new(value: T, loc: Loc) -> Self {
        Self { value, loc }
    }

    /// Applies `f` to the value and keeps the place.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Located<U> {
        Located {
            value: f(self.value),
            loc: self.loc,
        }
    }
}
