//! What stands in a header-less file, in order.
//!
//! ```text
//!   order: ["CBNF", 1u16, skip 58, ft_weight, ft_bias, align 64, stacks [fc0_weight, fc0_bias, skip 60]]
//!
//!   C B N F | 1 0 | 58 kept bytes | weights | biases | kept | fc0 of stack 0, 60 kept | fc0 of stack 1, ..
//! ```

use alloc::vec::Vec;

/// A part of a header-less file. `B` are its bytes, borrowed or owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section<B> {
    /// this many bytes, which are kept and stand for nothing
    Skip(usize),
    /// kept bytes up to a multiple of this
    Align(usize),
    /// these bytes
    Constant(B),
    /// the tensor with this index; in [`Self::Stacks`] its copy of one stack
    Tensor(usize),
    /// this many of the following sections stand once for each stack
    Stacks(usize),
}

impl<B: AsRef<[u8]>> Section<B> {
    /// The section with borrowed bytes.
    pub fn borrowed(&self) -> Section<&[u8]> {
        match self {
            Self::Skip(bytes) => Section::Skip(*bytes),
            Self::Align(to) => Section::Align(*to),
            Self::Constant(bytes) => Section::Constant(bytes.as_ref()),
            Self::Tensor(index) => Section::Tensor(*index),
            Self::Stacks(sections) => Section::Stacks(*sections),
        }
    }
}

/// A section where it stands: [`Section::Stacks`] are resolved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed<'a> {
    /// never [`Section::Stacks`]
    pub section: Section<&'a [u8]>,
    /// the stack, if it stands once for each
    pub stack: Option<usize>,
}

/// The sections of a file of `stacks` stacks, one after the other.
pub(super) fn placed<'a>(sections: &[Section<&'a [u8]>], stacks: usize) -> Vec<Placed<'a>> {
    let mut all = Vec::new();
    let mut rest = sections;
    while let [section, after @ ..] = rest {
        rest = after;
        match *section {
            Section::Stacks(count) => {
                let (group, after) = rest.split_at(count.min(rest.len()));
                rest = after;
                for stack in 0..stacks {
                    all.extend(group.iter().map(|&section| Placed {
                        section,
                        stack: Some(stack),
                    }));
                }
            }
            section => all.push(Placed {
                section,
                stack: None,
            }),
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

/// The offsets of sections; `tensor` is the size of a tensor, or of its copy of a stack.
pub(super) fn spans<'a>(
    sections: &[Section<&'a [u8]>],
    stacks: usize,
    tensor: impl Fn(usize, Option<usize>) -> u64,
) -> Vec<Span<'a>> {
    let mut end = 0_u64;
    let span = |placed: Placed<'a>| {
        let bytes = match placed.section {
            Section::Skip(bytes) => bytes as u64,
            Section::Align(to) => end.next_multiple_of(to.max(1) as u64) - end,
            Section::Constant(bytes) => bytes.len() as u64,
            Section::Tensor(index) => tensor(index, placed.stack),
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
    placed(sections, stacks).into_iter().map(span).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let sizes = [100, 10, 1];
        let spans = spans(&sections, 2, |tensor, _| sizes[tensor]);
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
