//! Compares every operation of every level that this processor has with [`Scalar`], bit for bit.

mod float;

use super::{Level, Scalar, Simd, Task, Vector, dispatch, pack_order};
use crate::memory::{lanes_mut, view};
use crate::testing::Random;

/// The bytes of one vector of any level.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Raw([u8; 64]);

impl Raw {
    /// Random bytes, i16 and i32 at edges, or few bits set.
    fn random(random: &mut Random) -> Self {
        let mut bytes = [0; 64];
        match random.below(4) {
            0 => bytes
                .as_chunks_mut()
                .0
                .iter_mut()
                .for_each(|x| *x = random.i16().to_le_bytes()),
            1 => bytes
                .as_chunks_mut()
                .0
                .iter_mut()
                .for_each(|x| *x = random.i32().to_le_bytes()),
            2 => bytes
                .iter_mut()
                .for_each(|x| *x = random.of(&[0, 0, 0, 0, 0, 0, 1, 128])),
            _ => bytes.iter_mut().for_each(|x| *x = random.next() as u8),
        }
        Self(bytes)
    }

    fn map(mut self, f: impl Fn(u8) -> u8) -> Self {
        self.0.iter_mut().for_each(|x| *x = f(*x));
        self
    }

    /// The vector at byte `at`.
    fn vector<V: Vector>(&self, at: usize) -> V {
        view(&self.0[at..at + size_of::<V>()])[0]
    }

    /// The 16-byte vector at byte `16 * part`.
    fn part<V: Vector>(&self, part: usize) -> V {
        self.vector(16 * part)
    }
}

fn bytes<V: Vector>(mut vector: V) -> Vec<u8> {
    lanes_mut::<V, u8>(&mut vector).to_vec()
}

fn lanes<V: Vector>(mut vector: V) -> Vec<i32> {
    lanes_mut::<V, i32>(&mut vector).to_vec()
}

fn at_all_levels(task: impl Task<Output = ()> + Copy) {
    for level in Level::available() {
        dispatch(level, task);
    }
}

type U8 = <Scalar as Simd>::U8;
type I16 = <Scalar as Simd>::I16;
type I32 = <Scalar as Simd>::I32;

/// Lane-wise operations: the result of a wide vector consists of the results of its 16-byte parts.
macro_rules! lanewise {
    ($simd:ident: $S:ident, $random:ident: $($name:ident($($argument:ident: $type:ident),+ $(; $n:expr)?);)*) => { $(
        for _ in 0..400 {
            $(let $argument = Raw::random(&mut $random);)+
            $(let $argument = ($argument, $argument.vector::<$S::$type>(0));)+
            let actual = bytes($simd.$name($($argument.1),+ $(, $n)?));
            for part in 0..$S::BYTES / 16 {
                let expected = bytes(Scalar.$name($($argument.0.part::<$type>(part)),+ $(, $n)?));
                let actual = &actual[16 * part..][..16];
                assert_eq!(actual, expected, "{}::{} {:?}", $S::LEVEL, stringify!($name), [$($argument.0),+]);
            }
        }
    )* };
}

#[derive(Clone, Copy)]
struct LookedUp;

impl Task for LookedUp {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(9);
        for _ in 0..400 {
            let [counts, low, high] =
                [127, 63, 63].map(|most| Raw::random(&mut random).map(|x| x & most));
            let w = Raw::random(&mut random);
            let [c, w_, l, h] = [counts, w, low, high].map(|raw| raw.vector::<S::U8>(0));
            let actual = bytes(simd.add_looked_up_u8(c, w_, l, h));
            for part in 0..S::BYTES / 16 {
                let [c, w, l, h] = [counts, w, low, high].map(|raw| raw.part(part));
                let expected = bytes(Scalar.add_looked_up_u8(c, w, l, h));
                assert_eq!(actual[16 * part..][..16], expected, "{}", S::LEVEL);
            }
        }
    }
}

#[test]
fn numbers_are_looked_up_by_halves_of_bytes() {
    at_all_levels(LookedUp);
}

#[derive(Clone, Copy)]
struct Lanewise;

impl Task for Lanewise {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(1);
        lanewise! { simd: S, random:
            add_i16(a: I16, b: I16);
            sub_i16(a: I16, b: I16);
            min_i16(a: I16, b: I16);
            max_i16(a: I16, b: I16);
            mul_low_i16(a: I16, b: I16);
            mul_high_i16(a: I16, b: I16);
            dot_i16(a: I16, b: I16);
            min_u8(a: U8, b: U8);
            add_i32(a: I32, b: I32);
            min_i32(a: I32, b: I32);
            max_i32(a: I32, b: I32);
            mul_low_i32(a: I32, b: I32);
            and_i32(a: I32, b: I32);
            or_i32(a: I32, b: I32);
            xor_i32(a: I32, b: I32);
            dot_exact_u8i8(acc: I32, u: U8, w: U8);
        }
        for n in 0..16 {
            lanewise! { simd: S, random: shl_i16(a: I16; n); shr_u16(a: I16; n); }
        }
        for n in 0..32 {
            lanewise! { simd: S, random: shr_i32(a: I32; n); shl_i32(a: I32; n); }
        }
    }
}

#[derive(Clone, Copy)]
struct ShiftedProducts;

impl Task for ShiftedProducts {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(6);
        for n in 0..15 {
            for _ in 0..200 {
                let (a, b) = (Raw::random(&mut random), Raw::random(&mut random));
                let a = simd.shr_u16(a.vector(0), n + 1);
                let expected = simd.mul_high_i16(simd.shl_i16(a, n), b.vector(0));
                assert_eq!(
                    bytes(simd.mul_high_shl_i16(a, n, b.vector(0))),
                    bytes(expected),
                    "{} {n}",
                    S::LEVEL
                );
            }
        }
    }
}

#[test]
fn shifted_products_match_a_shift_and_a_product() {
    at_all_levels(ShiftedProducts);
}

#[test]
fn lanewise_operations_match_scalar() {
    at_all_levels(Lanewise);
}

#[derive(Clone, Copy)]
struct Widen;

impl Task for Widen {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        assert_eq!(2 * size_of::<S::I8>(), S::BYTES);
        let mut random = Random(1);
        for _ in 0..400 {
            let raw = Raw::random(&mut random);
            let expected: Vec<u8> = raw.0[..S::BYTES / 2]
                .iter()
                .flat_map(|x| i16::from(x.cast_signed()).to_le_bytes())
                .collect();
            assert_eq!(
                bytes(simd.widen_i8(raw.vector(0))),
                expected,
                "{} {raw:?}",
                S::LEVEL
            );
        }
    }
}

#[test]
fn widened_lanes_keep_their_values() {
    at_all_levels(Widen);
}

#[derive(Clone, Copy)]
struct Splats;

impl Task for Splats {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        assert_eq!(size_of::<S::U8>(), S::BYTES);
        assert_eq!(bytes(simd.zero_i32()), vec![0; S::BYTES]);
        assert_eq!(bytes(simd.splat_u8(0xab)), vec![0xab; S::BYTES]);
        assert_eq!(
            bytes(simd.splat_i16(0x1234)),
            [0x34, 0x12].repeat(S::BYTES / 2)
        );
        assert_eq!(
            bytes(simd.splat_i32(0x1234_5678)),
            [0x78, 0x56, 0x34, 0x12].repeat(S::BYTES / 4)
        );
        assert_eq!(
            bytes(simd.splat_u8x4(0x9234_5678)),
            [0x78, 0x56, 0x34, 0x92].repeat(S::BYTES / 4)
        );
    }
}

#[test]
fn splats_fill_every_lane() {
    at_all_levels(Splats);
}

/// Compares `dot_u8i8` and `dot_exact_u8i8` of `u` and `w` with the scalar level.
#[inline(always)]
fn check_dots<S: Simd>(simd: S, acc: Raw, u: Raw, w: Raw, contract_holds: bool) {
    let (acc_v, u_v, w_v) = (acc.vector(0), u.vector(0), w.vector(0));
    let exact = bytes(simd.dot_exact_u8i8(acc_v, u_v, w_v));
    let fast = if contract_holds {
        bytes(simd.dot_u8i8(acc_v, u_v, w_v))
    } else {
        exact.clone()
    };
    for part in 0..S::BYTES / 16 {
        let expected = bytes(Scalar.dot_exact_u8i8(acc.part(part), u.part(part), w.part(part)));
        let at = 16 * part..16 * part + 16;
        assert_eq!(
            (&exact[at.clone()], &fast[at]),
            (&*expected, &*expected),
            "{} {u:?} {w:?}",
            S::LEVEL
        );
    }
}

#[derive(Clone, Copy)]
struct Dots;

impl Task for Dots {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(2);
        for u in 0..=255_u8 {
            for first in (0..256).step_by(64) {
                let acc = Raw::random(&mut random);
                let w = Raw(core::array::from_fn(|i| (first + i) as u8));
                // Each pair of values occurs beside a zero, beside its neighbour, and beside a random value.
                let alone = Raw(core::array::from_fn(|i| if i % 2 == 0 { u } else { 0 }));
                let other = Raw(core::array::from_fn(|i| if i % 2 == 1 { u } else { 0 }));
                let beside = Raw(core::array::from_fn(|i| {
                    if i % 2 == 0 {
                        u
                    } else {
                        random.below(128) as u8
                    }
                }));
                for at in (0..64).step_by(S::BYTES) {
                    let w = Raw(core::array::from_fn(|i| w.0[(at + i) % 64]));
                    check_dots(simd, acc, alone, w, u <= S::DOT_LIMIT);
                    check_dots(simd, acc, other, w, u <= S::DOT_LIMIT);
                    check_dots(simd, acc, beside, w, u <= 127);
                    check_dots(simd, acc, Raw([u; 64]), w, u <= 127);
                }
            }
        }
    }
}

#[test]
fn dot_products_match_scalar_for_all_pairs_of_values() {
    at_all_levels(Dots);
}

#[derive(Clone, Copy)]
struct DoubleDots;

impl Task for DoubleDots {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(3);
        for trial in 0..2000 {
            let mut raw = || Raw::random(&mut random);
            let (acc, mut u, mut w) = (raw(), [raw(), raw()], [raw(), raw()]);
            if trial % 2 == 0 {
                // Four products of about 127 * -64: the sums are close to the limits of i16.
                u = u.map(|u| u.map(|x| if x == 0 { 0 } else { 127 - x % 2 }));
                w = w.map(|w| w.map(|x| if x < 128 { 63 + x % 2 } else { 192_u8 }));
            } else {
                u = u.map(|u| u.map(|x| x.min(127)));
                w = w.map(|w| w.map(|x| (x.cast_signed() / 2).cast_unsigned()));
            }
            let actual = bytes(simd.dot2_u8i8(
                acc.vector(0),
                u.map(|u| u.vector(0)),
                w.map(|w| w.vector(0)),
            ));
            for part in 0..S::BYTES / 16 {
                let once = Scalar.dot_u8i8(acc.part(part), u[0].part(part), w[0].part(part));
                let expected = bytes(Scalar.dot_u8i8(once, u[1].part(part), w[1].part(part)));
                assert_eq!(
                    actual[16 * part..][..16],
                    expected,
                    "{} {u:?} {w:?}",
                    S::LEVEL
                );
            }
        }
    }
}

#[test]
fn double_dot_products_match_two_dot_products() {
    at_all_levels(DoubleDots);
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a sum of two products leaves i16")]
fn scalar_checks_the_contract_of_a_dot_product() {
    Scalar.dot_u8i8(
        Scalar.zero_i32(),
        Scalar.splat_u8(255),
        Scalar.splat_u8(127),
    );
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "a sum of four products leaves i16")]
fn scalar_checks_the_contract_of_a_double_dot_product() {
    Scalar.dot2_u8i8(
        Scalar.zero_i32(),
        [Scalar.splat_u8(127); 2],
        [Scalar.splat_u8(65); 2],
    );
}

#[derive(Clone, Copy)]
struct Narrowing;

impl Narrowing {
    #[inline(always)]
    fn check_i32<S: Simd, const PARTS: usize>(simd: S, raw: &[Raw; 4]) {
        let actual = bytes(simd.narrow_i32_u8::<PARTS>(raw.map(|raw| raw.vector(0))));
        let parts = raw
            .iter()
            .take(PARTS)
            .flat_map(|raw| lanes::<S::I32>(raw.vector(0)));
        let mut expected: Vec<u8> = parts.map(|x| x.clamp(0, 127) as u8).collect();
        expected.resize(S::BYTES, 0);
        assert_eq!(actual, expected, "{} {raw:?}", S::LEVEL);
    }
}

impl Task for Narrowing {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(4);
        for _ in 0..1000 {
            let raw: [Raw; 4] = core::array::from_fn(|_| Raw::random(&mut random));
            Self::check_i32::<S, 1>(simd, &raw);
            Self::check_i32::<S, 2>(simd, &raw);
            Self::check_i32::<S, 3>(simd, &raw);
            Self::check_i32::<S, 4>(simd, &raw);

            let actual = bytes(simd.narrow_i16_u8(raw[0].vector(0), raw[1].vector(0)));
            let halves = [&raw[0].0[..S::BYTES], &raw[1].0[..S::BYTES]].concat();
            let in_order: Vec<u8> = halves
                .as_chunks()
                .0
                .iter()
                .map(|&x| i16::from_le_bytes(x).clamp(0, 255) as u8)
                .collect();
            let expected: Vec<u8> = S::PACK_ORDER
                .iter()
                .flat_map(|&group| in_order[8 * group..][..8].to_vec())
                .collect();
            assert_eq!(actual, expected, "{}", S::LEVEL);
        }
    }
}

#[test]
fn narrowing_clamps_and_packs_in_the_declared_order() {
    at_all_levels(Narrowing);
}

#[derive(Clone, Copy)]
struct Reductions;

impl Task for Reductions {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(5);
        for _ in 0..2000 {
            let raw = Raw::random(&mut random);
            let sum = lanes::<S::I32>(raw.vector(0))
                .into_iter()
                .fold(0, i32::wrapping_add);
            assert_eq!(simd.reduce_i32(raw.vector(0)), sum, "{} {raw:?}", S::LEVEL);

            let rows: [Raw; 16] = core::array::from_fn(|_| Raw::random(&mut random));
            let sums = lanes(simd.reduce_each_i32(rows.map(|row| row.vector(0))));
            let expected = rows.map(|row| {
                lanes::<S::I32>(row.vector(0))
                    .into_iter()
                    .fold(0, i32::wrapping_add)
            });
            assert_eq!(sums, expected[..S::BYTES / 4], "{}", S::LEVEL);

            let [a, b] = [rows[0], rows[1]];
            let pair = [random.i32() as i16, random.i32() as i16];
            let expected = pair.map(i16::to_le_bytes).concat().repeat(S::BYTES / 4);
            assert_eq!(
                bytes(simd.splat_i16x2(pair)),
                expected,
                "{} {pair:?}",
                S::LEVEL
            );

            let zipped = [
                (simd.zip_u8(a.vector(0), b.vector(0)).map(bytes), 1),
                (simd.zip_u16(a.vector(0), b.vector(0)).map(bytes), 2),
                (simd.zip_i16(a.vector(0), b.vector(0)).map(bytes), 2),
            ];
            for (zipped, bytes_of) in zipped {
                for (half, zipped) in zipped.into_iter().enumerate() {
                    let parts = a.0[..S::BYTES].chunks(16).zip(b.0[..S::BYTES].chunks(16));
                    let halves = parts.map(|(a, b)| (&a[8 * half..][..8], &b[8 * half..][..8]));
                    let groups =
                        halves.flat_map(|(a, b)| a.chunks(bytes_of).zip(b.chunks(bytes_of)));
                    let expected: Vec<u8> = groups.flat_map(|(a, b)| [a, b].concat()).collect();
                    assert_eq!(zipped, expected, "{} {bytes_of}", S::LEVEL);
                }
            }

            let first = simd.add_blocks(simd.splat_blocks(60_000), simd.splat_blocks(500));
            let (mut blocks, count) = simd.nonzero_blocks(raw.vector(0), first);
            let values = lanes::<S::I32>(raw.vector(0));
            let expected: Vec<u16> = (60_500..)
                .zip(values)
                .filter(|&(_, x)| x != 0)
                .map(|(i, _)| i)
                .collect();
            assert_eq!(
                lanes_mut::<_, u16>(&mut blocks)[..count],
                expected,
                "{} {raw:?}",
                S::LEVEL
            );
        }
    }
}

#[test]
fn sums_of_lanes_and_lists_of_blocks_are_right() {
    at_all_levels(Reductions);
}

#[derive(Clone, Copy)]
struct Lists;

impl Task for Lists {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(7);
        for _ in 0..2000 {
            let raw = Raw::random(&mut random);
            let values = lanes::<S::I32>(raw.vector(0));
            let mask = |bits: Vec<bool>| {
                bits.into_iter()
                    .rev()
                    .fold(0, |mask, bit| 2 * mask + u32::from(bit))
            };
            let negative: Vec<bool> = values.iter().map(|&x| x < 0).collect();
            assert_eq!(
                simd.negative_i32(raw.vector(0)),
                mask(negative),
                "{} {raw:?}",
                S::LEVEL
            );

            let keep = random.next() as u32;
            let kept: Vec<i32> = (0..)
                .zip(&values)
                .filter(|(i, _)| keep >> i & 1 == 1)
                .map(|(_, &x)| x)
                .collect();
            assert_eq!(
                lanes(simd.compress_i32(raw.vector(0), keep))[..kept.len()],
                kept,
                "{} {raw:?}",
                S::LEVEL
            );

            let len = 2 + random.below(100);
            let words: Vec<u16> = (0..len).map(|_| random.next() as u16).collect();
            let wide: Vec<i32> = (0..len).map(|_| random.i32()).collect();
            let bytes: [u8; 64] = core::array::from_fn(|_| random.next() as u8);
            let mut index = Raw([0; 64]);
            let mut index_below = |limit: usize| {
                index
                    .0
                    .as_chunks_mut()
                    .0
                    .iter_mut()
                    .for_each(|x| *x = (random.below(limit) as i32).to_le_bytes());
                index
            };
            let at = index_below(len - 1);
            let expected = |value: &dyn Fn(usize) -> i32, at: Raw| -> Vec<i32> {
                lanes::<S::I32>(at.vector(0))
                    .into_iter()
                    .map(|i| value(i as usize))
                    .collect()
            };
            assert_eq!(
                lanes(simd.gather_u16(&words, at.vector(0))),
                expected(&|i| words[i].into(), at),
                "{}",
                S::LEVEL
            );
            let at = index_below(len);
            assert_eq!(
                lanes(simd.gather_i32(&wide, at.vector(0))),
                expected(&|i| wide[i], at),
                "{}",
                S::LEVEL
            );
            let at = index_below(64);
            assert_eq!(
                lanes(simd.gather_u8(&bytes, at.vector(0))),
                expected(&|i| bytes[i].into(), at),
                "{}",
                S::LEVEL
            );
        }
    }
}

#[test]
fn lists_are_compressed_and_looked_up() {
    at_all_levels(Lists);
}

fn boards<V: Vector>(mut vector: V) -> Vec<u64> {
    lanes_mut::<V, u64>(&mut vector).to_vec()
}

#[derive(Clone, Copy)]
struct Boards;

impl Task for Boards {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let mut random = Random(8);
        for _ in 0..2000 {
            let planes: [u64; 4] = core::array::from_fn(|_| random.next());
            for (square, byte) in simd.bytes_of_planes(planes).into_iter().enumerate() {
                let expected = (0..4).fold(0, |all, b| all | (planes[b] >> square & 1) << b);
                assert_eq!(u64::from(byte), expected, "{}", S::LEVEL);
            }

            let (a, b) = (Raw::random(&mut random), Raw::random(&mut random));
            let (a_lanes, b_lanes) = (boards::<S::I32>(a.vector(0)), boards::<S::I32>(b.vector(0)));
            let half = a_lanes.len() / 2;
            assert_eq!(boards(simd.splat_u64(planes[0])), vec![planes[0]; 2 * half]);
            assert_eq!(
                boards(simd.swap_halves(a.vector(0))),
                [&a_lanes[half..], &a_lanes[..half]].concat()
            );
            let meet = (0..2 * half).fold(0, |mask, i| {
                mask | u32::from(a_lanes[i] & b_lanes[i] != 0) << i
            });
            assert_eq!(
                simd.meet_u64(a.vector(0), b.vector(0)),
                meet,
                "{} {a:?} {b:?}",
                S::LEVEL
            );
            let numbers = lanes(simd.numbers_u64(a.vector(0), b.vector(0)));
            for (board, number) in a_lanes.iter().chain(&b_lanes).zip(numbers) {
                assert!(
                    (0..64).contains(&number)
                        && board.checked_ilog2().is_none_or(|bit| bit == number as u32)
                );
            }
            for (i, (board, nearest)) in a_lanes
                .iter()
                .zip(boards(simd.nearest_u64(a.vector(0))))
                .enumerate()
            {
                let bit = if i < half {
                    board.trailing_zeros()
                } else {
                    63_u32.wrapping_sub(board.leading_zeros())
                };
                assert_eq!(
                    nearest,
                    if *board == 0 { 0 } else { 1 << bit },
                    "{} {a:?}",
                    S::LEVEL
                );
            }
        }
    }
}

#[test]
fn bitboards_in_lanes_are_looked_at() {
    at_all_levels(Boards);
}

#[test]
fn pack_orders_are_permutations_of_vectors_that_divide_the_run() {
    for &level in Level::ALL {
        for len in (16..=3072).step_by(16) {
            let order = level.pack_order(len);
            assert!(len.is_multiple_of(8 * order.len()), "{level} {len}");
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..order.len()));
        }
    }
    assert_eq!(pack_order::<Scalar>(48), [0, 1]);
}
