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
pub use section::{BLOCK_HEAD, BLOCK_MAGIC, Placed, RowRange, Section, Sizes, Span};
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

    /// The sections of a file of `net`, one after the other.
    pub fn placed(&self, net: &NetDesc<'_>) -> Vec<Placed<'a>> {
        section::placed(self.sections, net.stacks.count)
    }

    /// Whether all offsets follow from the declaration, and not from numbers or texts in a file.
    pub fn has_fixed_size(&self) -> bool {
        let varies = |section: &Section<_>| matches!(section, Section::Block(_) | Section::Text);
        !self.leb128 && !self.sections.iter().any(varies)
    }

    /// The sections of a file of `net` and their offsets; `None` if these depend on its
    /// [contents](Self::has_fixed_size).
    pub fn spans(&self, net: &NetDesc<'_>) -> Option<Vec<Span<'a>>> {
        let mut bytes = |placed: &Placed<'_>| {
            let (count, element) = self.numbers(net, placed);
            (count * element.bytes()) as u64
        };
        self.has_fixed_size()
            .then(|| self.spans_of(net.stacks.count, &mut bytes))
    }

    /// The sections of a file of `stacks` stacks and their offsets.
    pub fn spans_of(&self, stacks: usize, sizes: &mut dyn Sizes) -> Vec<Span<'a>> {
        section::spans(section::placed(self.sections, stacks), sizes)
    }

    /// Numbers of the tensor, or of the part of it, that stands at `placed`, and their type in the file. None for
    /// other sections.
    pub fn numbers(&self, net: &NetDesc<'_>, placed: &Placed<'_>) -> (usize, ElementType) {
        match placed.section {
            Section::Tensor(index) => {
                let tensor = &net.tensors[index];
                let copies = placed.stack.map_or(tensor.copies, |_| 1);
                (copies * tensor.rows * tensor.cols, self.element(net, index))
            }
            Section::Rows(rows) => (rows.count * net.tensors[rows.tensor].cols, rows.element),
            _ => (0, ElementType::I8),
        }
    }

    /// The size of a file of `net` in bytes, without padding; `None` if it depends on its
    /// [contents](Self::has_fixed_size).
    pub fn size(&self, net: &NetDesc<'_>) -> Option<u64> {
        let spans = self.spans(net)?;
        Some(spans.last().map_or(0, Span::end))
    }

    /// The tensor at the end of the file, before the padding, if all of it is there.
    pub fn last_tensor(&self) -> Option<usize> {
        let is_group =
            |section: &Section<_>| matches!(section, Section::Stacks(_) | Section::Block(_));
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
