//! What an expansion takes from a declaration word for word: the item that is declared, and the paths of the user's own code.

use proc_macro2::{Ident, Span};

/// The declared item, as its author wrote it.
pub(crate) struct Item<'a> {
    /// attributes that pass through to the generated type
    pub attributes: &'a [syn::Attribute],
    /// `#[nnue(crate = path)]`
    pub crate_path: Option<&'a syn::Path>,
    /// `pub`
    pub visibility: &'a syn::Visibility,
    /// the name
    pub name: &'a Ident,
    /// the user's own code
    pub custom: Custom<'a>,
}

/// The paths of the user's own code.
pub(crate) struct Custom<'a> {
    /// the feature set
    pub inputs: Option<&'a syn::Path>,
    /// where the number of its rows stands
    pub rows: Option<Span>,
    /// the function that chooses among the stacks
    pub stack: Option<&'a syn::Path>,
    /// the activations, as [`CustomDesc::activations`](nnue_spec::CustomDesc::activations) numbers them
    pub activations: Vec<&'a syn::Path>,
    /// golden positions
    pub goldens: Vec<Golden<'a>>,
}

/// A golden position of a game of the program's own.
pub(crate) enum Golden<'a> {
    /// what its position type reads, and where it stands
    Text(&'a str, Span),
    /// a function that gives it
    Function(&'a syn::Path),
}
