//! Turns a descriptor and its weights into steps with prepared weights.
//!
//! ```text
//!   net.steps ──► each with the places of what it reads and writes, and with the weights that its kernel reads ──► Program
//! ```

use alloc::vec::Vec;
use core::ops::Range;

use bytemuck::{Pod, Zeroable};
use nnue_spec::layout::padded_sums;
use nnue_spec::{NetDesc, TensorRef, TensorRole};

use super::scratch::Place;
use crate::form::is_listed_at;
use crate::memory::Line;
use crate::simd::Level;

/// Where the values of a buffer are.
#[derive(Clone, Copy, Debug)]
pub(super) enum Home {
    /// an accumulator buffer: its index among these, and whether its blocks are listed
    Sparse(usize, bool),
    /// among the lines
    Lines(Place),
}

/// The source of steps, and the places that are already taken.
pub(super) struct Builder<'a> {
    pub(super) net: &'a NetDesc<'a>,
    pub(super) level: Level,
    tensors: &'a [TensorRef<'a>],
    /// number of lines in use
    pub(super) lines: usize,
    /// sizes of the accumulator buffers, in bytes
    pub(super) sparse: Vec<usize>,
    buffers: Vec<Option<Home>>,
    sums: Vec<Place>,
    floats: Vec<Place>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(net: &'a NetDesc<'a>, tensors: &'a [TensorRef<'a>], level: Level) -> Self {
        let none = alloc::vec![Place::default(); net.layers.len()];
        let buffers = alloc::vec![None; net.buffers.len()];
        Self {
            net,
            level,
            tensors,
            lines: 0,
            sparse: Vec::new(),
            buffers,
            sums: none.clone(),
            floats: none,
        }
    }

    /// A new place of `bytes` bytes.
    pub(super) fn place(&mut self, bytes: usize) -> Place {
        let place = Place::after(self.lines, bytes);
        self.lines = place.end();
        place
    }

    /// A place of `bytes` bytes for the values of buffer `buffer`.
    pub(super) fn make_buffer(&mut self, buffer: usize, bytes: usize) -> Place {
        let place = self.place(bytes);
        self.buffers[buffer] = Some(Home::Lines(place));
        place
    }

    /// A new accumulator buffer: its index, and whether its blocks are listed.
    pub(super) fn make_sparse(&mut self, buffer: usize) -> (usize, bool) {
        let bytes = self.net.buffer_bytes(buffer);
        let (sums, nonzero) = (
            self.net.sums_by_blocks(buffer),
            self.net.accumulator.nonzero,
        );
        let home = (
            self.sparse.len(),
            is_listed_at(self.level, bytes, sums, nonzero),
        );
        self.sparse.push(bytes);
        self.buffers[buffer] = Some(Home::Sparse(home.0, home.1));
        home
    }

    pub(super) fn make_sums(&mut self, layer: usize) -> Place {
        self.sums[layer] = self.place(4 * self.net.layers[layer].padded_outputs());
        self.sums[layer]
    }

    pub(super) fn make_floats(&mut self, layer: usize) -> Place {
        self.floats[layer] = self.place(4 * self.net.layers[layer].padded_outputs());
        self.floats[layer]
    }

    pub(super) fn make_float_buffer(&mut self, buffer: usize) -> Place {
        self.make_buffer(buffer, 4 * padded_sums(self.net.buffers[buffer].len))
    }

    /// A place for a buffer of bytes or of floats, as the descriptor says.
    pub(super) fn make_values(&mut self, buffer: usize) -> Place {
        match self.is_float(buffer) {
            true => self.make_float_buffer(buffer),
            false => self.make_buffer(buffer, self.net.buffer_bytes(buffer)),
        }
    }

    /// Where a buffer is, which an earlier step made.
    ///
    /// # Panics
    ///
    /// If none did: plans are verified.
    pub(super) fn home(&self, buffer: usize) -> Home {
        self.buffers[buffer].unwrap_or_else(|| panic!("buffer {buffer} is read before it is made"))
    }

    /// Where a buffer of lines is.
    ///
    /// # Panics
    ///
    /// If it is an accumulator buffer.
    pub(super) fn buffer(&self, buffer: usize) -> Place {
        match self.home(buffer) {
            Home::Lines(place) => place,
            Home::Sparse(..) => panic!("buffer {buffer} has no place among the lines"),
        }
    }

    pub(super) fn sums(&self, layer: usize) -> Place {
        self.sums[layer]
    }

    pub(super) fn floats(&self, layer: usize) -> Place {
        self.floats[layer]
    }

    pub(super) fn is_float(&self, buffer: usize) -> bool {
        self.net.buffers[buffer].source.is_float()
    }

    pub(super) fn stacks(&self) -> Range<usize> {
        0..self.net.stacks.count
    }

    pub(super) fn tensor(&self, role: TensorRole) -> Option<TensorRef<'a>> {
        let at = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role)?;
        Some(self.tensors[at])
    }

    /// The bytes of a tensor, which must exist.
    pub(super) fn bytes(&self, role: TensorRole) -> &'a [i8] {
        match self.tensor(role) {
            Some(TensorRef::I8(values)) => values,
            _ => panic!("{role:?} has bytes"),
        }
    }

    pub(super) fn rows<'v, T>(
        &self,
        values: &'v [T],
        stack: usize,
        columns: usize,
    ) -> Vec<&'v [T]> {
        let each = values.len() / self.net.stacks.count;
        values[stack * each..][..each]
            .chunks(columns.max(1))
            .collect()
    }

    /// The start values of a layer's integer sums in a stack: its biases, or zeros if these are
    /// floats.
    pub(super) fn start(&self, layer: usize, stack: usize) -> Vec<i32> {
        let outputs = self.net.layers[layer].outputs;
        match self.tensor(TensorRole::LayerBias(layer)) {
            Some(TensorRef::F32(_)) | None => alloc::vec![0; outputs],
            Some(bias) => (0..outputs)
                .map(|output| bias.get(stack * outputs + output))
                .collect(),
        }
    }

    pub(super) fn float_bias(&self, layer: usize, stack: usize) -> &'a [f32] {
        let outputs = self.net.layers[layer].outputs;
        match self.tensor(TensorRole::LayerBias(layer)) {
            Some(TensorRef::F32(values)) => &values[stack * outputs..][..outputs],
            _ => panic!("the biases of layer {layer} are floats"),
        }
    }
}

/// A copy of some values for each stack, all of the same size, in lines.
#[derive(Clone, Debug, Default)]
pub(super) struct PerStack {
    lines: Vec<Line>,
    /// lines per stack
    each: usize,
}

impl PerStack {
    /// Zeros: `bytes`, a multiple of 64, for each stack.
    pub(super) fn zeroed(stacks: usize, bytes: usize) -> Self {
        let each = bytes.div_ceil(64);
        Self {
            lines: alloc::vec![Line::zeroed(); stacks * each],
            each,
        }
    }

    #[inline(always)]
    pub(super) fn of<T: Pod>(&self, stack: usize) -> &[T] {
        bytemuck::cast_slice(self.lines(stack))
    }

    #[inline(always)]
    pub(super) fn lines(&self, stack: usize) -> &[Line] {
        &self.lines[stack * self.each..][..self.each]
    }

    /// The values of a stack, mutably.
    pub(super) fn of_mut<T: Pod>(&mut self, stack: usize) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.lines[stack * self.each..][..self.each])
    }
}
