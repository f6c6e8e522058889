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
mod shape;
mod tokens;

use std::io::Read;
use std::path::Path;

use nnue_format::signature::identify;
use nnue_spec::NetDesc;
use nnue_spec::plan::Plan;

pub use self::error::SearchError;
pub use self::found::{Found, Guess};
pub use self::head::{Head, HeadNumbers};

use self::candidates::{Candidates, File};
use self::shape::Tail;
use crate::compression::{Bounds, Decompressed};

/// The most bytes of a file after decompression; greater networks are not searched for.
const MOST: u64 = 1 << 30;

/// What is known of a network whose declaration is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// the name of the declared type
    pub name: &'a str,
    /// the `save_format` of the trainer bullet, alone or within its program; `None`: that of its one-layer examples
    pub program: Option<Source<'a>>,
    /// sizes that are known
    pub sizes: Sizes<'a>,
    /// outputs beside the value
    pub heads: &'a [Head],
    /// networks that have names, which containers are compared with
    pub known: &'a [(&'a str, &'a NetDesc<'a>)],
    /// the plan of a text with one declaration, `nnue_codegen::single_plan`: the compiler depends on this crate
    pub compile: fn(&str) -> Option<Plan>,
}

/// A text of Rust and its name in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// the name
    pub name: &'a str,
    /// the text
    pub text: &'a str,
}

/// Sizes that are known, so that others are not tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes<'a> {
    /// neurons of an accumulator
    pub width: Option<u64>,
    /// king buckets
    pub king_buckets: Option<u64>,
    /// output buckets
    pub output_buckets: Option<u64>,
    /// outputs of the layers before the last one; empty: unknown
    pub hidden: &'a [u64],
}

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

    fn check_name(&self) -> Result<(), SearchError> {
        match is_type_name(self.name, self.compile) {
            true => Ok(()),
            false => Err(SearchError::Name(self.name.to_owned())),
        }
    }
}

/// Whether a type may have this name. The compiler decides, since keywords are excluded too.
pub fn is_type_name(name: &str, compile: fn(&str) -> Option<Plan>) -> bool {
    let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
    let is_word = name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && name != "_";
    is_word && compile(&format!("struct {name} = 768 -> 32x2 -> 1;")).is_some()
}
