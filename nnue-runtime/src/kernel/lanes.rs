//! Operations of expressions without an instruction, such as a division of integers: lane by lane, by their
//! definition. The compiler makes vectors of the loop where it can.

use bytemuck::Pod;
use nnue_spec::elementwise::{Number, Scalar};

use crate::memory::lanes_mut;
use crate::simd::Vector;

/// The result of an operation of `K` operands.
#[inline(always)]
pub fn by_lanes<N: Number + Pod, V: Vector, const K: usize>(
    scalar: Scalar,
    mut operands: [V; K],
) -> V {
    const { assert!(1 <= K && K <= 3) }
    let mut out = operands[0];
    for lane in 0..size_of::<V>() / size_of::<N>() {
        let mut values = [N::default(); 3];
        for (value, operand) in values.iter_mut().zip(&mut operands) {
            *value = lanes_mut::<V, N>(operand)[lane];
        }
        lanes_mut::<V, N>(&mut out)[lane] = N::of(scalar, values);
    }
    out
}
