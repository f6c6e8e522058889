//! Training of declared networks.
//!
//! * [`batch`]: encoded positions with targets;
//! * [`batches`]: batches of the records of any reader, made by several threads;
//! * [`features`]: the active rows of a position;
//! * [`move_rows`]: the policy row of a move;
//! * [`network`]: forward and backward pass of a declared network;
//! * [`cuda`]: the same on a GPU, for whole batches;
//! * [`dense`]: the same for networks over a dense input;
//! * [`factors`]: virtual weights that several weights share;
//! * [`initial`]: initial parameters;
//! * [`loss`]: losses of outputs against scores and results;
//! * [`gradient`]: the gradient of the loss of a batch, by several threads;
//! * [`optimizer`]: updates of parameters from gradients;
//! * [`search`]: a small alpha-beta search;
//! * [`schedule`]: numbers that change during a run, such as learning rates;
//! * [`quantized`]: the network in the declared types, evaluated exactly.
//!
//! [`run`] puts them together: a training described by a file, with checkpoints, as `nnue train` runs it.
#![cfg_attr(not(feature = "cuda"), forbid(unsafe_code))]
#![deny(unsafe_code)]
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod batch;
pub mod batches;
pub mod cuda;
pub mod dense;
pub mod factors;
pub mod features;
pub mod gradient;
pub mod initial;
pub mod loss;
pub mod move_rows;
pub mod network;
pub mod optimizer;
pub mod quantized;
pub mod run;
pub mod schedule;
pub mod search;
