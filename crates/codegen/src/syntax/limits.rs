//! A limit on nesting, checked before anything recursive reads the tokens.

use nnue_spec::diagnostic::Code;
use proc_macro2::{TokenStream, TokenTree};

use super::place::{Place, Wrong};

/// The deepest nesting of groups that is read; networks need about five.
const MAX_DEPTH: usize = 32;

/// The error for a group that is nested too deeply, if there is one.
pub(crate) fn check_depth(tokens: &TokenStream) -> Option<Wrong> {
    let mut open = vec![tokens.clone().into_iter()];
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            None => {
                open.pop();
            }
            Some(TokenTree::Group(group)) if open.len() > MAX_DEPTH => {
                let message = format!("groups are nested more than {MAX_DEPTH} deep");
                let wrong = Wrong::new(Code::Syntax, Place::of(group.span_open()), message);
                return Some(wrong.help("give the inner values names: `let h1 = ..;`"));
            }
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
            Some(_) => {}
        }
    }
    None
}
