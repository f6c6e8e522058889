//! The option `scale`.

use crate::options::Float;

/// What the value of a network means.
pub const SCALE: Float = Float {
    name: "scale",
    default: 400.0,
    range: 1.0..=1e6,
    about: "the value, in units of the network, with which 73 % are expected to win",
};
