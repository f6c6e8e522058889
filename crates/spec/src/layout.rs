//! Sizes that follow from a descriptor: padded buffers and sums, and the prepared blocks of layers.
//!
//! A layer's weights are prepared once per level. Columns are cut into *blocks* of four consecutive buffer
//! values;
//! a block holds, for each output (padded), its four weights:
//!
//! ```text
//!   buffer:     | 0 1 2 3 | 4 5 6 7 | 8 9 ..            segment start = 2, len = 5
//!                   ^^^^^^^^^^^^^^^                     covers blocks 0 and 1; weights of 0, 1 and 7 are zero
//!   prepared:   [stack][block][padded output][4] i8     blocks of segment 0, then of segment 1, ...
//! ```
//!
//! A row (one output) has no blocks: its prepared weights follow the padded buffers, one after the other.

use core::ops::Range;

use crate::descriptor::{LayerDesc, LayerKind, NetDesc, Source};

/// Rounds `n` up to a multiple of `of`.
pub const fn round_up(n: usize, of: usize) -> usize {
    n.div_ceil(of) * of
}

/// Bytes of a buffer of `len` u8 values: a multiple of 64, one whole vector of the widest level.
pub const fn padded_bytes(len: usize) -> usize {
    round_up(len, 64)
}

/// Lanes of the sums of a layer with `outputs` outputs: a multiple of 16, one vector of the widest level.
pub const fn padded_sums(outputs: usize) -> usize {
    round_up(outputs, 16)
}

/// Outputs of a block of a layer of kind [`LayerKind::BlockSparse`].
pub const OUTPUT_BLOCK: usize = 16;

/// Columns of a weight row in a Stockfish file: a multiple of 32 (`docs/files.md`).
pub const fn file_columns(inputs: usize) -> usize {
    round_up(inputs, 32)
}

/// Number of bytes that hold the signs of `inputs` weights, one bit each.
pub const fn sign_bytes(inputs: usize) -> usize {
    inputs.div_ceil(8)
}

/// Number of 32-bit words that hold the signs of `inputs` values.
pub const fn sign_words(inputs: usize) -> usize {
    inputs.div_ceil(32)
}

impl LayerDesc<'_> {
    /// Outputs rounded up to whole vectors: the lanes of its sums and of each prepared block.
    pub const fn padded_outputs(&self) -> usize {
        padded_sums(self.outputs)
    }

    /// Whether the partial sums of a float layer fill whole vectors of the widest level: it has one output,
    /// and their number is a multiple of 16.
    pub const fn is_float_row(&self) -> bool {
        matches!(self.kind, LayerKind::Float { partial, .. } if partial > 0 && partial.is_multiple_of(16))
            && self.outputs == 1
    }

    /// Whether a layer of 32-bit integers has one output: its partial sums fill the lanes.
    pub const fn is_integer_row(&self) -> bool {
        matches!(self.kind, LayerKind::Integer) && self.outputs == 1
    }

    /// Whether a sparse layer reads one activation of accumulators and nothing else, so that reading any of
    /// its weights is allowed, even for zero inputs.
    pub const fn is_sparse_alone(&self) -> bool {
        matches!(self.kind, LayerKind::Sparse) && self.segments.len() == 1
    }

    /// First weight column of segment `index`.
    ///
    /// # Panics
    ///
    /// If the layer has no such segment.
    pub fn segment_column(&self, index: usize) -> usize {
        self.segments[..index]
            .iter()
            .map(|segment| segment.len)
            .sum()
    }
}

impl NetDesc<'_> {
    /// Whether a dense layer reads one whole buffer of layer values and nothing else, so that its weights may
    /// have any order.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn is_dense_alone(&self, layer: usize) -> bool {
        let desc = &self.layers[layer];
        match (desc.kind, desc.segments) {
            (LayerKind::Dense, [only]) => {
                self.segment_blocks(layer, 0) == (0..self.buffer_bytes(only.buffer) / 4)
            }
            _ => false,
        }
    }

    /// Size of buffer `index` in bytes, padding included (`Bytes<N>`).
    ///
    /// # Panics
    ///
    /// If there is no such buffer.
    pub const fn buffer_bytes(&self, index: usize) -> usize {
        padded_bytes(self.buffers[index].len)
    }

    /// The blocks of four buffer values that segment `segment` of layer `layer` covers. A sparse layer covers
    /// the whole padded buffer of accumulators, because it finds its blocks by their contents.
    ///
    /// # Panics
    ///
    /// If there is no such layer or segment.
    pub fn segment_blocks(&self, layer: usize, segment: usize) -> Range<usize> {
        let layer = &self.layers[layer];
        let segment = layer.segments[segment];
        match layer.kind {
            LayerKind::Sparse | LayerKind::BlockSparse { .. }
                if matches!(self.buffers[segment.buffer].source, Source::Accumulator) =>
            {
                0..self.buffer_bytes(segment.buffer) / 4
            }
            LayerKind::Sparse
            | LayerKind::BlockSparse { .. }
            | LayerKind::Dense
            | LayerKind::Row
            | LayerKind::Rows
            | LayerKind::Words
            | LayerKind::Direct
            | LayerKind::Binary
            | LayerKind::Integer
            | LayerKind::Float { .. } => {
                let (first, end) = (segment.start / 4, (segment.start + segment.len).div_ceil(4));
                // A single block is read with its neighbour: rustc 1.95 takes minutes to compile a kernel for
                // one block.
                if end - first == 1 {
                    first / 2 * 2..first / 2 * 2 + 2
                } else {
                    first..end
                }
            }
        }
    }

    /// The greatest number of sums of a layer that reads a buffer by blocks; 0 if none does.
    pub fn sums_by_blocks(&self, buffer: usize) -> usize {
        let by_blocks = |kind| matches!(kind, LayerKind::Sparse | LayerKind::BlockSparse { .. });
        let reads = |layer: &&LayerDesc<'_>| {
            layer
                .segments
                .iter()
                .any(|segment| segment.buffer == buffer)
        };
        let layers = self
            .layers
            .iter()
            .filter(|layer| by_blocks(layer.kind))
            .filter(reads);
        layers
            .map(|layer| padded_sums(layer.outputs))
            .max()
            .unwrap_or(0)
    }

    /// The first prepared block of segment `segment` of layer `layer`.
    ///
    /// # Panics
    ///
    /// If there is no such layer or segment.
    pub fn segment_prepared_block(&self, layer: usize, segment: usize) -> usize {
        (0..segment)
            .map(|index| self.segment_blocks(layer, index).len())
            .sum()
    }

    /// Number of prepared blocks of a layer, over all segments.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn prepared_blocks(&self, layer: usize) -> usize {
        self.segment_prepared_block(layer, self.layers[layer].segments.len())
    }

    /// Offset of the prepared bytes of segment `segment` in a row of a [`LayerKind::Row`] or
    /// [`LayerKind::Rows`] layer.
    ///
    /// # Panics
    ///
    /// If there is no such layer or segment.
    pub fn segment_prepared_byte(&self, layer: usize, segment: usize) -> usize {
        self.layers[layer].segments[..segment]
            .iter()
            .map(|segment| self.buffer_bytes(segment.buffer))
            .sum()
    }

    /// Number of prepared bytes in a row of a [`LayerKind::Row`] or [`LayerKind::Rows`] layer.
    ///
    /// # Panics
    ///
    /// If there is no such layer.
    pub fn prepared_row_bytes(&self, layer: usize) -> usize {
        self.segment_prepared_byte(layer, self.layers[layer].segments.len())
    }

    /// The size of all parameters in memory, in bytes, without the prepared copies.
    pub fn parameter_bytes(&self) -> usize {
        self.tensors
            .iter()
            .map(|tensor| tensor.len() * tensor.element.bytes())
            .sum()
    }
}
