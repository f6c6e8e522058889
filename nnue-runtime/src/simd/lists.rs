//! Lane-by-lane operations on lists and bitboards: used by levels without vector instructions for
//! them, and the reference in tests of the others.

use crate::memory::lanes_mut;
use crate::simd::Vector;

/// `f` of each pair of lanes.
#[inline(always)]
pub(super) fn zip<V: Vector>(mut a: V, mut b: V, f: impl Fn(i32, i32) -> i32) -> V {
    for (a, b) in lanes_mut::<V, i32>(&mut a)
        .iter_mut()
        .zip(lanes_mut::<V, i32>(&mut b))
    {
        *a = f(*a, *b);
    }
    a
}

/// In each 16 bytes: interleaves groups of `BYTES` bytes of `a` and `b`; first the groups of the
/// first eight bytes of both, then those of the last eight.
#[inline(always)]
pub(super) fn zip_parts<V: Vector, const BYTES: usize>(mut a: V, mut b: V) -> [V; 2] {
    let mut zipped = [a, b];
    let [first, last] = &mut zipped;
    let (a, b) = (lanes_mut::<V, u8>(&mut a), lanes_mut::<V, u8>(&mut b));
    for (half, zipped) in [first, last].into_iter().enumerate() {
        for (place, byte) in lanes_mut::<V, u8>(zipped).iter_mut().enumerate() {
            let (part, place) = (place / 16 * 16, place % 16);
            let from = part + 8 * half + place / (2 * BYTES) * BYTES + place % BYTES;
            *byte = if (place / BYTES).is_multiple_of(2) {
                a[from]
            } else {
                b[from]
            };
        }
    }
    zipped
}

/// Bit i of the result is `holds(lane i)`.
#[inline(always)]
pub(super) fn mask_of<V: Vector, T: bytemuck::Pod>(mut a: V, holds: impl Fn(T) -> bool) -> u32 {
    let lanes = lanes_mut::<V, T>(&mut a).iter().enumerate();
    lanes.fold(0, |mask, (i, lane)| mask | u32::from(holds(*lane)) << i)
}

/// [`Simd::add_differing_u8`](super::Simd::add_differing_u8): bits are added in pairs, in fours, in
/// bytes, eight bytes at once.
#[inline(always)]
pub(super) fn add_differing_bytes<V: Vector>(mut counts: V, mut a: V, mut b: V) -> V {
    let words = lanes_mut::<V, u64>(&mut a)
        .iter()
        .zip(lanes_mut::<V, u64>(&mut b));
    for (count, (a, b)) in lanes_mut::<V, u64>(&mut counts).iter_mut().zip(words) {
        let bits = *a ^ *b;
        let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
        debug_assert!(
            count
                .to_le_bytes()
                .iter()
                .zip(bytes.to_le_bytes())
                .all(|(count, more)| count.checked_add(more).is_some()),
            "add_differing_u8: a number does not fit"
        );
        *count = count.wrapping_add(bytes);
    }
    counts
}

/// [`Simd::add_looked_up_u8`](super::Simd::add_looked_up_u8).
#[inline(always)]
pub(super) fn add_looked_up_bytes<V: Vector>(
    mut counts: V,
    mut w: V,
    mut low: V,
    mut high: V,
) -> V {
    let (w, low, high) = (
        lanes_mut::<V, u8>(&mut w),
        lanes_mut::<V, u8>(&mut low),
        lanes_mut::<V, u8>(&mut high),
    );
    for (i, count) in lanes_mut::<V, u8>(&mut counts).iter_mut().enumerate() {
        let (first, w) = (i / 16 * 16, usize::from(w[i]));
        let sum =
            u16::from(*count) + u16::from(low[first + w % 16]) + u16::from(high[first + w / 16]);
        debug_assert!(
            sum <= u8::MAX.into(),
            "add_looked_up_u8: a number does not fit"
        );
        *count = sum as u8;
    }
    counts
}

/// [`BitboardLanes::compress_i32`](super::BitboardLanes::compress_i32).
#[inline(always)]
pub(super) fn compress<V: Vector>(mut a: V, keep: u32) -> V {
    let lanes = lanes_mut::<V, i32>(&mut a);
    let mut count = 0;
    for i in 0..lanes.len() {
        lanes[count] = lanes[i];
        count += (keep >> i & 1) as usize;
    }
    a
}

/// `value(index[i])`. Indices are below `len`; greater ones are clamped to the last.
#[inline(always)]
pub(super) fn gather<V: Vector>(mut index: V, len: usize, value: impl Fn(usize) -> i32) -> V {
    for lane in lanes_mut::<V, i32>(&mut index) {
        let at = lane.cast_unsigned() as usize;
        debug_assert!(at < len, "index {at} of a table of {len}");
        *lane = value(at.min(len - 1));
    }
    index
}

/// [`BitboardLanes::nearest_u64`](super::BitboardLanes::nearest_u64).
#[inline(always)]
pub(super) fn nearest<V: Vector>(mut a: V) -> V {
    let lanes = lanes_mut::<V, u64>(&mut a);
    let (up, down) = lanes.split_at_mut(lanes.len() / 2);
    up.iter_mut().for_each(|lane| *lane &= lane.wrapping_neg());
    down.iter_mut()
        .for_each(|lane| *lane = 1_u64.checked_shl(63 ^ lane.leading_zeros()).unwrap_or(0));
    a
}

/// [`BitboardLanes::numbers_u64`](super::BitboardLanes::numbers_u64).
#[inline(always)]
pub(super) fn numbers<V: Vector>(mut a: V, mut b: V) -> V {
    let mut result = a;
    let bits = lanes_mut::<V, u64>(&mut a)
        .iter()
        .chain(lanes_mut::<V, u64>(&mut b).iter());
    for (number, bits) in lanes_mut::<V, i32>(&mut result).iter_mut().zip(bits) {
        *number = (!bits.leading_zeros() & 63).cast_signed();
    }
    result
}

/// [`BitboardLanes::bytes_of_planes`](super::BitboardLanes::bytes_of_planes). Spreads eight bits to
/// eight bytes at a time.
#[inline(always)]
pub(super) fn bytes_of_planes(planes: [u64; 4]) -> [u8; 64] {
    static SPREAD: [u64; 256] = spread();
    let mut bytes = [0; 64];
    for (at, eight) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
        let plane = |b: usize| SPREAD[usize::from((planes[b] >> (8 * at)) as u8)] << b;
        *eight = (plane(0) | plane(1) | plane(2) | plane(3)).to_le_bytes();
    }
    bytes
}

/// Entry b has bit i of b in its byte i.
const fn spread() -> [u64; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 8 * 256 {
        let (byte, bit) = (index / 8, index % 8);
        table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
        index += 1;
    }
    table
}
