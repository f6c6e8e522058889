//! Backends that evaluate.

pub(crate) mod random;
pub(crate) mod trivial;

pub use random::Random;
pub use trivial::Trivial;
