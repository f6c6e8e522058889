//! Evaluations in batches, for programs that are not alpha-beta searches: tree searches with a policy, servers, tools for data.
//!
//! A [`Backend`] evaluates positions, whatever does the work: a declared network, a file of weights, other backends. Positions are added to
//! a [`Computation`], from any number of threads, and computed together. What comes back are [`Answers`]: the value, the share of draws, the
//! plies that are left, and a policy over the legal moves.
//!
//! ```
//! use nnue_backend::{Backend, Backends, Chess, Sample, Wanted};
//! use nnue_data::Position;
//!
//! let backend = Backends::<Chess>::standard().create("multiplexing(random(seed=7), trivial, max_batch=64)")?;
//! let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
//! let moves = position.legal_moves().ok_or("no position of a game")?;
//!
//! let computation = backend.computation();
//! let added = computation.add(&Sample { history: &[position], moves: &moves }, Wanted::ALL)?;
//! let answers = computation.compute()?;
//! assert!(answers.q(added.slot).abs() <= 1.0);
//! assert_eq!(answers.policy(added.slot).len(), moves.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! * [`Backends`] makes backends of a text, `check(trivial, random, freq=0.1)`;
//! * [`backends`]: those that evaluate; [`adapters`]: those that compare, combine and record others;
//! * [`Evaluator`] is the short way to write one: what to keep of a position, and how to evaluate many;
//! * [`nnue`]: backends of declared networks;
//! * [`cache`]: what [`adapters::Cached`] writes;
//! * [`identity`]: which options belong to the identity of answers;
//! * [`lc0`]: networks of Leela Chess Zero, their planes and their numbers of moves;
//! * [`Game`] is what they evaluate: [`Chess`], or a game of your own.
//!
//! There are no globals: any number of backends exist side by side, with another network for each side if need be.
#![forbid(unsafe_code)]

pub mod adapters;
mod answers;
mod backend;
pub mod backends;
mod batch;
pub mod cache;
mod chess;
mod digest;
mod error;
mod evaluator;
mod game;
pub mod identity;
pub mod lc0;
pub mod nnue;
pub mod options;
mod registry;
mod standard;
mod value;
mod workers;

pub use answers::{Answer, Answers};
pub use backend::{Added, Attributes, Backend, Computation};
pub use batch::Batch;
pub use chess::Chess;
pub use digest::Digest;
pub use error::Error;
pub use evaluator::{Batched, Evaluator};
pub use game::{Game, Sample, Wanted};
pub use registry::{Backends, Builder, Entry};
pub use value::expected_score;
