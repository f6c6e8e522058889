//! The option `scale`.

use crate::options::Float;

/// The value with an expected score of 73 %.
pub const SCALE: Float = Float {
    name: "scale",
    default: 400.0,
    range: 1.0..=1e6,
    about: "the value, in units of the network, with which 73 % are expected to win",
};
