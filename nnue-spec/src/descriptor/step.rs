//! The steps of the forward pass, and the functions that they apply to whole numbers.

use super::{FloatActivation, FloatInput, Unit};

/// Activation of an accumulator half `a` of `n` values, with `one` the accumulator's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccumulatorActivation {
    /// `clamp(a[j], 0, one)`: n values per perspective
    Crelu,
    /// `clamp(a[j], 0, one)^2 >> shift`: n values per perspective
    SqrCrelu,
    /// `(clamp(a[j], 0, one) * clamp(a[j + n/2], 0, one)) >> shift`: n/2 values per perspective
    Pairwise,
    /// `min(f(a[j]), max)`, `max` that of the buffer: n values per perspective. `f` is the function of the program with this path.
    Own(&'static str),
}

/// Activation of an accumulator value `a` that a layer of 16-bit weights reads as it is, with `one` the accumulator's scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectActivation {
    /// `clamp(a, 0, one)`
    Crelu,
    /// `clamp(a, 0, one)^2`, kept whole; the sum of the products is divided by `one`, toward zero
    Screlu,
    /// `clamp(a[j], 0, one) * clamp(a[j + n/2], 0, one)` of `n` values, kept whole; the sum is divided likewise
    Pairwise,
}

impl DirectActivation {
    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crelu => "crelu",
            Self::Screlu => "screlu",
            Self::Pairwise => "pairwise",
        }
    }

    /// Values that it makes of an accumulator of `width` neurons.
    pub const fn values(self, width: usize) -> usize {
        match self {
            Self::Crelu | Self::Screlu => width,
            Self::Pairwise => width / 2,
        }
    }

    /// Whether values are products of two neurons, which have the accumulator's scale once too often.
    pub const fn is_product(self) -> bool {
        matches!(self, Self::Screlu | Self::Pairwise)
    }
}

/// Activation of a dense sum `y`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SumActivation {
    /// `clamp(y >> shift, 0, 127)`
    Crelu,
    /// `min(127, (y * y) >> shift)`, the product in 64 bits; negative sums contribute too
    SqrCrelu,
    /// `min(f(y), max)`, `max` that of the buffer. `f` is the function of the program with this path.
    Own(&'static str),
}

/// One step of the forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDesc {
    /// accumulators to a u8 buffer
    ActivateAccumulator {
        /// the function
        activation: AccumulatorActivation,
        /// right shift of the product; 0 where there is none
        shift: u32,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the sums of a layer
    Affine {
        /// index into [`NetDesc::layers`](super::NetDesc::layers)
        layer: usize,
    },
    /// accumulators to an f32 buffer: `f32(activated) * unit`
    FloatAccumulator {
        /// the function
        input: FloatInput,
        /// what 1 of its whole numbers is
        unit: Unit,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the sums of a layer of whole numbers as floats: `f32(sum) * unit + bias`, its bias being f32
    FloatSums {
        /// index of the layer
        layer: usize,
        /// what 1 of its sums is
        unit: Unit,
        /// product and addition are fused
        fused: bool,
    },
    /// the sums of a layer, as floats, to an f32 buffer
    ActivateFloat {
        /// the function
        activation: FloatActivation,
        /// index of the layer that is read
        layer: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the output of a layer of kind [`LayerKind::Direct`](super::LayerKind::Direct), from the accumulators
    AffineDirect {
        /// the function
        activation: DirectActivation,
        /// index into [`NetDesc::layers`](super::NetDesc::layers)
        layer: usize,
    },
    /// the sums of a layer to a u8 buffer of equal length
    ActivateSums {
        /// the function
        activation: SumActivation,
        /// right shift; 0 of a function of the program
        shift: u32,
        /// index of the layer that is read
        layer: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
}

impl StepDesc {
    /// The path of its activation, if that is a function of the program.
    pub(super) const fn own_activation(&self) -> Option<&'static str> {
        match *self {
            Self::ActivateAccumulator { activation: AccumulatorActivation::Own(path), .. }
            | Self::ActivateSums { activation: SumActivation::Own(path), .. }
            | Self::FloatAccumulator { input: FloatInput::Own(path), .. }
            | Self::ActivateFloat { activation: FloatActivation::Own(path), .. } => Some(path),
            _ => None,
        }
    }
}
