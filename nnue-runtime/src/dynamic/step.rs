//! The steps of a forward pass with their prepared weights: one call of a kernel each, which is compiled once for all networks.

use super::binary::{Binary, Sign};
use super::bytes::{Activate, ActivateSums, BlockSparse, Blocks, Mean, Pool, Row};
use super::direct::Direct;
use super::float::{ActivateFloats, FloatAccumulators, FloatMean, FloatPool, FloatRow, FloatSums, Floats};
use super::scratch::Scratch;
use super::words::{Words, WordsLayer};
use crate::simd::AvailableLevel;

/// What a forward pass starts from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) level: AvailableLevel,
    /// of the perspectives that layers read
    pub(super) accumulators: &'a [&'a [i16]],
    /// the layer stack
    pub(super) stack: usize,
}

/// A step, which writes one place of the scratch memory or one of its buffers.
pub(super) trait Run: Send + Sync {
    /// Computes it.
    fn run(&self, start: Start<'_>, scratch: &mut Scratch);
}

macro_rules! steps {
    ($($name:ident)*) => {
        /// A step of any kind.
        pub(super) enum Step {
            $($name($name),)*
        }

        impl Step {
            /// Computes it.
            #[inline(always)]
            pub(super) fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
                match self {
                    $(Self::$name(step) => step.run(start, scratch),)*
                }
            }
        }

        $(
            impl From<$name> for Step {
                fn from(step: $name) -> Self {
                    Self::$name(step)
                }
            }
        )*
    };
}

steps! {
    Activate Blocks BlockSparse Row ActivateSums Pool Mean
    Words WordsLayer Direct
    FloatAccumulators FloatSums Floats FloatRow ActivateFloats FloatPool FloatMean
    Sign Binary
}
