//! Batched evaluation for programs other than alpha-beta searches: tree searches with a policy, servers, data
//! tools.
//!
//! A [`Backend`] evaluates positions with a declared network, a weights file, or other backends. Threads add
//! positions to a [`Computation`] concurrently, and it is computed as a batch. The [`Answers`] contain value,
//! draw probability, plies left, and a policy over the legal moves.
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
//! * [`Backends`] creates backends from text such as `check(trivial, random, freq=0.1)`;
//! * [`backends`]: backends that evaluate; [`adapters`]: those that compare, combine and record others;
//! * [`Evaluator`] is the simplest way to write a backend: how to encode a position, and how to evaluate a
//!   batch;
//! * [`nnue`]: backends of declared networks;
//! * [`cache`]: the storage of [`adapters::Cached`];
//! * [`identity`]: the options that affect answers;
//! * [`lc0`]: networks of Leela Chess Zero, their input planes and move indices;
//! * [`Game`] is the game to evaluate: [`Chess`], or one of your own.
//!
//! There is no global state: any number of backends exist side by side, for example with another network for
//! each side.
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
