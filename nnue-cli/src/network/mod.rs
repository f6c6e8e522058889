//! Networks whose type is known only at run time: the declarations, trait objects over all of them, opening a file.

mod any;
mod declared;
mod default;
mod known;
mod open;
mod verdict;

pub(crate) use any::{AnyNetwork, Evaluator};
pub(crate) use declared::Declared;
pub(crate) use known::{Known, known};
pub(crate) use open::{Opened, open, open_declared, open_either, open_plan};
pub(crate) use verdict::{Inner, Ply, Verdict, Verdicts};
