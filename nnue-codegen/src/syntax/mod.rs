//! Tokens to syntax tree.
//!
//! One `impl Parse` per clause. Parsing never stops at the first error: a wrong clause is recorded and skipped, so that
//! one compile reports the errors of several clauses.

pub(crate) mod ast;
mod chain;
mod clause;
mod declaration;
pub(crate) mod depth;
mod expr;
mod feature;
mod file;
mod formula;
mod function;
pub(crate) mod keyword;
pub(crate) mod list;
mod output;
pub(crate) mod own;
pub(crate) mod pairs;
mod parse;
pub(crate) mod place;
mod selector;
mod token;
mod width;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};

use ast::Input;
use parse::Parse;

/// Parses the tokens of one macro call.
pub(crate) fn parse_input(tokens: TokenStream) -> Input {
    if let Some(wrong) = depth::check_depth(&tokens) {
        return Input { declarations: Vec::new(), wrongs: vec![wrong] };
    }
    let mut parsed = Ok(Input::default());
    // The result of `parse2` itself says only whether tokens are left behind, inside a clause that was skipped.
    let _ = (|input: ParseStream| {
        parsed = Input::parse(input);
        Ok(())
    })
    .parse2(tokens);
    parsed.unwrap_or_else(|wrong| Input { declarations: Vec::new(), wrongs: vec![wrong] })
}
