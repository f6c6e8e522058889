//! Compares float operations with Rust's, bit for bit. All NaNs are equal.

use super::{Raw, at_all_levels};
use crate::memory::lanes_mut;
use crate::simd::{Simd, Task, Vector};
use crate::testing::{Random, fused};

/// Sixteen floats: one in three at an edge, one of any bits, the others close to each other, so
/// that sums cancel.
fn random_floats(random: &mut Random) -> Raw {
    const EDGES: [u32; 20] = [
        0x0000_0000,
        0x8000_0000,
        0x0000_0001,
        0x8000_0001,
        0x007F_FFFF,
        0x0080_0000,
        0x3F80_0000,
        0xBF80_0000,
        0x3F7F_FFFF,
        0x3F80_0001,
        0x7F7F_FFFF,
        0xFF7F_FFFF,
        0x7F80_0000,
        0xFF80_0000,
        0x7FC0_0000,
        0x4B80_0000,
        0x3400_0000,
        0x3380_0000,
        0xB380_0001,
        0x1F80_0001,
    ];
    let mut raw = Raw([0; 64]);
    for bytes in raw.0.as_chunks_mut::<4>().0 {
        let bits = match random.below(3) {
            0 => random.of(&EDGES),
            1 => random.next() as u32,
            _ => 0x3F00_0000 + (random.next() as u32 & 0x80FF_FFFF),
        };
        *bytes = bits.to_le_bytes();
    }
    raw
}

fn floats<V: Vector>(mut vector: V) -> Vec<f32> {
    lanes_mut::<V, f32>(&mut vector).to_vec()
}

/// Compares bits; two NaNs are equal.
fn assert_same(what: &str, actual: &[f32], expected: impl Iterator<Item = f32>) {
    for (lane, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        let same = actual.to_bits() == expected.to_bits() || (actual.is_nan() && expected.is_nan());
        assert!(
            same,
            "{what}, lane {lane}: {actual:?} instead of {expected:?}"
        );
    }
}

#[derive(Clone, Copy)]
struct Operations;

impl Task for Operations {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(9);
        for _ in 0..4000 {
            let [a, b, c]: [S::F32; 3] =
                std::array::from_fn(|_| random_floats(&mut random).vector(0));
            let [x, y, z] = [a, b, c].map(floats);
            let check = |name: &str, actual: S::F32, expected: &dyn Fn(usize) -> f32| {
                let what = format!("{}::{name} of {x:?}, {y:?}, {z:?}", S::LEVEL);
                assert_same(&what, &floats(actual), (0..x.len()).map(expected));
            };
            check("add_f32", simd.add_f32(a, b), &|i| x[i] + y[i]);
            check("mul_f32", simd.mul_f32(a, b), &|i| x[i] * y[i]);
            check("mul_add_f32", simd.mul_add_f32(a, b, c), &|i| {
                fused::multiply_add(x[i], y[i], z[i])
            });
            check("max_f32", simd.max_f32(a, b), &|i| {
                if x[i] > y[i] { x[i] } else { y[i] }
            });
            check("min_f32", simd.min_f32(a, b), &|i| {
                if x[i] < y[i] { x[i] } else { y[i] }
            });
            check("f32_of_i32", simd.f32_of_i32(a), &|i| {
                x[i].to_bits().cast_signed() as f32
            });
            check("div_f32", simd.div_f32(a, b), &|i| x[i] / y[i]);
            let n = random.below(254) as i32 - 126;
            let whole = simd.splat_f32(12_582_912.0 + n as f32);
            check("power_of_two_f32", simd.power_of_two_f32(whole), &|_| {
                2.0_f32.powi(n)
            });
            check("splat_f32", simd.splat_f32(x[0]), &|_| x[0]);
        }
    }
}

#[test]
fn operations_on_floats_match_those_of_the_language() {
    at_all_levels(Operations);
}

#[test]
fn fused_products_without_the_instruction_are_rounded_once() {
    let mut random = Random(10);
    let mut differ = 0;
    for _ in 0..40_000 {
        let [x, y, z]: [Vec<f32>; 3] = std::array::from_fn(|_| {
            let raw = random_floats(&mut random);
            raw.0
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect()
        });
        for ((&x, &y), &z) in x.iter().zip(&y).zip(&z) {
            let actual = crate::simd::float::fused(x, y, z);
            assert_same(
                &format!("{x:?} * {y:?} + {z:?}"),
                &[actual],
                std::iter::once(fused::multiply_add(x, y, z)),
            );
            differ += usize::from(actual.to_bits() != (x * y + z).to_bits());
        }
    }
    assert!(
        differ > 10_000,
        "only {differ} products are not those that are rounded twice"
    );
}
