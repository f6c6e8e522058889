//! Layers of 32-bit integers, with weights of 8, 16 or 32 bits.
//!
//! ```text
//!   y[o] = bias[o] + sum over k of weight[o][k] * x[k]        modulo 2^32, so in any order
//!
//!   weights: row[stack][o][k], as in the file
//! ```

use crate::integer::{IntegerLayer, IntegerWeight};
use crate::memory::Sums;

/// The sums of a layer in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn affine_integers<
    T: IntegerWeight,
    const IN: usize,
    const OUT: usize,
    const STACKS: usize,
    const OUTP: usize,
>(
    x: &[i32; IN],
    layer: &IntegerLayer<T, IN, OUT, STACKS>,
    stack: usize,
) -> Sums<OUTP> {
    const { assert!(OUT <= OUTP) }
    let mut sums = Sums::zeroed();
    let (bias, weights) = (&layer.bias[stack], &layer.weight[stack]);
    for output in 0..OUT {
        sums.0[output] = bias[output].wrapping_add(dot(x, &weights[output]));
    }
    sums
}

/// The sum of products of as many values as there are weights, modulo 2^32.
#[inline(always)]
fn dot<T: IntegerWeight>(x: &[i32], weights: &[T]) -> i32 {
    // Of one length, so that no access is checked and the loop becomes vectors.
    let x = &x[..weights.len()];
    let mut sum = 0_i32;
    for at in 0..weights.len() {
        sum = sum.wrapping_add(x[at].wrapping_mul(weights[at].widened()));
    }
    sum
}

/// The sums of a layer of any size: one for each bias.
#[cfg(feature = "described")]
pub(crate) struct SumsOfIntegers<'a, T> {
    pub(crate) x: &'a [i32],
    /// row after row
    pub(crate) weights: &'a [T],
    pub(crate) bias: &'a [i32],
    pub(crate) sums: &'a mut [i32],
}

#[cfg(feature = "described")]
impl<T: IntegerWeight> crate::simd::Task for SumsOfIntegers<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: crate::simd::Simd>(self, _: S) {
        let inputs = self.x.len();
        for (output, bias) in self.bias.iter().enumerate() {
            let row = &self.weights[output * inputs..][..inputs];
            self.sums[output] = bias.wrapping_add(dot(self.x, row));
        }
    }
}
