//! Compares pools of values of layers with their definitions, on every level.

use nnue_spec::Pool;

use super::at_all_levels;
use crate::kernel::{Add, Average, Maximum, Product, pool_bytes, pool_floats};
use crate::memory::{Bytes, Floats};
use crate::simd::{Simd, Task};
use crate::testing::Random;

#[derive(Clone, Copy)]
struct Pools;

/// Both kernels for `FIRST, SECOND, STRIDE, LEN` of buffers of 128 values, with every pool.
macro_rules! check {
    ($bytes:expr, $floats:expr, $($first:literal, $second:literal, $stride:literal, $len:literal;)*) => { $(
        check!(@ $bytes, $floats, $first, $second, $stride, $len: Add Average Maximum Product);
    )* };
    (@ $bytes:expr, $floats:expr, $first:literal, $second:literal, $stride:literal, $len:literal: $($pool:ident)*) => { $({
        let ([x, y], [p, q]) = ($bytes, $floats);
        let bytes: Bytes<128> = pool_bytes::<$pool, $first, $second, $stride, $len, 128, 128, 128>(x, y);
        let floats: Floats<96> = pool_floats::<$pool, $first, $second, $stride, $len, 96, 128, 128>(p, q);
        compare(Pool::$pool, [$first, $second, $stride, $len], ([x, y], [p, q]), (&bytes, &floats));
    })* };
}

/// Compares a kernel's results for `first + stride * j` and `second + stride * j` with the
/// definition. Compiled once for all levels.
fn compare(
    pool: Pool,
    [first, second, stride, len]: [usize; 4],
    ([x, y], [p, q]): ([&Bytes<128>; 2], [&Floats<128>; 2]),
    (bytes, floats): (&Bytes<128>, &Floats<96>),
) {
    for j in 0..len {
        let at = [first + stride * j, second + stride * j];
        assert_eq!(bytes.0[j], pool.of_bytes(x.0[at[0]], y.0[at[1]]), "{at:?}");
        let (result, expected) = (
            floats.0[j],
            (pool.definition().floats)(p.0[at[0]], q.0[at[1]]),
        );
        assert!(
            result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan(),
            "{at:?}"
        );
    }
    assert!(
        bytes.0[len..].iter().all(|&x| x == 0) && floats.0[len..].iter().all(|x| x.to_bits() == 0)
    );
}

impl Task for Pools {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut random = Random(8);
        for _ in 0..20 {
            let (mut bytes, mut floats) = ([Bytes::zeroed(); 2], [Floats::zeroed(); 2]);
            for byte in bytes.iter_mut().flat_map(|bytes| &mut bytes.0) {
                let any = random.below(128) as u8;
                *byte = random.of(&[0, 1, 63, 64, 126, 127, any]);
            }
            for float in floats.iter_mut().flat_map(|floats| &mut floats.0) {
                let number = f32::from(random.i16()) / 64.0;
                *float = random.of(&[number, number, 0.0, -0.0, f32::NAN, f32::INFINITY]);
            }
            let ([x, y], [p, q]) = (&bytes, &floats);
            check!([x, x], [p, p],
                0, 32, 1, 32;
                0, 1, 2, 64;
                3, 16, 1, 13;
                5, 6, 2, 7;
                0, 1, 1, 1;
            );
            check!([x, y], [p, q],
                0, 0, 1, 96;
                7, 60, 1, 33;
            );
        }
    }
}

#[test]
fn pools_of_values_are_their_definitions() {
    at_all_levels(Pools);
}
