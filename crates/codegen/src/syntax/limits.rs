//! Limits of the input, checked before recursive or expensive parsing.

use nnue_spec::diagnostic::Code;
use proc_macro2::{TokenStream, TokenTree};

use super::place::{Place, Wrong};

/// Greatest nesting of groups; networks need about five.
const MAX_DEPTH: usize = 32;
/// Greatest number of tokens in one macro call or text.
const MAX_TOKENS: usize = 1 << 18;
/// Greatest number of networks in one macro call or text.
pub(crate) const MAX_DECLARATIONS: usize = 256;
/// Greatest number of clauses in one pair of braces.
pub(crate) const MAX_CLAUSES: usize = 4096;
/// Greatest number of feature sets that are read; accumulators take fewer, which a later check reports.
pub(crate) const MAX_SETS: usize = 16;
/// Greatest length of a text in bytes.
pub(crate) const MAX_TEXT: usize = 1 << 22;

/// The error for too many tokens or too deep nesting, if there is one.
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

/// The error at the first item beyond a limit.
pub(crate) fn too_many(most: usize, what: &str, place: Place) -> Wrong {
    let message = format!("up to {most} {what} are read, and here are more");
    Wrong::new(Code::Limit, place, message)
}
