//! The steps of the forward pass.

use super::{Segment, SignOf, Unit};
use crate::op::{Activation, Pool, Reduce};

/// One step of the forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDesc {
    /// accumulators to a u8 buffer: [`Operation::accumulators`](crate::op::Operation::accumulators); or to one of 16-bit values:
    /// [`Operation::words`](crate::op::Operation::words)
    ActivateAccumulator {
        /// the function
        activation: Activation,
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
    /// accumulators to an f32 buffer: `f32(activated) * unit`, of [`Operation::whole`](crate::op::Operation::whole) results, which
    /// are below 2^24 and so exact in f32; a function of the program gives floats, which have no unit
    FloatAccumulator {
        /// the function
        activation: Activation,
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
    /// the sums of a layer, as floats, to an f32 buffer: [`Operation::floats`](crate::op::Operation::floats)
    ActivateFloat {
        /// the function
        activation: Activation,
        /// index of the layer that is read
        layer: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the output of a layer of kind [`LayerKind::Direct`](super::LayerKind::Direct), from the accumulators:
    /// [`Operation::whole`](crate::op::Operation::whole)
    AffineDirect {
        /// the function
        activation: Activation,
        /// index into [`NetDesc::layers`](super::NetDesc::layers)
        layer: usize,
    },
    /// signs to a buffer of bits, for layers of kind [`LayerKind::Binary`](super::LayerKind::Binary): 1 where `x > 0`, otherwise 0
    Sign {
        /// what is read
        of: SignOf,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the sums of a layer to a u8 buffer of equal length: [`Operation::sums`](crate::op::Operation::sums)
    ActivateSums {
        /// the function
        activation: Activation,
        /// right shift; 0 of a function of the program
        shift: u32,
        /// index of the layer that is read
        layer: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// two values of buffers of layers each to a buffer of the same type: [`pool::Definition`](crate::op::pool::Definition)
    Pool {
        /// the function
        pool: Pool,
        /// the first and the second operand of each result, as many as there are results: value `start + stride * j` of the buffer
        operands: [Segment; 2],
        /// from one operand to the next
        stride: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// each run of `size` values of a buffer of a layer to a value of a buffer of the same type
    Reduce {
        /// what is made of a run
        reduce: Reduce,
        /// the values
        operand: Segment,
        /// how many values a run has
        size: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
}

impl StepDesc {
    /// Its activation, if it has one.
    pub const fn activation(&self) -> Option<Activation> {
        match *self {
            Self::ActivateAccumulator { activation, .. }
            | Self::ActivateSums { activation, .. }
            | Self::AffineDirect { activation, .. }
            | Self::FloatAccumulator { activation, .. }
            | Self::ActivateFloat { activation, .. } => Some(activation),
            Self::Affine { .. }
            | Self::FloatSums { .. }
            | Self::Pool { .. }
            | Self::Reduce { .. }
            | Self::Sign { .. } => None,
        }
    }

    /// The buffer that it writes, if it writes one.
    pub const fn made(&self) -> Option<usize> {
        match *self {
            Self::ActivateAccumulator { buffer, .. }
            | Self::FloatAccumulator { buffer, .. }
            | Self::ActivateSums { buffer, .. }
            | Self::ActivateFloat { buffer, .. }
            | Self::Pool { buffer, .. }
            | Self::Reduce { buffer, .. }
            | Self::Sign { buffer, .. } => Some(buffer),
            Self::Affine { .. } | Self::AffineDirect { .. } | Self::FloatSums { .. } => None,
        }
    }
}
