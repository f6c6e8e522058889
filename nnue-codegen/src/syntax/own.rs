//! Paths to code of the user's own: `self::Ataxx[147, active 49]`, `by my_function`, `self::my_activation`.

use std::fmt;

use nnue_spec::diagnostic::Code;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, Token};

use super::place::{Int, Parsed, Place, Word};
use super::token::{expected, is_word, parse_int, parse_word};

/// The path of an item of the program.
#[derive(Clone)]
pub(crate) struct OwnPath {
    /// as it was written
    pub path: syn::Path,
    /// where
    pub place: Place,
}

impl OwnPath {
    /// The last name of the path.
    pub(crate) fn name(&self) -> String {
        self.path.segments.last().map(|segment| segment.ident.unraw().to_string()).unwrap_or_default()
    }

    /// All of it, as it was written.
    pub(crate) fn text(&self) -> String {
        let names: Vec<String> = self.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let start = if self.path.leading_colon.is_some() { "::" } else { "" };
        format!("{start}{}", names.join("::"))
    }
}

impl fmt::Debug for OwnPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl From<Ident> for OwnPath {
    fn from(name: Ident) -> Self {
        Self { place: Place::of(name.span()), path: name.into() }
    }
}

/// True if a path of several names stands next, which no word of the language is.
pub(crate) fn begins_path(input: ParseStream) -> bool {
    input.peek(Token![::]) || (input.peek(Ident::peek_any) && input.peek2(Token![::]))
}

/// A path without generic arguments.
pub(crate) fn parse_path(input: ParseStream) -> Parsed<OwnPath> {
    let start = Place::of(input.span());
    let path = input.call(syn::Path::parse_mod_style)?;
    let end = path.segments.last().map_or(start, |segment| Place::of(segment.ident.span()));
    Ok(OwnPath { path, place: start.to(end) })
}

/// `, active 49` behind a number of inputs, if it stands next.
pub(crate) fn parse_active(input: ParseStream) -> Parsed<Option<Int>> {
    if !is_word(input, "active") {
        return Ok(None);
    }
    parse_word(input, "`active`")?;
    if !input.peek(LitInt) {
        let help = "write the number of inputs that can be active at once: `active 32`";
        return Err(expected(Code::BadRows, input, "a number after `active`").help(help));
    }
    parse_int(input, "a number after `active`").map(Some)
}

/// The name of a set of the user's own, with its place.
pub(crate) fn name_of(path: &OwnPath) -> Word {
    Word::new(path.name(), path.place)
}
