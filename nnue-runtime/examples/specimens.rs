//! What `cargo xtask asm-check` disassembles: a task for each kernel, in the shapes of SFNNv5 and of SFNNv16.
//!
//! Running it computes nothing of use; it exists to be compiled.

use std::hint::black_box;

use nnue_runtime::kernel;
use nnue_runtime::layer::{Layer, RowLayer, RowsLayer};
use nnue_runtime::memory::{Bytes, Sparse, Sums};
use nnue_runtime::simd::{AvailableLevel, Level, Simd, Task, dispatch};
use nnue_runtime::transformer::Accumulator;

type Sums16 = Sums<16>;
type Acc = Accumulator<1024, 8>;

/// Declares a task: the name that asm-check looks for, what it borrows, and the kernel.
macro_rules! specimen {
    ($name:ident ($($field:ident: $type:ty),*) -> $output:ty, $simd:ident: $S:ident => $body:expr) => {
        struct $name<'a>($(&'a $type),*);

        impl Task for $name<'_> {
            type Output = $output;

            #[inline(always)]
            fn run<$S: Simd>(self, $simd: $S) -> $output {
                let Self($($field),*) = self;
                $body
            }
        }
    };
}

specimen!(ActivateSqrCrelu(us: Acc, them: Acc) -> Sparse<2048, 528>,
    simd: S => {
    let mut x = Sparse::new();
    kernel::activate_sqr_crelu(simd, [&us.values, &them.values], &mut x, kernel::One::<127>, kernel::Shr::<7>, kernel::Readers::<16>);
    x
});
specimen!(ActivateCrelu(us: Acc, them: Acc) -> Sparse<2048, 528>,
    simd: S => {
    let mut x = Sparse::new();
    kernel::activate_crelu(simd, [&us.values, &them.values], &mut x, kernel::One::<127>, kernel::Readers::<32>);
    x
});
specimen!(ActivatePairwise127(us: Acc, them: Acc) -> Sparse<1024, 272>,
    simd: S => {
    let mut x = Sparse::new();
    kernel::activate_pairwise(simd, [&us.values, &them.values], &mut x, kernel::One::<127>, kernel::Shr::<7>, kernel::Readers::<16>);
    x
});
specimen!(ActivatePairwise255(us: Acc, them: Acc) -> Sparse<1024, 272>,
    simd: S => {
    let mut x = Sparse::new();
    kernel::activate_pairwise(simd, [&us.values, &them.values], &mut x, kernel::One::<255>, kernel::Shr::<9>, kernel::Readers::<32>);
    x
});
specimen!(AffineSparse(x: Sparse<1024, 272>, layer: Layer<1024, 32, 8, 256, 32>) -> Sums<32>,
    simd: S => kernel::affine_sparse(simd, x, layer, 0));
specimen!(AffineWhole(x: Sparse<1024, 272>, layer: Layer<1024, 16, 8, 256, 16>) -> Sums16,
    simd: S => kernel::affine_sparse(simd, x, layer, 0));
specimen!(AffineDense(x: Bytes<64>, layer: Layer<32, 32, 8, 8, 32>) -> Sums<32>,
    simd: S => kernel::affine_add(simd, kernel::affine_bias(layer, 0), x, layer, 0, kernel::Blocks::<0, 8>, kernel::AtBlock::<0>));
specimen!(Row(x: Bytes<64>, layer: RowLayer<32, 8, 64>) -> i32,
    simd: S => kernel::row_add(simd, kernel::row_bias(layer, 0), x, layer, 0, kernel::AtByte::<0>));
specimen!(OnDemand(x: Bytes<256>, layer: RowsLayer<256, 1880, 1, 256>, listed: [usize; 30]) -> [f32; 30], simd: S => {
    let mut logits = [0.0; 30];
    kernel::rows_on_demand::<S, _, _, _, _>(simd, x, layer, 0, &mut kernel::Rows::new(listed, &mut logits), 0.5);
    logits
});
specimen!(Crelu(sums: Sums16) -> Bytes<64>, simd: S => kernel::crelu(simd, sums, kernel::Shr::<6>));
specimen!(SqrCrelu(sums: Sums16) -> Bytes<64>, simd: S => kernel::sqr_crelu(simd, sums, kernel::Shr::<19>));

/// Runs a task whose operands the optimiser does not know.
fn at<T: Task>(level: AvailableLevel, task: T) -> T::Output {
    black_box(dispatch(level, black_box(task)))
}

fn main() {
    let (us, them) = (Acc::zeroed(), Acc::zeroed());
    for level in Level::available() {
        at(level, ActivateSqrCrelu(&us, &them));
        at(level, ActivateCrelu(&us, &them));
        let x = at(level, ActivatePairwise255(&us, &them));
        at(level, AffineSparse(&x, &Layer::zeroed()));
        let x = at(level, ActivatePairwise127(&us, &them));
        let h1 = at(level, AffineWhole(&x, &Layer::zeroed()));
        let a1 = at(level, Crelu(&h1));
        at(level, SqrCrelu(&h1));
        at(level, AffineDense(&a1, &Layer::zeroed()));
        at(level, Row(&a1, &RowLayer::zeroed()));
        at(
            level,
            OnDemand(&Bytes::zeroed(), &RowsLayer::zeroed(), &[7; 30]),
        );
    }
}
