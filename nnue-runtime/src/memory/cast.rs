//! Checked casts between slices of numbers and slices of vectors.
#![expect(
    unsafe_code,
    reason = "reinterprets slices; each cast checks alignment and length"
)]

use bytemuck::Pod;
use nnue_spec::{TensorMut, TensorRef};

use crate::simd::Vector;

/// A number of a tensor or a nested array of numbers.
///
/// # Safety
///
/// Implementors consist of zero or more [`Self::Number`]s and nothing else.
pub unsafe trait Element: Copy + Send + Sync + 'static {
    /// the numbers
    type Number: Number;
}

/// A number of a tensor: i8, i16, i32 or f32.
pub trait Number: Element<Number = Self> + Pod {
    /// A tensor of such numbers.
    fn tensor(values: &[Self]) -> TensorRef<'_>;
    /// A mutable tensor of such numbers.
    fn tensor_mut(values: &mut [Self]) -> TensorMut<'_>;
}

macro_rules! numbers {
    ($($number:ty => $variant:ident)*) => { $(
        // SAFETY: it consists of one number, itself.
        unsafe impl Element for $number {
            type Number = Self;
        }

        impl Number for $number {
            fn tensor(values: &[Self]) -> TensorRef<'_> {
                TensorRef::$variant(values)
            }

            fn tensor_mut(values: &mut [Self]) -> TensorMut<'_> {
                TensorMut::$variant(values)
            }
        }
    )* };
}

numbers! { i8 => I8  i16 => I16  i32 => I32  f32 => F32 }

// SAFETY: an array consists of its elements, without padding between them.
unsafe impl<T: Element, const N: usize> Element for [T; N] {
    type Number = T::Number;
}

/// The numbers of `values`, with nested arrays flattened.
#[inline(always)]
pub(super) fn flat<T: Element>(values: &[T]) -> &[T::Number] {
    let len = size_of_val(values) / size_of::<T::Number>();
    // SAFETY: by `Element`'s contract the memory of `values` is `len` numbers, each aligned; the
    // lifetime is kept.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), len) }
}

/// The numbers of `values`, with nested arrays flattened, mutably.
pub(super) fn flat_mut<T: Element>(values: &mut [T]) -> &mut [T::Number] {
    let len = size_of_val(values) / size_of::<T::Number>();
    // SAFETY: as in `flat`; the borrow is unique, and any numbers written are valid `T`s.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }
}

/// 64 bytes, with the size and alignment of the widest vectors: a slice of lines is aligned for
/// every level.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Line([u8; 64]);

// SAFETY: a `Line` consists of bytes, which may all be zero.
unsafe impl bytemuck::Zeroable for Line {}

// SAFETY: a `Line` has as many bytes as its alignment, so there is no padding; every bit pattern is
// valid.
unsafe impl Pod for Line {}

// SAFETY: a `Line` is a `repr(C)` array of bytes without padding; every bit pattern is valid.
unsafe impl Vector for Line {}

/// The number of `V`s in `bytes` bytes at `address`.
#[inline(always)]
fn vectors<V: Vector>(address: usize, bytes: usize) -> usize {
    assert!(
        address.is_multiple_of(align_of::<V>()),
        "misaligned for this level's vectors"
    );
    assert!(bytes.is_multiple_of(size_of::<V>()), "not whole vectors");
    bytes / size_of::<V>()
}

/// `values` as vectors.
///
/// # Panics
///
/// If `values` does not start at a multiple of the alignment of `V` or is not a whole number of
/// vectors long.
#[inline(always)]
pub fn view<V: Vector, T: Pod>(values: &[T]) -> &[V] {
    let len = vectors::<V>(values.as_ptr().addr(), size_of_val(values));
    // SAFETY: `vectors` checked alignment and extent; numbers have no padding and any bits are a valid `V`.
    unsafe { core::slice::from_raw_parts(values.as_ptr().cast(), len) }
}

/// `values` as mutable vectors.
///
/// # Panics
///
/// See [`view`].
#[inline(always)]
pub fn view_mut<V: Vector, T: Pod>(values: &mut [T]) -> &mut [V] {
    let len = vectors::<V>(values.as_ptr().addr(), size_of_val(values));
    // SAFETY: as in `view`; the borrow is unique, and any bits written are valid numbers.
    unsafe { core::slice::from_raw_parts_mut(values.as_mut_ptr().cast(), len) }
}

/// The lanes of a vector, in memory order.
#[inline(always)]
pub(crate) fn lanes_mut<V: Vector, T: Pod>(vector: &mut V) -> &mut [T] {
    const { assert!(align_of::<V>() >= align_of::<T>() && size_of::<V>().is_multiple_of(size_of::<T>())) }
    // SAFETY: the vector consists of this many numbers (alignment and size asserted); any bits are valid
    // in both.
    unsafe {
        core::slice::from_raw_parts_mut(
            core::ptr::from_mut(vector).cast(),
            size_of::<V>() / size_of::<T>(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Scalar, Simd};

    type I16 = <Scalar as Simd>::I16;

    #[repr(align(64))]
    struct Aligned([i16; 32]);

    #[test]
    fn a_view_has_the_same_values_in_the_same_order() {
        let mut values = Aligned(core::array::from_fn(|i| i as i16));
        assert_eq!(view::<I16, _>(&values.0).len(), 4);
        let vectors = view_mut::<I16, _>(&mut values.0);
        vectors[1] = Scalar.add_i16(vectors[1], Scalar.splat_i16(100));
        let expected: Vec<i16> = (0..32)
            .map(|i| if (8..16).contains(&i) { i + 100 } else { i })
            .collect();
        assert_eq!(values.0.as_slice(), expected);
    }

    #[test]
    #[should_panic(expected = "misaligned")]
    fn misaligned_memory_is_refused() {
        view::<I16, _>(&Aligned([0; 32]).0[1..9]);
    }

    #[test]
    #[should_panic(expected = "not whole vectors")]
    fn a_part_of_a_vector_is_refused() {
        view::<I16, _>(&Aligned([0; 32]).0[..9]);
    }

    #[test]
    fn nested_arrays_flatten_in_order() {
        assert_eq!(flat(&[[1i8, 2], [3, 4]]), &[1, 2, 3, 4]);
        assert_eq!(flat::<[i8; 0]>(&[[], []]), &[] as &[i8]);
    }
}
