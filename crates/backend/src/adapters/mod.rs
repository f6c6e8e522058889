//! Backends made of other backends: `check(first, second)`, `cached(..)`, `multiplexing(..)`,
//! `roundrobin(..)`, `demux(..)` and `record(..)`; and `replay`, which replays recorded answers.

mod cached;
mod check;
mod common;
mod demux;
mod multiplexing;
mod queue;
mod record;
mod recording;
mod replay;
mod roundrobin;
mod tally;

pub use cached::{CacheOptions, Cached};
pub use check::{Check, Mode};
pub use demux::Demux;
pub use multiplexing::{Multiplexing, Parent};
pub use record::Record;
pub use replay::Replay;
pub use roundrobin::RoundRobin;
pub use tally::{Histogram, Output, Tally, Tolerance};

use crate::game::Game;
use crate::registry::Entry;

pub(crate) fn entries<G: Game>() -> Vec<Entry<G>> {
    vec![
        cached::entry(),
        check::entry(),
        demux::entry(),
        multiplexing::entry(),
        record::entry(),
        replay::entry(),
        roundrobin::entry(),
    ]
}
