//! Training of declared networks.
//!
//! * [`batch`]: positions as a trainer reads them;
//! * [`batches`]: batches made by threads of the records of any reader;
//! * [`features`]: which rows of the weights are active in a position;
//! * [`network`]: the outputs of a declared network in real numbers, and their gradient;
//! * [`dense`]: the same of networks over a dense input;
//! * [`loss`]: how far they are from scores and results;
//! * [`gradient`]: the gradient of the loss of a batch, by several threads;
//! * [`optimizer`]: from gradients to other parameters;
//! * [`schedule`]: numbers that change from step to step, as learning rates do.
//!
//! The command `nnue-train` prepares the data.
#![forbid(unsafe_code)]

pub mod batch;
pub mod batches;
pub mod dense;
pub mod features;
pub mod gradient;
pub mod loss;
pub mod network;
pub mod optimizer;
pub mod schedule;
