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
mod policies;
mod program;
mod request;
mod separate;
mod shape;
mod tokens;
mod variants;

use std::io::{self, Read};
use std::path::Path;

use nnue_format::signature::identify;

pub use self::error::SearchError;
pub use self::found::{Found, Guess};
pub use self::head::{Head, HeadNumbers};
pub use self::request::{MOST_BYTES, Search, Sizes, Source, is_type_name};

use self::candidates::{Candidates, File};
use self::shape::Tail;
use crate::compression::{Bounds, Decompressed};

impl Search<'_> {
    /// [`read`](Self::read) of the file at `path`, or of a [folder](crate::folder) with a file for each tensor.
    ///
    /// # Errors
    ///
    /// Those of [`read`](Self::read); if the path is neither that of a file nor of a folder of tensors.
    pub fn file(&self, path: &Path) -> Result<Found, SearchError> {
        match path.is_dir() {
            true => self.folder(&separate::open(path)?),
            false => self.read(nnue_format::open(path)?),
        }
    }

    /// Guesses declarations of a file, which may be compressed by gzip or zstd. It is read into memory.
    ///
    /// # Errors
    ///
    /// If the name is none, the file cannot be read, has more than [`MOST_BYTES`], is of another kind or has the size of no network; if the
    /// trainer's program cannot be read.
    pub fn read(&self, file: impl Read) -> Result<Found, SearchError> {
        self.check_name()?;
        let candidates = Candidates::new(self)?;
        let bytes = contents(file)?;
        if bytes.is_empty() {
            let message =
                "zero length: the trainer's quantisation overflowed, look for its message";
            return Err(SearchError::File(message.into()));
        }
        if container::is_container(&bytes) {
            return container::found(&bytes, self);
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

/// Bytes that are read at a time.
const STEP: u64 = 1 << 24;

/// What a file holds after decompression. Memory grows in steps: doubled, it would be more than the longest file needs.
fn contents(file: impl Read) -> Result<Vec<u8>, SearchError> {
    let bounds = Bounds {
        lead: 0,
        most: MOST_BYTES,
    };
    let (mut file, mut bytes) = (Decompressed::open(file, bounds)?, Vec::new());
    loop {
        bytes
            .try_reserve_exact(STEP as usize)
            .map_err(|_| SearchError::Io(io::ErrorKind::OutOfMemory.into()))?;
        if file.by_ref().take(STEP).read_to_end(&mut bytes)? < STEP as usize {
            return Ok(bytes);
        }
        if bytes.len() as u64 > MOST_BYTES {
            let message = format!(
                "it has more than {MOST_BYTES} bytes, the most for which declarations are searched"
            );
            return Err(SearchError::File(message));
        }
    }
}
