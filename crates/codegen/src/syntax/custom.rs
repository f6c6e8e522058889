//! Paths to custom code: `self::Ataxx[147, active 49]`, `by my_function`, `self::my_activation`.

use std::fmt;

use nnue_spec::diagnostic::Code;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Ident, LitInt, Token};

use super::number::parse_int;
use super::place::{Int, Parsed, Place, Word, Wrong};
use super::token::{expected, is_word, parse_word};

/// The path of an item of the program.
#[derive(Clone)]
pub(crate) struct CustomPath {
    pub path: syn::Path,
    pub place: Place,
}

impl CustomPath {
    /// The last segment of the path.
    pub(crate) fn name(&self) -> String {
        self.path
            .segments
            .last()
            .map(|segment| segment.ident.unraw().to_string())
            .unwrap_or_default()
    }

    /// The whole path as written.
    pub(crate) fn text(&self) -> String {
        let names: Vec<String> = self
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        let start = if self.path.leading_colon.is_some() {
            "::"
        } else {
            ""
        };
        format!("{start}{}", names.join("::"))
    }
}

impl fmt::Debug for CustomPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl From<Ident> for CustomPath {
    fn from(name: Ident) -> Self {
        Self {
            place: Place::of(name.span()),
            path: name.into(),
        }
    }
}

/// Whether a path of several segments is next. Words of the language have only one.
pub(crate) fn begins_path(input: ParseStream) -> bool {
    input.peek(Token![::]) || (input.peek(Ident::peek_any) && input.peek2(Token![::]))
}

/// A path without generic arguments.
pub(crate) fn parse_path(input: ParseStream) -> Parsed<CustomPath> {
    let start = Place::of(input.span());
    let parsed = input.call(syn::Path::parse_mod_style);
    if input.peek(Token![<]) {
        let message = "the path of code of your own has no generic arguments";
        let help = "give the type a name, `type Mine8 = Mine<u8>;`, and write `self::Mine8`";
        return Err(Wrong::new(Code::Syntax, Place::of(input.span()), message).help(help));
    }
    let path = parsed?;
    let end = path
        .segments
        .last()
        .map_or(start, |segment| Place::of(segment.ident.span()));
    Ok(CustomPath {
        path,
        place: start.to(end),
    })
}

/// Takes `, active 49` after a number of inputs, if it is next.
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

/// The name of a custom set, with its location.
pub(crate) fn name_of(path: &CustomPath) -> Word {
    Word::new(path.name(), path.place)
}
