//! Commands over backends: list, evaluate, measure, analyse, inspect caches.
//!
//! ```text
//!   text, --net, --declaration ── registry ──► Backend ──► eval     positions and games
//!                                                     ├──► bench    positions a second
//!                                                     └──► analyze  games of a file, batch after batch, kept in a cache
//! ```

mod analyze;
mod bench;
mod cache;
mod eval;
mod format;
mod list;
mod positions;
mod registry;

pub(crate) use analyze::run as analyze;
pub(crate) use bench::run as bench;
pub(crate) use cache::run as cache;
pub(crate) use eval::run as eval;
pub(crate) use list::run as list;
