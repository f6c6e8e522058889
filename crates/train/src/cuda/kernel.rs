//! A kernel: its source text and its number of threads.
//!
//! All kernels of a network have the same parameters, so that one argument list serves every launch.
//! `position` counts the positions of a batch, sorted by stack. Only `rows`, most of a batch's bytes, stay in
//! the order of the batch, so that the host copies them in one piece; `order` maps positions to it. Adjacent
//! threads work on adjacent positions:
//!
//! ```text
//!   values     accumulators, a row for each position       ROW(i)     position 0: a0 a1 a2 .. | position 1: a0 a1 a2 .. | ..
//!              all other values, a row for each of them    COLUMN(i)  value i: of position 0, of position 1, ..
//!   slopes     the gradient of the values, in the same places
//!   rows       the active rows of a position                   ACTIVE(side)
//! ```
//!
//! The text is a subset of CUDA C that a C++ compiler accepts as well: threads of a block never wait for each
//! other and share nothing but global memory, and `atomicAdd` is the only operation that depends on other
//! threads. So kernels can run thread after thread without a GPU, which is how the tests compare them with
//! the CPU.

use std::fmt::{Display, Write};

/// Positions per block in kernels with one thread per position.
pub(crate) const CHUNK: u32 = 128;

/// Parameters of the kernels of a network, in order: type and name.
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

/// Buffers, the first of these parameters.
pub(crate) const MEMORY_BUFFERS: usize = 15;

/// Parts of the batch array, from `rows` to `loss`.
pub(crate) const MEMORY_PARTS: usize = 11;

/// Sizes, the last parameters: positions, rows of a perspective, moves of a position.
pub(crate) const MEMORY_SIZES: usize = 3;

/// A device function with its launch shape.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) name: String,
    /// the comment before it, and its body with braces
    pub(crate) text: String,
    pub(crate) blocks: Blocks,
    pub(crate) threads: u32,
}

/// Number of blocks of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// one for each `pairs` pairs of position and perspective
    Pairs { perspectives: u32, pairs: u32 },
    /// this many for each [`CHUNK`] positions
    Chunks(u32),
    /// `times` for each `CHUNK / lanes` positions, with `lanes` threads per position
    Shared { times: u32, lanes: u32 },
    /// one for each `each` entries (active rows), counted as if every list were full
    Entries { perspectives: u32, each: u32 },
    /// a fixed number
    Fixed(u32),
}

impl Blocks {
    /// Blocks for a batch with up to `stride` rows per perspective.
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
    /// A kernel with one position and one of `tiles` tiles per thread. Defines `position`, and `tile` if
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

    /// Like [`of_positions`](Self::of_positions), but `lanes` adjacent threads share a position and a tile of
    /// its accumulators. Defines `lane`.
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

    /// `numbers` defines tile and position of a thread.
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

    pub(crate) fn write(&self, parameters: &str, source: &mut String) {
        let (comment, body) = self.text.split_at(self.text.find('{').unwrap_or(0));
        for line in comment.lines() {
            let _ = writeln!(source, "// {line}");
        }
        let _ = writeln!(source, "KERNEL void {}({parameters}) {body}", self.name);
    }
}

/// Addresses of the values of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Places {
    /// length of all accumulators of a position, which come first
    pub(crate) accumulators: usize,
}

impl Places {
    /// The address of value `start + index` (`index` is an expression). A range holds only accumulators or
    /// none.
    pub(crate) fn of(self, start: usize, index: impl Display) -> String {
        let kind = if start < self.accumulators {
            "ROW"
        } else {
            "COLUMN"
        };
        format!("{kind}({start} + {index})")
    }
}

/// A C literal. Infinite numbers become the greatest finite ones.
pub(crate) fn literal(number: f32) -> String {
    let number = number.clamp(f32::MIN, f32::MAX);
    format!("{number:e}f")
}

/// Defines the tile of a block, if there are several.
fn tile_of(tiles: usize) -> String {
    if tiles > 1 {
        format!("tile = blockIdx.x % {tiles}")
    } else {
        String::new()
    }
}

/// An expression for the tile of a thread.
pub(crate) const fn tile(tiles: usize) -> &'static str {
    if tiles > 1 { "tile" } else { "0" }
}

/// Splits `all` into parts of at most `most`: the size of a part and the number of parts.
pub(crate) const fn tiles(all: usize, most: usize) -> (usize, usize) {
    let each = if all < most { all } else { most };
    (each, all.div_ceil(each))
}
