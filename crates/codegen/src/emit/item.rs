//! The parts of a declaration that the expansion copies: the declared item, and the paths of custom code.

use proc_macro2::{Ident, Span};

/// The declared item, as written.
pub(crate) struct Item<'a> {
    /// attributes passed through to the generated type
    pub attributes: &'a [syn::Attribute],
    /// `#[nnue(crate = path)]`
    pub crate_path: Option<&'a syn::Path>,
    pub visibility: &'a syn::Visibility,
    pub name: &'a Ident,
    /// custom code
    pub custom: Custom<'a>,
}

/// The paths of custom code.
pub(crate) struct Custom<'a> {
    pub inputs: Option<&'a syn::Path>,
    /// location of the number of its rows
    pub rows: Option<Span>,
    /// the function that selects the stack
    pub stack: Option<&'a syn::Path>,
    /// the activations, indexed as [`CustomDesc::activations`](nnue_spec::CustomDesc::activations)
    pub activations: Vec<&'a syn::Path>,
    pub goldens: Vec<Golden<'a>>,
}

/// A golden position of the program's own game.
pub(crate) enum Golden<'a> {
    /// text for its position type, with location
    Text(&'a str, Span),
    /// a function that returns it
    Function(&'a syn::Path),
}
