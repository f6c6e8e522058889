//! Forward and backward pass of every declaration in the repository.

mod batches;
mod cuda;
mod declared;
mod differences;
mod factors;
mod forward;
mod gains;
mod others;
mod quantized;
mod rows;
