//! In which form layers are written.

/// How layers of 8-bit weights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// products of whole numbers of 64 bits
    WholeNumbers,
    /// products of floats after `QuantizeLinear` and `DequantizeLinear`, which engines turn into products of bytes: the same numbers
    Qdq,
}
