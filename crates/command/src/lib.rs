//! What the commands `nnue` and `nnue-train` share:
//!
//! * [`output`]: files that are written whole or not at all;
//! * [`progress`]: how far long work has come;
//! * [`shell`]: completions, pages of the manual;
//! * [`note`](mod@note): lines on standard error;
//! * [`system`]: errors of the system, and the frame of a program that ends with one;
//! * [`plain`]: errors of the system in words.
#![forbid(unsafe_code)]
// These macros panic where the stream is closed or full: `note` does not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

pub mod note;
pub mod output;
pub mod progress;
pub mod shell;
pub mod system;

use std::io;

/// The usual errors in words, without the number that the system gives them.
pub fn plain(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "it is a folder".into(),
        io::ErrorKind::InvalidData => "it is not text".into(),
        io::ErrorKind::StorageFull => "the disk is full".into(),
        _ => error.to_string(),
    }
}
