//! Forward and gradient of every declaration in the repository.

mod declared;
mod differences;
mod forward;
