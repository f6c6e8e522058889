//! Layers whose inputs reach some outputs only, by their place.
//!
//! ```text
//!   inputs:    | common     | shard 0 | shard 1 |      `affine(x, 8, shards 2 of 64)`
//!   outputs    | 0 1 2 3 read common and shard 0 | 4 5 6 7 read common and shard 1 |
//! ```

use core::ops::Range;

/// The last inputs of a layer are `count` shards of `width` inputs each, and its outputs as many groups: an output
/// reads the inputs before the shards, and the shard of its group. Its other weights are not used: in memory they are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shards {
    /// shards, and groups of outputs; at least 2
    pub count: usize,
    /// inputs of a shard; at least 1
    pub width: usize,
}

impl Shards {
    /// Inputs of all shards.
    pub const fn inputs(self) -> usize {
        self.count * self.width
    }

    /// The inputs that output `output` of `outputs` does not read, of `inputs`: shards before that of its group, and
    /// shards after it.
    ///
    /// # Panics
    ///
    /// If there are fewer inputs than [`inputs`](Self::inputs), or fewer outputs than shards.
    pub const fn unread(self, inputs: usize, outputs: usize, output: usize) -> [Range<usize>; 2] {
        let first = inputs - self.inputs();
        let own = first + output / (outputs / self.count) * self.width;
        [first..own, own + self.width..inputs]
    }
}
