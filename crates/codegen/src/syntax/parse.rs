//! The trait of syntax that can be parsed.

use syn::parse::ParseStream;

use super::place::Parsed;

/// Like [`syn::parse::Parse`], with errors that carry a code, help and related places.
pub(crate) trait Parse: Sized {
    /// Reads one from the stream.
    fn parse(input: ParseStream) -> Parsed<Self>;
}
