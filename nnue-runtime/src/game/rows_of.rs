//! The number of rows of a type that may lack [`Inputs`].

use core::marker::PhantomData;

use super::Inputs;

/// [`RowsOf::ROWS`] is the number of rows of the inputs `I`, or the declared number if the type
/// does not implement [`Inputs`]. In that case the compiler has already reported the missing
/// implementation, and one error is enough.
pub struct RowsOf<I, const DECLARED: usize>(PhantomData<I>);

impl<I: Inputs, const DECLARED: usize> RowsOf<I, DECLARED> {
    /// Shadows [`DeclaredRows::ROWS`] if `I` implements [`Inputs`].
    pub const ROWS: usize = I::ROWS;
}

/// The fallback for a type without [`Inputs`].
pub trait DeclaredRows {
    /// the declared number
    const ROWS: usize;
}

impl<I, const DECLARED: usize> DeclaredRows for RowsOf<I, DECLARED> {
    const ROWS: usize = DECLARED;
}
