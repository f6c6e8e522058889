//! Arrays of numbers with the alignment of the widest vectors.
#![expect(
    unsafe_code,
    reason = "arrays of numbers may be zero, and bytes of the program may be one"
)]

use super::cast::Element;

#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Aligned<T, const N: usize>(pub(super) [T; N]);

// SAFETY: by `Element`'s contract `T` consists of numbers, for which all bits zero is a value.
unsafe impl<T: Element, const N: usize> bytemuck::Zeroable for Aligned<T, N> {}

impl<T: Element, const N: usize> Aligned<T, N> {
    /// `bytes` as a value of numbers, if they are one in memory: as many, aligned, in the order of the
    /// processor.
    pub(super) fn embedded(bytes: &'static [u8]) -> Option<&'static Self> {
        let value = bytes.as_ptr().cast::<Self>();
        let fits = bytes.len() == size_of::<[T; N]>()
            && bytes.len() == size_of::<Self>()
            && value.is_aligned();
        if !fits || cfg!(target_endian = "big") {
            return None;
        }
        // SAFETY: the length and the alignment were checked, and the bytes live as long as the program.
        // `Aligned` has no padding, since the sizes are equal: it is an array of `T`s. By `Element`'s contract
        // a `T` consists of numbers, and all bits are valid numbers.
        Some(unsafe { &*value })
    }
}
