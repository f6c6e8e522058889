//! Networks with several outputs: one gives the value, the others are named.
//!
//! For each named output the macro generates a type, and also a struct of all of them and a forward
//! pass that skips the outputs that the caller does not want:
//!
//! ```text
//!   pub struct ExampleOutputs { pub wdl: Wdl, pub moves_left: f32 }      all of them             WANTED = 0b110
//!   pub struct ExampleWdl(pub Wdl);                                      one                     WANTED = 0b010
//!   (ExampleWdl, ExampleMovesLeft)                                       several, as a tuple     WANTED = 0b110
//! ```

use crate::architecture::{Accumulator, Model};
use crate::kernel::Rows;
use crate::simd::Simd;

/// A declared network with named outputs. `nnue!` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no outputs beside its value",
    label = "the declaration of this network names no output",
    note = "write one in its graph form, for example `output wdl = wdl(affine(x, 3));`"
)]
pub trait NamedOutputs: Model {
    /// All named outputs, each a field.
    type Outputs: Copy + Send + Sync + 'static;

    /// [`Model::forward`] plus the named outputs that `H` wants; the others are zero. Values that
    /// several outputs need are computed once. Networks with an output of rows also compute `rows`,
    /// if given.
    ///
    /// Implementations are `#[inline(always)]`, so that they are compiled with the instructions of
    /// the level.
    fn forward_with<S: Simd, H: Heads<Self>>(
        simd: S,
        params: &Self::Params,
        us: &Accumulator<Self>,
        them: &Accumulator<Self>,
        stack: usize,
        rows: &mut Rows<'_>,
    ) -> (Self::Output, Self::Outputs);
}

/// A declared network with an output whose rows are computed on demand,
/// `output policy = rows(x, 1880);`. `nnue!` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no output of rows",
    label = "the declaration of this network has no policy",
    note = "write one in its graph form, for example `output policy = rows(x, 1880);`"
)]
pub trait Policy: NamedOutputs {
    /// The number of rows.
    const ROWS: usize;
}

/// The outputs that a caller wants: one of the generated types, a tuple of up to four, or the
/// struct of all of them. See [`Network::evaluate_with`](crate::Network::evaluate_with).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output of `{A}`",
    label = "ask for a generated type, such as `{A}Outputs`, or for a tuple of them",
    note = "each `output name = ..` of a declaration makes a type with the name of the network and of the output"
)]
pub trait Heads<A: NamedOutputs>: Sized {
    /// Bit `1 + k` stands for output `k` of `SPEC.heads`.
    const WANTED: u32;

    /// Selects the wanted outputs.
    fn of(all: &A::Outputs) -> Self;
}

macro_rules! tuples {
    ($(($($head:ident),+))*) => {
        $(
            impl<A: NamedOutputs, $($head: Heads<A>),+> Heads<A> for ($($head,)+) {
                const WANTED: u32 = $($head::WANTED)|+;

                #[inline(always)]
                fn of(all: &A::Outputs) -> Self {
                    ($($head::of(all),)+)
                }
            }
        )*
    };
}

/// Only the value.
impl<A: NamedOutputs> Heads<A> for () {
    const WANTED: u32 = 0;

    #[inline(always)]
    fn of(_all: &A::Outputs) -> Self {}
}

tuples!((H0)(H0, H1)(H0, H1, H2)(H0, H1, H2, H3));
