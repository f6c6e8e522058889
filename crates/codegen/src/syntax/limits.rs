//! Limits on what is read, checked before anything recursive, or anything that costs more than the tokens do, reads the tokens.

use nnue_spec::diagnostic::Code;
use proc_macro2::{TokenStream, TokenTree};

use super::place::{Place, Wrong};

/// The deepest nesting of groups that is read; networks need about five.
const MAX_DEPTH: usize = 32;
/// Most tokens of one macro call, or of one text.
const MAX_TOKENS: usize = 1 << 18;
/// Most networks of one macro call, or of one text.
pub(crate) const MAX_DECLARATIONS: usize = 256;
/// Most clauses of one pair of braces.
pub(crate) const MAX_CLAUSES: usize = 4096;
/// Most feature sets that are read; an accumulator takes fewer, which is said of those that are read.
pub(crate) const MAX_SETS: usize = 16;
/// Longest text, in bytes, that is made into tokens.
pub(crate) const MAX_TEXT: usize = 1 << 22;

/// The error for tokens that are too many, or for a group that is nested too deeply, if there is one.
pub(crate) fn check_tokens(tokens: &TokenStream) -> Option<Wrong> {
    let (mut open, mut count) = (vec![tokens.clone().into_iter()], 0);
    while let Some(innermost) = open.last_mut() {
        let Some(token) = innermost.next() else {
            open.pop();
            continue;
        };
        count += 1;
        if count > MAX_TOKENS {
            let message = format!("`nnue!` reads up to {MAX_TOKENS} tokens, and here are more");
            let wrong = Wrong::new(Code::Limit, Place::of(token.span()), message);
            return Some(wrong.help("write several calls of `nnue!`, or smaller networks"));
        }
        if let TokenTree::Group(group) = token {
            if open.len() > MAX_DEPTH {
                let message = format!("groups are nested more than {MAX_DEPTH} deep");
                let wrong = Wrong::new(Code::Syntax, Place::of(group.span_open()), message);
                return Some(wrong.help("give the inner values names: `let h1 = ..;`"));
            }
            open.push(group.stream().into_iter());
        }
    }
    None
}

/// The error at the first of something that is one too many.
pub(crate) fn too_many(most: usize, what: &str, place: Place) -> Wrong {
    let message = format!("up to {most} {what} are read, and here are more");
    Wrong::new(Code::Limit, place, message)
}
