//! Header-less files. See `docs/files.md`, "Files without a header".
//!
//! ```text
//!   sections in the order of the declaration, little endian | padding to a multiple of 64 bytes
//! ```

mod axes;
mod order;
mod padding;
mod section;
mod stored;

pub use axes::{Axes, Axis, HELD, Part};
pub use order::FileOrder;
pub use padding::Padding;
pub use section::{Placed, Section, Span};
pub use stored::Stored;

use alloc::vec::Vec;

use crate::descriptor::{ElementType, LayerKind, MapDesc, NetDesc, Segment, TensorRole};

/// The layout of a header-less file. The order of its tensors is that of
/// [`NetDesc::tensors`](crate::NetDesc::tensors).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RawDesc<'a> {
    /// the parts of the file in order, each tensor once
    pub sections: &'a [Section<&'a [u8]>],
    /// what may follow the last tensor
    pub padding: Padding,
    /// axes of each tensor, in the order of the tensors
    pub axes: &'a [Axes<'a>],
    /// tensors with another element type or scale in the file than in memory
    pub stored: &'a [Stored],
    /// whether the inputs of layers that read two perspectives alternate between them; otherwise the second
    /// perspective follows the first
    pub interleaved: bool,
    /// whether the rows of the enemy's pieces come before those of the own
    pub enemy_first: bool,
    /// whether numbers are LEB128: signed, and the bits of floats unsigned
    pub leb128: bool,
}

impl<'a> RawDesc<'a> {
    /// The conversion of tensor `index`, if the file has another element type or scale.
    pub fn stored(&self, index: usize) -> Option<&Stored> {
        self.stored.iter().find(|stored| stored.tensor == index)
    }

    /// The element type of tensor `index` of `net` in the file.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn element(&self, net: &NetDesc<'_>, index: usize) -> ElementType {
        self.stored(index)
            .map_or(net.tensors[index].element, |stored| stored.element)
    }

    /// Size of tensor `index` of `net` in the file, in bytes.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn bytes(&self, net: &NetDesc<'_>, index: usize) -> usize {
        net.tensors[index].len() * self.element(net, index).bytes()
    }

    /// The sections of a file of `net`, one after the other.
    pub fn placed(&self, net: &NetDesc<'_>) -> Vec<Placed<'a>> {
        section::placed(self.sections, net.stacks.count)
    }

    /// The sections of a file of `net` and their offsets; `None` if these depend on its numbers (LEB128).
    pub fn spans(&self, net: &NetDesc<'_>) -> Option<Vec<Span<'a>>> {
        let stacks = net.stacks.count;
        let bytes = |index, stack: Option<usize>| {
            let bytes = self.bytes(net, index) as u64;
            stack.map_or(bytes, |_| bytes / stacks as u64)
        };
        (!self.leb128).then(|| self.spans_of(stacks, bytes))
    }

    /// The sections of a file of `stacks` stacks and their offsets; `tensor` is the size of a tensor, or of its
    /// copy of a stack.
    pub fn spans_of(
        &self,
        stacks: usize,
        tensor: impl Fn(usize, Option<usize>) -> u64,
    ) -> Vec<Span<'a>> {
        section::spans(self.sections, stacks, tensor)
    }

    /// The size of a file of `net` in bytes, without padding; `None` if it depends on its numbers (LEB128).
    pub fn size(&self, net: &NetDesc<'_>) -> Option<u64> {
        let spans = self.spans(net)?;
        Some(spans.last().map_or(0, Span::end))
    }

    /// The tensor at the end of the file, before the padding, if all of it is there.
    pub fn last_tensor(&self) -> Option<usize> {
        let is_group = |section: &Section<_>| matches!(section, Section::Stacks(_));
        match self.sections.last() {
            Some(Section::Tensor(index)) if !self.sections.iter().any(is_group) => Some(*index),
            _ => None,
        }
    }

    /// Bytes before the first tensor, if there is nothing else besides tensors.
    pub fn skip(&self) -> Option<usize> {
        let is_tensor = |section: &Section<_>| matches!(section, Section::Tensor(_));
        match self.sections {
            [Section::Skip(bytes), rest @ ..] if rest.iter().all(is_tensor) => Some(*bytes),
            rest => rest.iter().all(is_tensor).then_some(0),
        }
    }

    /// The order of the elements of tensor `index` of `net` in the file.
    ///
    /// # Panics
    ///
    /// If there is no such tensor.
    pub fn order(&self, net: &NetDesc<'_>, index: usize) -> FileOrder<'a> {
        let reads_both = match net.tensors[index].role {
            TensorRole::LayerWeight(layer) => {
                net.accumulator.perspectives == 2 && net.reads_accumulators(layer)
            }
            _ => false,
        };
        FileOrder {
            axes: self.axes[index],
            interleaved: self.interleaved && reads_both,
            enemy_first: self.enemy_first
                && matches!(
                    net.tensors[index].role,
                    TensorRole::TransformerWeight
                        | TensorRole::SecondWeight
                        | TensorRole::TransformerPsqt
                ),
        }
    }
}

impl NetDesc<'_> {
    /// Whether layer `layer` reads the accumulators: activated in a buffer, by an expression, or directly.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn reads_accumulators(&self, layer: usize) -> bool {
        let of_accumulators = |segment: &Segment| {
            let map = self.map_of(segment.buffer);
            self.origin(segment.buffer).is_accumulator()
                || map.is_some_and(MapDesc::reads_accumulators)
        };
        let layer = &self.layers[layer];
        layer.kind == LayerKind::Direct || layer.segments.iter().any(of_accumulators)
    }
}
