//! Networks whose type is known only at run time: declarations, trait objects, opening files.

mod any;
mod compiled;
mod declared;
mod default;
mod described;
mod known;
mod open;
mod play;
mod verdict;

#[cfg(feature = "backends")]
pub(crate) use any::Shared;
pub(crate) use any::{Accumulated, AnyNetwork, Batches, Evaluator, Line, Stack};
pub(crate) use declared::{Declared, GOLDEN_OF_PROGRAM};
pub(crate) use described::Described;
pub(crate) use known::{Known, known};
pub(crate) use open::{
    Opened, OpenedRows, level_of, open_any, open_declared, open_either, open_plan, open_rows,
};
pub(crate) use play::{Ply, play, wander};
pub(crate) use verdict::{Inner, Verdict, Verdicts};
