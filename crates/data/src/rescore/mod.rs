//! Scores the positions of files of any size with a network: in sorted batches, on all cores, written in
//! order, resumable after a kill.
//!
//! ```text
//!   files ─► source ─► block of 65,536 records ─┬─► thread: sort, evaluate 256 at a time, encode ─┬─► in order ─► OUT.part ─► OUT
//!            (one thread at a time reads)       └─► thread: ..                                    ┘          └─► OUT.state
//! ```
//!
//! A block ends where a game does, and is encoded by itself, as a chunk of a binpack or as whole games. So
//! any thread can encode it, and the bytes depend neither on the number of threads nor on interruptions.
//!
//! ```no_run
//! # use nnue_runtime::{Architecture, Network};
//! # fn f<MyNet: Architecture>() -> Result<(), Box<dyn std::error::Error>> {
//! use nnue_backend::nnue::NetworkScorer;
//! use nnue_data::rescore::{FileFormat, Input, Job, rescore};
//!
//! let network = NetworkScorer(Box::new(Network::<MyNet>::open("my.nnue")?));
//! let format = FileFormat::of_path("games.binpack".as_ref()).ok_or("a format")?;
//! let input = Input { path: "games.binpack".into(), format };
//! let report = rescore(&Job::new(vec![input], "rescored.binpack".into(), format), &network, &())?;
//! println!("{} positions", report.counts.written);
//! # Ok(())
//! # }
//! ```
//!
//! * [`Job`] describes what to read, write, score and keep; [`rescore`] runs it;
//! * [`Scorer`] evaluates: for chess networks the `NetworkScorer` of the crate `nnue-backend`;
//! * [`Sorted`] evaluates positions in an order in which neighbours share rows, for programs that hold the
//!   positions;
//! * [`Watch`] receives the progress.
//!
//! With the feature `arrow`, Parquet and Arrow files are read and written too.

mod block;
mod encode;
mod error;
mod format;
mod in_order;
mod input;
mod job;
mod open;
mod part;
mod rules;
mod run;
mod scorer;
mod share;
mod sorted;
mod source;
mod state;
#[cfg_attr(not(feature = "arrow"), path = "without_tables.rs")]
mod tables;
mod watch;

pub use error::Error;
pub use format::{FileFormat, TableFormat};
pub use job::{BLOCK, Input, Job};
pub use rules::{Counts, GREATEST, Rules, Treatment};
pub use run::{Report, rescore};
pub use scorer::{Scorer, TOGETHER, Worker};
pub use share::{NoShare, Share};
pub use sorted::Sorted;
pub use watch::Watch;
