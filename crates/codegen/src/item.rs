//! The parts of a declaration that emission copies: the item as written, and the paths of custom code.

use nnue_spec::NetDesc;

use crate::emit::{Custom, Golden, Item};
use crate::syntax::ast::Declaration;
use crate::syntax::golden::GoldenPosition;

/// The parts of the declaration that the expansion of `net` copies.
pub(crate) fn item<'a>(declaration: &'a Declaration, net: &NetDesc<'_>) -> Item<'a> {
    let activations = net
        .custom
        .activations
        .iter()
        .filter_map(|path| declaration.custom_activation(path));
    let custom = Custom {
        inputs: declaration.custom_inputs(),
        rows: declaration.custom_rows(),
        stack: declaration.custom_stack(),
        activations: activations.collect(),
        goldens: declaration.goldens().map(golden).collect(),
    };
    let Declaration {
        attributes,
        crate_path,
        visibility,
        name,
        ..
    } = declaration;
    Item {
        attributes,
        crate_path: crate_path.as_ref(),
        visibility,
        name,
        custom,
    }
}

fn golden(position: &GoldenPosition) -> Golden<'_> {
    match position {
        GoldenPosition::Text(text) => Golden::Text(&text.value, text.place.start),
        GoldenPosition::Function(own) => Golden::Function(&own.path),
    }
}
