//! Tables: batches of rows of Parquet and Arrow files, in bounded memory.
//!
//! ```text
//!   parquet   Parquet: checks what a file says of itself, then decodes a part of it
//!   pages     the headers of its pages, which say how much memory they take
//!   arrow     Arrow files and streams, message by message
//!   messages  their messages, before anything decodes them
//!   values    texts and numbers of a column, whatever its type
//!   guarded   calls of the libraries that decode
//! ```

pub(crate) mod arrow;
pub(crate) mod guarded;
pub(crate) mod messages;
mod pages;
pub(crate) mod parquet;
pub(crate) mod values;
