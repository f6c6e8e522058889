//! Networks of any game, over a user-defined feature set, board and changes.
//!
//! ```text
//!   chess                       any game
//!   Position, Change            Inputs::Position, Inputs::Change     the program's own types
//!   FeatureSet                  Inputs                               which rows are active, and which rows a change changes
//!   Architecture                game::Architecture                   what `nnue!` implements
//!   game::Chess                 game::Custom                         how accumulators follow positions
//! ```
//!
//! [`Network`](crate::Network) and [`AccumulatorStack`](crate::AccumulatorStack) are the same for
//! both.
//!
//! A declaration names the set by its path and its number of rows:
//! `self::Ataxx[147] -> 256x2 -> 1`. After the row numbers, all code is the same as for chess: the
//! kernels that add rows, the layers, the files.

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

/// A declared network over a user-defined feature set: the part that depends on positions.
///
/// `nnue!` implements it for declarations that name a set by its path.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a network over a feature set of the program",
    label = "expected a type declared with `nnue!` over a set that is named by its path",
    note = "declare it: `nnue! {{ pub struct {Self} = self::MyInputs[147] -> 256x2 -> 32 -> 1; }}`"
)]
pub trait Architecture: Model<Game = Custom<Self>> {
    /// The feature set.
    type Inputs: Inputs;

    /// The layer stack for a position: the result of the function after `by`, 0 if there is one
    /// stack. Results of `SPEC.stacks.count` or more select the last stack.
    fn stack(_position: &<Self::Inputs as Inputs>::Position) -> usize {
        0
    }

    /// Calls `read` with the position of golden value `index` of the declaration, which is parsed
    /// from its text or returned by a function. Returns `None` if there is no such value, or if its
    /// text is not a position.
    fn golden<R>(
        index: usize,
        read: impl FnOnce(&<Self::Inputs as Inputs>::Position) -> R,
    ) -> Option<R> {
        let _ = (index, read);
        None
    }
}

/// What a game over user-defined inputs is named by: a declared network, or the inputs themselves.
///
/// It is implemented for all declared networks, and for [`Given`](crate::rows::Given).
pub trait Plays: 'static {
    /// The feature set.
    type Inputs: Inputs;
}

impl<A: Architecture> Plays for A {
    type Inputs = <A as Architecture>::Inputs;
}

/// The position type of a game's inputs.
type PositionOf<A> = <<A as Plays>::Inputs as Inputs>::Position;
/// The view type of a game's inputs.
type ViewOf<A> = <<A as Plays>::Inputs as Inputs>::View;
/// The change type of a game's inputs.
type ChangedBy<A> = <<A as Plays>::Inputs as Inputs>::Change;
