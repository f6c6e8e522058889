//! The trait of syntax that can be parsed.

use syn::parse::ParseStream;

use super::place::Parsed;

/// Like [`syn::parse::Parse`], with errors that have a code, help and related locations.
pub(crate) trait Parse: Sized {
    fn parse(input: ParseStream) -> Parsed<Self>;
}
