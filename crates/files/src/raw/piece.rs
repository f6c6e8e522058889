//! A tensor of a file, or its copy for one stack.

use core::ops::Range;

use nnue_spec::{ElementType, FileOrder, NetDesc, Placed, RawDesc, Section, Stored, TensorDesc};

/// A tensor, or some of its rows or stacks, at one place of a file.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    /// index of the tensor
    pub(super) index: usize,
    /// what stands here of the tensor: inside `stacks [..]` one copy, otherwise all or some rows
    pub(super) desc: TensorDesc<'a>,
    /// whether it is all of the tensor
    pub(super) is_whole: bool,
    pub(super) order: FileOrder<'a>,
    /// its type and scale in the file, if they are others than in memory
    pub(super) stored: Option<Stored>,
    pub(super) leb128: bool,
    /// the first element, in all copies
    pub(super) first: usize,
}

impl<'a> Piece<'a> {
    /// What stands at `placed`; `None` if it is no tensor.
    pub(super) fn new(net: &NetDesc<'a>, raw: &RawDesc<'a>, placed: &Placed<'_>) -> Option<Self> {
        let index = placed.section.tensor()?;
        let whole = net.tensors[index];
        let mut piece = Self {
            index,
            desc: whole,
            is_whole: placed.stack.is_none(),
            order: raw.order(net, index),
            stored: raw.stored(index).copied(),
            leb128: raw.leb128 || placed.in_block,
            first: placed.stack.unwrap_or(0) * whole.rows * whole.cols,
        };
        if placed.stack.is_some() {
            piece.desc.copies = 1;
        }
        if let Section::Rows(rows) = placed.section {
            piece.is_whole = false;
            piece.desc.rows = rows.count;
            piece.first = rows.first * whole.cols;
            if rows.element != raw.element(net, index) {
                piece.stored = Some(Stored {
                    tensor: index,
                    element: rows.element,
                    ..piece.stored.unwrap_or(Stored::SAME)
                });
            }
        }
        Some(piece)
    }

    /// How its numbers are rounded when they are read, if they are.
    pub(super) fn rounded(&self) -> Option<&Stored> {
        let of_integers =
            |stored: &&Stored| stored.over > 1 && self.desc.element != ElementType::F32;
        self.stored.as_ref().filter(of_integers)
    }

    /// Its elements in the tensor.
    pub(super) fn range(&self) -> Range<usize> {
        self.first..self.first + self.desc.len()
    }
}
