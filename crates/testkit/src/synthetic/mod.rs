//! Synthetic networks: deterministic weights for every generation.
//!
//! Element `i` of a tensor (logical, row-major, without padding) follows from the seed, the code of the
//! generation and the number of the tensor:
//!
//! ```text
//! base = mix(seed * 2^32 + code * 2^16 + tensor)          r(i) = mix(base + i * GAMMA)
//! v(i) = lo + (((r(i) >> 32) * (hi - lo + 1)) >> 32)      and v(i) * mult  if  r(i) & 0xFF == 0
//! ```
//!
//! `tensor` is 0 for the bias, 1 for the weights, 2 for the PSQT weights of the feature transformer, 3 and 4
//! for weights and PSQT weights of threats, 5 and 6 for those of pawn pairs, and `16 + 8 * stack + k` for the
//! k-th tensor (fc0 bias, fc0 weight, fc1 bias, ...) of a layer stack. The ranges are in [`GENERATIONS`]. The
//! profile *stress* uses the full range of all dense weights, to find dot products that saturate.

mod container;
mod kept;
mod table;

pub use table::{GENERATIONS, Generation, LayerShape, Layout, Range};

use crate::random::{element, mix};

/// The value ranges of a synthetic network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// ranges like those of trained networks
    Normal,
    /// dense weights in the full range `-127..=127`, large biases in the feature transformer
    Stress,
}

impl Profile {
    /// The name in the table of hashes.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::Stress => "stress",
        }
    }
}

/// A synthetic network: a generation, a seed and a profile.
#[derive(Clone, Copy, Debug)]
pub struct Synthetic {
    generation: &'static Generation,
    seed: u64,
    profile: Profile,
}

impl Synthetic {
    /// The network of generation `name` (`v1` to `v16`, `v14.1`, `v6leb`, `v10i8`, `v13h`, `v9s`, `v14s`)
    /// with seed 1, which the vectors use.
    ///
    /// # Panics
    ///
    /// If there is no such generation.
    pub fn new(name: &str, profile: Profile) -> Self {
        Self::with_seed(name, profile, 1)
    }

    /// As [`new`](Self::new), with another seed.
    ///
    /// # Panics
    ///
    /// If there is no such generation.
    pub fn with_seed(name: &str, profile: Profile, seed: u64) -> Self {
        let generation = GENERATIONS
            .iter()
            .find(|generation| generation.name == name);
        Self {
            generation: generation.unwrap_or_else(|| panic!("no synthetic generation `{name}`")),
            seed,
            profile,
        }
    }

    /// The generation.
    pub const fn generation(&self) -> &'static Generation {
        self.generation
    }

    /// The description in the file's header.
    pub fn description(&self) -> String {
        let suffix = if self.profile == Profile::Stress {
            " stress"
        } else {
            ""
        };
        format!(
            "synthetic {} seed {}{suffix}",
            self.generation.name, self.seed
        )
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> Vec<u8> {
        container::write(self)
    }

    /// The bytes of the file, cached in the folder that the environment variable `NNUE_SYNTHETIC` names, if
    /// it is set. Cached files are not checked for being up to date.
    pub fn kept_bytes(&self) -> Vec<u8> {
        kept::bytes(self)
    }

    fn transformer(&self, tensor: u64, range: Range, len: usize) -> impl Iterator<Item = i32> {
        let stressed = self.profile == Profile::Stress && tensor == 0;
        self.values(
            tensor,
            if stressed {
                Range::new(-100, 300, 1)
            } else {
                range
            },
            len,
        )
    }

    fn bias(&self, stack: usize, layer: usize) -> impl Iterator<Item = i32> {
        let shape = &self.generation.layers[layer];
        self.values(
            16 + 8 * stack as u64 + 2 * layer as u64,
            shape.bias,
            shape.outputs,
        )
    }

    /// The weights of layer `layer` in stack `stack`, row by row, without padding.
    fn weight(&self, stack: usize, layer: usize) -> impl Iterator<Item = i32> {
        let shape = &self.generation.layers[layer];
        let range = if self.profile == Profile::Stress {
            Range::new(-127, 127, 1)
        } else {
            shape.weight
        };
        self.values(
            17 + 8 * stack as u64 + 2 * layer as u64,
            range,
            shape.outputs * shape.inputs,
        )
    }

    fn values(&self, tensor: u64, range: Range, len: usize) -> impl Iterator<Item = i32> {
        let base = mix((self.seed << 32)
            .wrapping_add(self.generation.code << 16)
            .wrapping_add(tensor));
        (0..len as u64).map(move |index| range.pick(element(base, index)))
    }
}
