//! The steps of the forward pass.

use super::{Segment, SignOf, Unit};
use crate::op::{Activation, Pool, Reduce};

/// One step of the forward pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepDesc {
    /// accumulators to a u8 buffer, [`Operation::accumulators`](crate::op::Operation::accumulators), or to an
    /// i16 buffer, [`Operation::words`](crate::op::Operation::words)
    ActivateAccumulator {
        /// the function
        activation: Activation,
        /// right shift of the product; 0 for none
        shift: u32,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the sums of a layer
    Affine {
        /// index into [`NetDesc::layers`](super::NetDesc::layers)
        layer: usize,
    },
    /// accumulators to an f32 buffer: `f32(activated) * unit`.
    /// [`Operation::whole`](crate::op::Operation::whole) results are below 2^24, so exact in f32; a function
    /// of the program returns floats, without a unit
    FloatAccumulator {
        /// the function
        activation: Activation,
        /// unit of the integer results
        unit: Unit,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the integer sums of a layer to floats: `f32(sum) * unit + bias`, with an f32 bias
    FloatSums {
        /// index of the layer
        layer: usize,
        /// unit of the sums
        unit: Unit,
        /// product and addition are fused
        fused: bool,
    },
    /// the float sums of a layer to an f32 buffer: [`Operation::floats`](crate::op::Operation::floats)
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
    /// signs to a bit buffer, for [`LayerKind::Binary`](super::LayerKind::Binary) layers: 1 where `x > 0`,
    /// otherwise 0
    Sign {
        /// the operand
        of: SignOf,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// the sums of a layer to a u8 buffer of equal length: [`Operation::sums`](crate::op::Operation::sums)
    ActivateSums {
        /// the function
        activation: Activation,
        /// right shift; 0 for a function of the program
        shift: u32,
        /// index of the layer that is read
        layer: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// pairs of values to a buffer of the same type: [`pool::Definition`](crate::op::pool::Definition)
    Pool {
        /// the function
        pool: Pool,
        /// operands of result `j`: value `start + stride * j` of each segment's buffer
        operands: [Segment; 2],
        /// distance between the operands of successive results
        stride: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// each run of `size` values to one value of a buffer of the same type
    Reduce {
        /// the reduction
        reduce: Reduce,
        /// the values
        operand: Segment,
        /// values per run
        size: usize,
        /// index of the buffer that is written
        buffer: usize,
    },
    /// an elementwise expression to a buffer of 32-bit integers
    Map {
        /// index into [`NetDesc::maps`](super::NetDesc::maps)
        map: usize,
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
            | Self::Map { .. }
            | Self::Sign { .. } => None,
        }
    }

    /// The buffer it writes, if any.
    pub const fn made(&self) -> Option<usize> {
        match *self {
            Self::ActivateAccumulator { buffer, .. }
            | Self::FloatAccumulator { buffer, .. }
            | Self::ActivateSums { buffer, .. }
            | Self::ActivateFloat { buffer, .. }
            | Self::Pool { buffer, .. }
            | Self::Reduce { buffer, .. }
            | Self::Map { buffer, .. }
            | Self::Sign { buffer, .. } => Some(buffer),
            Self::Affine { .. } | Self::AffineDirect { .. } | Self::FloatSums { .. } => None,
        }
    }
}
