//! What is known of a network whose declaration is wanted.

use nnue_spec::NetDesc;
use nnue_spec::plan::Plan;
use nnue_spec::subnets::SubnetsGraph;

use super::error::SearchError;
use super::head::Head;

/// The most bytes of a file, and of what is in it; declarations of greater ones are not searched for.
pub const MOST_BYTES: u64 = 1 << 29;

/// What is known of a network whose declaration is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    /// the name of the declared type
    pub name: &'a str,
    /// the `save_format` of the trainer bullet, alone or within its program; `None`: that of its one-layer examples
    pub program: Option<Source<'a>>,
    /// sizes that are known
    pub sizes: Sizes<'a>,
    /// outputs beside the value
    pub heads: &'a [Head],
    /// networks that have names, which containers are compared with
    pub known: &'a [(&'a str, &'a NetDesc<'a>)],
    /// the plan of a text with one declaration, `nnue_codegen::single_plan`: the compiler depends on this crate
    pub compile: fn(&str) -> Option<Plan>,
    /// the graph of a text with one declaration of subnets, `nnue_codegen::single_subnets`
    pub compile_subnets: fn(&str) -> Option<SubnetsGraph>,
}

/// A text of Rust and its name in messages.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// the name
    pub name: &'a str,
    /// the text
    pub text: &'a str,
}

/// Sizes that are known, so that others are not tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes<'a> {
    /// neurons of an accumulator
    pub width: Option<u64>,
    /// king buckets
    pub king_buckets: Option<u64>,
    /// output buckets
    pub output_buckets: Option<u64>,
    /// outputs of the layers before the last one; empty: unknown
    pub hidden: &'a [u64],
}

impl Search<'_> {
    /// Refuses names that no type can have.
    pub(super) fn check_name(&self) -> Result<(), SearchError> {
        match is_type_name(self.name, self.compile) {
            true => Ok(()),
            false => Err(SearchError::Name(self.name.to_owned())),
        }
    }
}

/// Whether a type may have this name. The compiler decides, since keywords are excluded too.
pub fn is_type_name(name: &str, compile: fn(&str) -> Option<Plan>) -> bool {
    let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
    let is_word = name.starts_with(is_letter)
        && name.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && name != "_";
    is_word && compile(&format!("struct {name} = 768 -> 32x2 -> 1;")).is_some()
}
