//! Networks of any game, over a feature set, a board and changes of the user's own.
//!
//! ```text
//!   chess                       any game
//!   Position, Change            Inputs::Position, Inputs::Change     the user's own types
//!   FeatureSet                  Inputs                               which rows are active, and which rows a change changes
//!   Architecture                game::Architecture                   what `nnue!` implements
//!   AccumulatorStack            game::AccumulatorStack               lazy, incremental, with a refresh cache
//!   Network::evaluate           Network::evaluate_game
//! ```
//!
//! A declaration names the set by its path and says how many rows it has: `self::Ataxx[147] -> 256x2 -> 1`. Everything from
//! the rows on is the same code as for chess: the kernels that add rows, the layers, the files.

mod cache;
mod inputs;
mod laws;
mod network;
mod rows;
mod stack;
#[cfg(test)]
mod tests;
mod update;

pub use inputs::Inputs;
pub use laws::check_change;
pub use rows::{ChangedRows, Rows};
pub use stack::AccumulatorStack;

use crate::architecture::Model;

/// A declared network over a feature set of the user's own.
///
/// `nnue!` implements it where a declaration names a set by its path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a network over a feature set of one's own",
    label = "expected a type declared with `nnue!` over a set that is named by its path",
    note = "declare it: `nnue! {{ pub struct {Self} = self::MyInputs[147] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture: Model {
    /// Which rows are active in a position.
    type Inputs: Inputs;

    /// The layer stack for a position: what the function behind `by` returns, 0 where there is one stack. Numbers from
    /// `SPEC.stacks.count` on count as the last stack.
    fn stack(position: &<Self::Inputs as Inputs>::Position) -> usize;
}
