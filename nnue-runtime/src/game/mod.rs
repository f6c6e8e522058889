//! Networks of any game, over a feature set, a board and changes of the program.
//!
//! ```text
//!   chess                       any game
//!   Position, Change            Inputs::Position, Inputs::Change     the program's own types
//!   FeatureSet                  Inputs                               which rows are active, and which rows a change changes
//!   Architecture                game::Architecture                   what `nnue!` implements
//!   game::Chess                 game::Custom                         how accumulators follow positions
//! ```
//!
//! [`Network`](crate::Network) and [`AccumulatorStack`](crate::AccumulatorStack) are the same for both.
//!
//! A declaration names the set by its path and says how many rows it has: `self::Ataxx[147] -> 256x2 -> 1`. Everything from
//! the rows on is the same code as for chess: the kernels that add rows, the layers, the files.

mod batch;
mod cache;
mod custom;
mod golden;
mod inputs;
mod laws;
mod rows;
pub(crate) mod rows_of;
#[cfg(test)]
mod tests;
mod update;

pub use custom::Custom;
pub use golden::{with_position, with_text};
pub use inputs::Inputs;
pub use laws::check_change;
pub use rows::{ChangedRows, Rows};

pub use crate::accumulator::{Chess, Game};
use crate::architecture::Model;
pub use crate::architecture::{ChangeOf, Reads, ReadsGolden};

/// A declared network over a feature set of the program: the part of it that depends on positions.
///
/// `nnue!` implements it where a declaration names a set by its path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a network over a feature set of the program",
    label = "expected a type declared with `nnue!` over a set that is named by its path",
    note = "declare it: `nnue! {{ pub struct {Self} = self::MyInputs[147] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture: Model<Game = Custom<Self>> {
    /// Which rows are active in a position.
    type Inputs: Inputs;

    /// The layer stack for a position: what the function after `by` returns, 0 where there is one stack. Numbers from
    /// `SPEC.stacks.count` on count as the last stack.
    fn stack(_position: &<Self::Inputs as Inputs>::Position) -> usize {
        0
    }

    /// Calls `read` with the position of golden value `index` of the declaration, which is read from its text or given by a function.
    /// Nothing is called if there is none, or if its text is no position.
    fn golden<R>(
        index: usize,
        read: impl FnOnce(&<Self::Inputs as Inputs>::Position) -> R,
    ) -> Option<R> {
        let _ = (index, read);
        None
    }
}

/// The position that the inputs of a network are of.
type PositionOf<A> = <<A as Architecture>::Inputs as Inputs>::Position;
/// How a side of such a network sees a position.
type ViewOf<A> = <<A as Architecture>::Inputs as Inputs>::View;
/// What a move changes in its positions.
type ChangedBy<A> = <<A as Architecture>::Inputs as Inputs>::Change;
