//! The operands of a formula.

/// The operands of one result, and the constants of the operation.
#[derive(Clone, Copy, Debug)]
pub struct Operands<T> {
    /// the operand with the result's index
    pub x: T,
    /// its partner, if [pairs](super::Operation::pairs) are combined; otherwise `x` again
    pub y: T,
    /// scale of the operands: that of the accumulators, or 127 for sums
    pub one: T,
    /// right shift of the result, or of the sum
    pub shift: u32,
}
