//! Forward and gradient of every declaration in the repository.

mod batches;
mod declared;
mod differences;
mod forward;
mod gains;
mod quantized;
