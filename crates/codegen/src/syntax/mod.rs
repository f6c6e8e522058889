//! The parser: tokens to a syntax tree.
//!
//! One `impl Parse` per clause. Parsing continues after errors: a wrong clause is recorded and skipped, so
//! that one compile reports the errors of several clauses.

mod arrow;
pub(crate) mod ast;
pub(crate) mod attribute;
mod chain;
mod clause;
pub(crate) mod custom;
mod declaration;
pub(crate) mod dense;
mod expr;
mod feature;
pub(crate) mod file;
mod formula;
mod function;
pub(crate) mod golden;
mod grouped;
pub(crate) mod index;
pub(crate) mod keyword;
mod layers;
pub(crate) mod limits;
pub(crate) mod list;
pub(crate) mod listed;
mod number;
pub(crate) mod order;
mod output;
pub(crate) mod pairs;
mod parse;
pub(crate) mod place;
mod row_rule;
mod rows;
mod selector;
pub(crate) mod several;
pub(crate) mod subnets;
mod token;
pub(crate) mod value;
mod width;
mod written;

use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};

use ast::Input;
use parse::Parse;

/// Parses the tokens of one macro call.
pub(crate) fn parse_input(tokens: TokenStream) -> Input {
    if let Some(wrong) = limits::check_tokens(&tokens) {
        return Input {
            declarations: Vec::new(),
            wrongs: vec![wrong],
        };
    }
    let mut parsed = Ok(Input::default());
    // `parse2` itself fails only on leftover tokens, which belong to a skipped clause.
    let _ = (|input: ParseStream| {
        parsed = Input::parse(input);
        Ok(())
    })
    .parse2(tokens);
    parsed.unwrap_or_else(|wrong| Input {
        declarations: Vec::new(),
        wrongs: vec![wrong],
    })
}
