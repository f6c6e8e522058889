//! What the commands `nnue` and `nnue-train` share:
//!
//! * [`progress`]: how far long work has come;
//! * [`shell`]: completions, pages of the manual;
//! * [`note`](mod@note): lines on standard error;
//! * [`system`]: errors of the system, and the frame of a program that ends with one.
#![forbid(unsafe_code)]
// These macros panic where the stream is closed or full: `note` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod note;
pub mod progress;
pub mod shell;
pub mod system;
