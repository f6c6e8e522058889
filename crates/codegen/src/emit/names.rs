//! Names in the expansion: the author's plus a fixed suffix outside, plain ones inside `forward`.

use nnue_spec::{LayerDesc, NetDesc, Segment};
use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

/// The names of the public items of a declaration.
pub(crate) struct Names {
    /// the marker, named by the author
    pub marker: Ident,
    /// `NameParams`
    pub params: Ident,
    /// `NameNetwork`
    pub network: Ident,
    /// `NameAccumulator`
    pub accumulator: Ident,
}

impl Names {
    /// Derives all names from that of the marker.
    pub(crate) fn new(marker: &Ident) -> Self {
        let suffixed =
            |suffix: &str| Ident::new(&format!("{}{suffix}", marker.unraw()), marker.span());
        Self {
            params: suffixed("Params"),
            network: suffixed("Network"),
            accumulator: suffixed("Accumulator"),
            marker: marker.clone(),
        }
    }
}

/// The name of a layer's field in the parameters, and of the local with its sums.
pub(crate) fn layer_name(net: &NetDesc<'_>, layer: usize) -> Ident {
    Ident::new(net.layers[layer].name, Span::mixed_site())
}

/// The local with a buffer: `b0_x`. The prefix avoids collisions in `forward`.
pub(crate) fn buffer_name(net: &NetDesc<'_>, buffer: usize) -> Ident {
    let name: String = net.buffers[buffer]
        .name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    Ident::new(&format!("b{buffer}_{name}"), Span::mixed_site())
}

/// The local with the buffer that a layer reads, if it reads exactly one whole buffer.
pub(super) fn whole_buffer(net: &NetDesc<'_>, layer: &LayerDesc<'_>) -> Option<Ident> {
    match *layer.segments {
        [
            Segment {
                buffer,
                start: 0,
                len,
            },
        ] if net.buffers[buffer].len == len => Some(buffer_name(net, buffer)),
        _ => None,
    }
}
