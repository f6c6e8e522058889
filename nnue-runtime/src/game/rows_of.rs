//! The rows of a type that may lack [`Inputs`].

use core::marker::PhantomData;

use super::Inputs;

/// [`RowsOf::ROWS`] is the number of rows of the inputs `I`; of a type without [`Inputs`], the number that was declared. The compiler has
/// reported that the type lacks them then, and one error is enough.
pub struct RowsOf<I, const DECLARED: usize>(PhantomData<I>);

impl<I: Inputs, const DECLARED: usize> RowsOf<I, DECLARED> {
    /// Stands before [`DeclaredRows::ROWS`] where `I` has it.
    pub const ROWS: usize = I::ROWS;
}

/// What is taken of a type without [`Inputs`].
pub trait DeclaredRows {
    /// the number that was declared
    const ROWS: usize;
}

impl<I, const DECLARED: usize> DeclaredRows for RowsOf<I, DECLARED> {
    const ROWS: usize = DECLARED;
}
