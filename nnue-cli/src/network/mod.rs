//! Networks whose type is known only at run time: the declarations, one trait object over all of them, opening a file.

mod any;
mod default;
mod known;
mod open;

pub(crate) use any::{AnyNetwork, Ply};
pub(crate) use known::{Known, known};
pub(crate) use open::{Opened, open};
