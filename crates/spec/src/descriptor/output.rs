//! The output of the layers: terms and their factors.

/// A rational factor: `trunc(x * num / den)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ratio {
    /// numerator
    pub num: i64,
    /// denominator, greater than zero
    pub den: i64,
    /// true: 64-bit product; false: 32-bit, wrapping
    pub wide: bool,
}

/// A term of the output: a neuron, negated or scaled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputTerm {
    /// index of the layer
    pub layer: usize,
    /// index of the neuron among its outputs
    pub neuron: usize,
    /// subtract instead of add
    pub negative: bool,
    /// factor of this term
    pub ratio: Option<Ratio>,
}

/// The positional output: the terms added in i32 (wrapping) and then scaled, or added in f32 in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputDesc<'a> {
    /// the terms, the last layer first
    pub terms: &'a [OutputTerm],
    /// factor of the whole sum
    pub ratio: Option<Ratio>,
}
