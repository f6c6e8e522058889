//! What stands in a header-less file, in order.
//!
//! ```text
//!   order: ["CBNF", 1u16, skip 58, ft_weight, ft_bias, align 64, stacks [fc0_weight, fc0_bias, skip 60]]
//!
//!   C B N F | 1 0 | 58 kept bytes | weights | biases | kept | fc0 of stack 0, 60 kept | fc0 of stack 1, ..
//!
//!   order: [text, leb128 [ft_bias], ft_weight[1629..] as i8, ft_weight[..1629] as i16, ..]
//!
//!   length, text | COMPRESSED_LEB128, length, biases | the rows from 1629 on | the rows before | ..
//! ```

use alloc::vec::Vec;

use crate::descriptor::ElementType;

/// A part of a header-less file. `B` are its bytes, borrowed or owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section<B> {
    /// this many bytes, which are kept and stand for nothing
    Skip(usize),
    /// kept bytes up to a multiple of this
    Align(usize),
    /// these bytes
    Constant(B),
    /// a number of bytes in 32 bits, and as many bytes; all are kept
    Text,
    /// the tensor with this index; in [`Self::Stacks`] its copy of one stack
    Tensor(usize),
    /// some rows of a tensor
    Rows(RowRange),
    /// this many of the following sections stand once for each stack
    Stacks(usize),
    /// this many of the following tensors stand in a block of LEB128 numbers, as in the Stockfish container
    Block(usize),
}

/// Rows of a tensor of the feature transformer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowRange {
    /// index of the tensor
    pub tensor: usize,
    /// the first row
    pub first: usize,
    /// number of rows
    pub count: usize,
    /// element type in the file
    pub element: ElementType,
}

impl<B: AsRef<[u8]>> Section<B> {
    /// The section with borrowed bytes.
    pub fn borrowed(&self) -> Section<&[u8]> {
        match self {
            Self::Skip(bytes) => Section::Skip(*bytes),
            Self::Align(to) => Section::Align(*to),
            Self::Constant(bytes) => Section::Constant(bytes.as_ref()),
            Self::Text => Section::Text,
            Self::Tensor(index) => Section::Tensor(*index),
            Self::Rows(rows) => Section::Rows(*rows),
            Self::Stacks(sections) => Section::Stacks(*sections),
            Self::Block(tensors) => Section::Block(*tensors),
        }
    }
}

impl<B> Section<B> {
    /// The tensor that stands here, whole or some rows of it.
    pub const fn tensor(&self) -> Option<usize> {
        match self {
            Self::Tensor(index) | Self::Rows(RowRange { tensor: index, .. }) => Some(*index),
            _ => None,
        }
    }

    /// The number of following sections that belong to it.
    const fn group(&self) -> Option<usize> {
        match self {
            Self::Stacks(sections) | Self::Block(sections) => Some(*sections),
            _ => None,
        }
    }
}

/// A section where it stands: [`Section::Stacks`] are resolved, and a [`Section::Block`] is its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<'a> {
    /// never [`Section::Stacks`]
    pub section: Section<&'a [u8]>,
    /// the stack, if it stands once for each
    pub stack: Option<usize>,
    /// whether it stands in a block of LEB128 numbers
    pub in_block: bool,
}

/// The sections of a file of `stacks` stacks, one after the other.
pub(super) fn placed<'a>(sections: &[Section<&'a [u8]>], stacks: usize) -> Vec<Placed<'a>> {
    let mut all = Vec::new();
    let mut rest = sections;
    while let [section, after @ ..] = rest {
        let (group, after) = after.split_at(section.group().unwrap_or(0).min(after.len()));
        rest = after;
        let is_of_stacks = matches!(section, Section::Stacks(_));
        if !is_of_stacks {
            all.push(Placed {
                section: *section,
                stack: None,
                in_block: false,
            });
        }
        for stack in 0..if is_of_stacks { stacks } else { 1 } {
            all.extend(group.iter().map(|&section| Placed {
                section,
                stack: is_of_stacks.then_some(stack),
                in_block: !is_of_stacks,
            }));
        }
    }
    all
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span<'a> {
    /// the section
    pub placed: Placed<'a>,
    /// of the first byte
    pub offset: u64,
    /// their number
    pub bytes: u64,
}

impl Span<'_> {
    /// The offset of the first byte after it.
    pub const fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

/// Sizes of sections that a declaration does not say. A closure gives those of tensors.
pub trait Sizes {
    /// The size of a tensor, or of the part of it that stands here, in bytes.
    fn tensor(&self, placed: &Placed<'_>) -> u64;

    /// The size of the next text with its length, in bytes.
    fn text(&mut self) -> u64 {
        size_of::<u32>() as u64
    }
}

impl<F: Fn(&Placed<'_>) -> u64> Sizes for F {
    fn tensor(&self, placed: &Placed<'_>) -> u64 {
        self(placed)
    }
}

/// The offsets of sections.
pub(super) fn spans<'a>(placed: Vec<Placed<'a>>, sizes: &mut dyn Sizes) -> Vec<Span<'a>> {
    let mut end = 0_u64;
    let span = |placed: Placed<'a>| {
        let bytes = match placed.section {
            Section::Skip(bytes) => bytes as u64,
            Section::Align(to) => end.next_multiple_of(to.max(1) as u64) - end,
            Section::Constant(bytes) => bytes.len() as u64,
            Section::Text => sizes.text(),
            Section::Tensor(_) | Section::Rows(_) => sizes.tensor(&placed),
            Section::Block(_) => BLOCK_HEAD as u64,
            Section::Stacks(_) => 0,
        };
        let offset = end;
        end += bytes;
        Span {
            placed,
            offset,
            bytes,
        }
    };
    placed.into_iter().map(span).collect()
}

/// The text at the beginning of a block of LEB128 numbers.
pub const BLOCK_MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// The bytes before the numbers of a block: the text and the number of bytes.
pub const BLOCK_HEAD: usize = BLOCK_MAGIC.len() + 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes of three tensors, and texts of five bytes.
    struct Fixed([u64; 3]);

    impl Sizes for Fixed {
        fn tensor(&self, placed: &Placed<'_>) -> u64 {
            self.0[placed.section.tensor().unwrap()]
        }

        fn text(&mut self) -> u64 {
            4 + 5
        }
    }

    #[test]
    fn blocks_and_texts_have_heads() {
        let rows = Section::Rows(RowRange {
            tensor: 0,
            first: 2,
            count: 3,
            element: ElementType::I8,
        });
        let sections = [
            Section::Text,
            Section::Block(2),
            rows,
            Section::Tensor(1),
            Section::Tensor(2),
        ];
        let spans = spans(placed(&sections, 1), &mut Fixed([100, 10, 1]));
        let starts: Vec<u64> = spans.iter().map(|span| span.offset).collect();
        assert_eq!(starts, [0, 9, 30, 130, 140]);
        let in_block: Vec<bool> = spans.iter().map(|span| span.placed.in_block).collect();
        assert_eq!(in_block, [false, false, true, true, false]);
    }

    #[test]
    fn sections_of_stacks_stand_once_for_each() {
        let sections = [
            Section::Constant(&b"NNSC"[..]),
            Section::Skip(6),
            Section::Tensor(0),
            Section::Stacks(3),
            Section::Tensor(1),
            Section::Tensor(2),
            Section::Align(16),
        ];
        let spans = spans(placed(&sections, 2), &mut Fixed([100, 10, 1]));
        let offsets: Vec<(u64, u64)> = spans.iter().map(|span| (span.offset, span.bytes)).collect();
        assert_eq!(
            offsets,
            [
                (0, 4),
                (4, 6),
                (10, 100),
                (110, 10),
                (120, 1),
                (121, 7),
                (128, 10),
                (138, 1),
                (139, 5)
            ]
        );
        assert_eq!(spans[4].placed.stack, Some(0));
        assert_eq!(spans[7].placed.section, Section::Tensor(2));
    }
}
