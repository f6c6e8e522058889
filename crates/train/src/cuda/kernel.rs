//! What a kernel is: its text, and how many threads run it.
//!
//! All kernels of a network have the same parameters, so that whoever launches them passes one list. A position is one of `count` in a batch,
//! whose positions are sorted by stack. Only `rows` are where the batch has them, and `order` says which of its positions is meant, because they
//! are most of the bytes of a batch: so the processor copies them in one piece. Threads next to each other work on positions next to each other:
//!
//! ```text
//!   values     accumulators, a row for each position       ROW(i)     position 0: a0 a1 a2 .. | position 1: a0 a1 a2 .. | ..
//!              all other values, a row for each of them    COLUMN(i)  value i: of position 0, of position 1, ..
//!   slopes     the gradient of the values, in the same places
//!   rows       the active rows of a position                   ACTIVE(side)
//! ```
//!
//! The text is a part of CUDA C that a C++ compiler understands as well: no threads of a block wait for each other, nothing is shared but
//! memory, and `atomicAdd` is the only operation that depends on others. So kernels can be run thread after thread where there is no GPU,
//! which is how the tests compare them with the CPU.

use std::fmt::{Display, Write};

/// Positions that the threads of a block take, one each.
pub(crate) const CHUNK: u32 = 128;

/// What is in memory when the kernels of a network run: the kind and the name of every parameter, in order.
pub(crate) const MEMORY: [(&str, &str); MEMORY_BUFFERS + MEMORY_PARTS + MEMORY_SIZES] = [
    ("const float*", "parameters"),
    ("float*", "gradient"),
    ("float*", "values"),
    ("float*", "slopes"),
    ("float*", "psqt"),
    ("float*", "of_psqt"),
    ("double*", "shares"),
    ("double*", "losses"),
    ("double*", "totals"),
    ("float*", "scales"),
    ("float*", "logits"),
    ("int*", "uses"),
    ("int*", "firsts"),
    ("int*", "ranks"),
    ("int*", "entries"),
    ("const int*", "rows"),
    ("const int*", "order"),
    ("const int*", "stacks"),
    ("const int*", "begins"),
    ("const float*", "scores"),
    ("const float*", "results"),
    ("const float*", "weights"),
    ("const int*", "left"),
    ("const int*", "moves"),
    ("const float*", "move_shares"),
    ("const double*", "loss"),
    ("int", "count"),
    ("int", "stride"),
    ("int", "listed"),
];

/// Buffers among them, which come first.
pub(crate) const MEMORY_BUFFERS: usize = 15;

/// Parts of what is given of a batch, from `rows` to `loss`.
pub(crate) const MEMORY_PARTS: usize = 11;

/// Sizes, which come last: positions, rows of a perspective, moves of a position.
pub(crate) const MEMORY_SIZES: usize = 3;

/// One function for the device.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// the comment before it, and what is between its braces
    pub(crate) text: String,
    pub(crate) blocks: Blocks,
    /// threads of a block
    pub(crate) threads: u32,
}

/// How many blocks run a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// one for so many positions, each of one of the perspectives
    Pairs { perspectives: u32, pairs: u32 },
    /// so many for each [`CHUNK`] positions
    Chunks(u32),
    /// so many for the positions that a block takes where `lanes` threads share each
    Shared { times: u32, lanes: u32 },
    /// one for so many active rows of any position and perspective, as if as many were active in all
    Entries { perspectives: u32, each: u32 },
    /// whatever the size of the batch is
    Fixed(u32),
}

impl Blocks {
    /// The blocks for a batch, in which a perspective has so many rows.
    pub(crate) fn of(self, positions: usize, stride: usize) -> u32 {
        match self {
            Self::Pairs {
                perspectives,
                pairs,
            } => (positions as u32 * perspectives).div_ceil(pairs),
            Self::Chunks(times) => positions.div_ceil(CHUNK as usize) as u32 * times,
            Self::Shared { times, lanes } => {
                positions.div_ceil((CHUNK / lanes) as usize) as u32 * times
            }
            Self::Entries { perspectives, each } => {
                ((positions * stride) as u32 * perspectives).div_ceil(each)
            }
            Self::Fixed(blocks) => blocks,
        }
    }
}

impl Kernel {
    /// A kernel of which every thread takes one position and one of so many tiles of what is to be computed: `position` is defined, and `tile` where
    /// there are several.
    pub(crate) fn of_positions(name: String, comment: &str, tiles: usize, body: &str) -> Self {
        let position = format!("position = blockIdx.x / {tiles} * CHUNK + threadIdx.x");
        Self::tiled(
            name,
            comment,
            Blocks::Chunks(tiles as u32),
            &[tile_of(tiles), position],
            body,
        )
    }

    /// The same, but so many threads next to each other share a position and a tile of its accumulators: `lane` says which of them a thread is.
    pub(crate) fn of_lanes(
        name: String,
        comment: &str,
        (lanes, tiles): (u32, usize),
        body: &str,
    ) -> Self {
        let position = format!(
            "position = blockIdx.x / {tiles} * {} + threadIdx.x / {lanes}",
            CHUNK / lanes
        );
        let lane = format!("lane = threadIdx.x % {lanes}");
        let blocks = Blocks::Shared {
            times: tiles as u32,
            lanes,
        };
        Self::tiled(
            name,
            comment,
            blocks,
            &[tile_of(tiles), lane, position],
            body,
        )
    }

    /// `numbers` says what tile and position of a thread are.
    fn tiled(name: String, comment: &str, blocks: Blocks, numbers: &[String], body: &str) -> Self {
        let numbers: Vec<&str> = numbers
            .iter()
            .map(|number| &**number)
            .filter(|number| !number.is_empty())
            .collect();
        let numbers = numbers.join(", ");
        let text = format!(
            "{comment}{{
    int {numbers};
    if (position >= count) return;
{body}}}
"
        );
        Self {
            name,
            text,
            blocks,
            threads: CHUNK,
        }
    }

    /// The whole function, with parameters.
    pub(crate) fn write(&self, parameters: &str, source: &mut String) {
        let (comment, body) = self.text.split_at(self.text.find('{').unwrap_or(0));
        for line in comment.lines() {
            let _ = writeln!(source, "// {line}");
        }
        let _ = writeln!(source, "KERNEL void {}({parameters}) {body}", self.name);
    }
}

/// Where the values of a position are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// numbers of all accumulators of a position, which come first
    pub(crate) accumulators: usize,
}

impl Places {
    /// The place of value `start + index`, `index` being an expression; all of a range are accumulators, or none.
    pub(crate) fn of(self, start: usize, index: impl Display) -> String {
        let kind = if start < self.accumulators {
            "ROW"
        } else {
            "COLUMN"
        };
        format!("{kind}({start} + {index})")
    }
}

/// A number as C writes it. What is not finite becomes the greatest one of its sign.
pub(crate) fn literal(number: f32) -> String {
    let number = number.clamp(f32::MIN, f32::MAX);
    format!("{number:e}f")
}

/// What says which of several tiles a block has.
fn tile_of(tiles: usize) -> String {
    if tiles > 1 {
        format!("tile = blockIdx.x % {tiles}")
    } else {
        String::new()
    }
}

/// The number of a tile of so many.
pub(crate) const fn tile(tiles: usize) -> &'static str {
    if tiles > 1 { "tile" } else { "0" }
}

/// Parts into which `all` are divided, at most `most` to a part.
pub(crate) const fn tiles(all: usize, most: usize) -> (usize, usize) {
    let each = if all < most { all } else { most };
    (each, all.div_ceil(each))
}
