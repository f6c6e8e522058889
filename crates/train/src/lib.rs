//! Training of declared networks.
//!
//! * [`batch`]: positions as a trainer reads them;
//! * [`batches`]: batches made by threads of the records of any reader;
//! * [`features`]: which rows of the weights are active in a position;
//! * [`move_rows`]: which row of a policy belongs to a move;
//! * [`network`]: the outputs of a declared network in real numbers, and their gradient;
//! * [`cuda`]: the same on a GPU, batch after batch;
//! * [`dense`]: the same of networks over a dense input;
//! * [`factors`]: virtual weights that others have in common;
//! * [`initial`]: the parameters that a training begins with;
//! * [`loss`]: how far they are from scores and results;
//! * [`gradient`]: the gradient of the loss of a batch, by several threads;
//! * [`optimizer`]: from gradients to other parameters;
//! * [`search`]: what a position is worth if both sides look ahead;
//! * [`schedule`]: numbers that change from step to step, as learning rates do;
//! * [`quantized`]: the network in the declared types, evaluated exactly.
//!
//! [`run`] puts them together: a training as a file says it, with checkpoints, which `nnue train` runs.
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
