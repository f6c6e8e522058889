//! The operands of a formula.

/// The operands of one result, and the constants of the operation.
#[derive(Clone, Copy, Debug)]
pub struct Operands<T> {
    /// the operand with the result's index
    pub x: T,
    /// its partner, if [pairs](super::Operation::pairs) are combined; otherwise `x` again
    pub y: T,
    /// what 1.0 is in accumulator units; of sums, 127
    pub one: T,
    /// bits by which the result, or the sum, is shifted right
    pub shift: u32,
}
