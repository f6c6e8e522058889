//! Which declaration reads a file: a container by its header, a file of numbers by all shapes that have its size.
//!
//! ```text
//!   file ── container ─── its header ────────────────────────────────────────────────► guesses
//!        ├─ numbers ───── lists of tensors ── shapes of this size ── are the numbers plausible? ─┤
//!        └─ of an engine  declarations of engines ── the width of this size ─────────────────────┘
//! ```
//!
//! The lists of tensors are those of a trainer's program ([`Search::program`]), otherwise those of its examples. Each [`Guess`] has a
//! declaration, what speaks against it, and what the file does not tell.

mod candidates;
mod constants;
mod container;
mod declare;
mod doubt;
mod engines;
mod error;
mod found;
mod head;
mod heads;
mod hints;
mod inputs;
mod list;
mod program;
mod request;
mod shape;
mod tokens;

use std::io::Read;
use std::path::Path;

use nnue_format::signature::identify;

pub use self::error::SearchError;
pub use self::found::{Found, Guess};
pub use self::head::{Head, HeadNumbers};
pub use self::request::{Search, Sizes, Source, is_type_name};

use self::candidates::{Candidates, File};
use self::request::MOST;
use self::shape::Tail;
use crate::compression::{Bounds, Decompressed};

impl Search<'_> {
    /// Guesses declarations of the file at `path`, which may be compressed by gzip or zstd. It is read into memory.
    ///
    /// # Errors
    ///
    /// If the name is none, the file cannot be read, is of another kind or has the size of no network; if the trainer's program cannot be read.
    pub fn file(&self, path: &Path) -> Result<Found, SearchError> {
        self.check_name()?;
        let candidates = Candidates::new(self)?;
        let bounds = Bounds {
            lead: 0,
            most: MOST,
        };
        let mut bytes = Vec::new();
        let file = nnue_format::open(path)?;
        let length = file.metadata()?.len();
        if length > MOST {
            return Err(SearchError::File(format!(
                "it has {length} bytes, and declarations are searched for files of {MOST} bytes at most"
            )));
        }
        Decompressed::open(file, bounds)?.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            let message =
                "zero length: the trainer's quantisation overflowed, look for its message";
            return Err(SearchError::File(message.into()));
        }
        if container::is_container(&bytes) {
            return container::found(&bytes, self.known);
        }
        if let Some(kind) = identify(&bytes) {
            return Err(SearchError::File(format!("this is {kind}")));
        }
        candidates.found(&File {
            size: bytes.len() as u64,
            tail: Tail::of(&bytes),
            contents: Some(&bytes),
        })
    }

    /// Guesses declarations of a file of numbers that has this many bytes.
    ///
    /// # Errors
    ///
    /// If the name is none, no network has this size, or the trainer's program cannot be read.
    pub fn size(&self, bytes: u64) -> Result<Found, SearchError> {
        self.check_name()?;
        Candidates::new(self)?.found(&File {
            size: bytes,
            tail: Tail::Unknown,
            contents: None,
        })
    }
}
