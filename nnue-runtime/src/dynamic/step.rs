//! The steps of a forward pass with their prepared weights. Each has one kernel, which is compiled
//! once for all networks.

use super::binary::{Binary, Sign};
use super::bytes::{Activate, ActivateSums, BlockSparse, Blocks, Row};
use super::direct::Direct;
use super::float::{ActivateFloats, FloatAccumulators, FloatRow, FloatSums, Floats};
use super::integer::{IntegerLayer, IntegerRow};
use super::map::{FloatMap, IntegerMap};
use super::pools::{BytePool, ByteReduced, FloatPool, FloatReduced};
use super::run::{Run, Start};
use super::scratch::Scratch;
use super::words::{Words, WordsLayer};

macro_rules! steps {
    ($($name:ident)*) => {
        pub(super) enum Step {
            $($name($name),)*
        }

        impl Step {
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
    Activate Blocks BlockSparse Row ActivateSums
    Words WordsLayer Direct
    FloatAccumulators FloatSums Floats FloatRow ActivateFloats
    BytePool ByteReduced FloatPool FloatReduced
    Sign Binary
    IntegerMap FloatMap IntegerLayer IntegerRow
}
