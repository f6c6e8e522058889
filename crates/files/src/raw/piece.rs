//! A tensor of a file, or its copy for one stack.

use core::ops::Range;

use nnue_spec::{FileOrder, NetDesc, RawDesc, Stored, TensorDesc};

/// A run of numbers in a file.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    /// the tensor; inside `stacks [..]` it has one copy
    pub(super) desc: TensorDesc<'a>,
    pub(super) order: FileOrder<'a>,
    /// its type and scale in the file, if they are others than in memory
    pub(super) stored: Option<Stored>,
    pub(super) leb128: bool,
    /// the first element, in all copies
    pub(super) first: usize,
}

impl<'a> Piece<'a> {
    pub(super) fn new(
        net: &NetDesc<'a>,
        raw: &RawDesc<'a>,
        index: usize,
        stack: Option<usize>,
    ) -> Self {
        let mut desc = net.tensors[index];
        if stack.is_some() {
            desc.copies = 1;
        }
        Self {
            desc,
            order: raw.order(net, index),
            stored: raw.stored(index).copied(),
            leb128: raw.leb128,
            first: stack.unwrap_or(0) * desc.rows * desc.cols,
        }
    }

    /// Its elements in the tensor.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.desc.len()
    }
}
