//! What all functions have: a name, a network, and what becomes of wrong positions.

use std::fmt;
use std::hash::{Hash, Hasher};

use datafusion_common::arrow::datatypes::DataType;
use datafusion_expr::{Signature, TypeSignature, Volatility};

/// What becomes of a position that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wrong {
    Error,
    Null,
}

/// A network as a function. The planner takes two as the same if their keys are.
pub(crate) struct Function<N> {
    pub(crate) key: Key,
    pub(crate) signature: Signature,
    pub(crate) network: N,
}

/// What tells a function from all others.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) name: String,
    /// of the network's declaration and weights
    pub(crate) identity: u128,
    pub(crate) wrong: Wrong,
    /// `Int32` for values, `Float64` for values before they are rounded
    pub(crate) returns: DataType,
}

impl<N> Function<N> {
    /// A function whose values depend on its arguments alone.
    pub(crate) fn new(key: Key, arguments: TypeSignature, network: N) -> Self {
        Self {
            key,
            signature: Signature::new(arguments, Volatility::Immutable),
            network,
        }
    }
}

impl<N> PartialEq for Function<N> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<N> Eq for Function<N> {}

impl<N> Hash for Function<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl<N> fmt::Debug for Function<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Key {
            name,
            identity,
            wrong,
            returns,
        } = &self.key;
        write!(
            f,
            "{name} -> {returns}, network {identity:032x}, wrong positions: {wrong:?}"
        )
    }
}

/// The beginning of a text in backticks, for messages.
pub(crate) fn quoted(text: &str) -> String {
    const SHOWN: usize = 100;
    let start: String = text.chars().take(SHOWN).collect();
    let dots = if start.len() < text.len() { ".." } else { "" };
    format!("`{}{dots}`", start.escape_debug())
}
