//! The form of exported layers.

/// How layers with 8-bit weights are exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// products of 64-bit integers
    WholeNumbers,
    /// float products after `QuantizeLinear` and `DequantizeLinear`, with the same values; engines turn them
    /// into byte products
    Qdq,
}
