//! Zeroed memory for big arrays.
//!
//! Two measures reduce the time until 140 MB can be used from 45 to 6 ms (Linux, Zen 5, virtual
//! machine). First, the allocator is asked for zeroed bytes without an alignment, which come
//! untouched from the system; with an alignment of 64 bytes it would write zeros. Second, the
//! system is asked for pages of 2 MiB instead of 4 KiB.
//!
//! A big tensor starts at the start of such a page. Then all of it is in huge pages, and no row
//! whose size is a power of two straddles pages of any size: refreshes of SFNNv5 and v9 take 12 and
//! 15 % less time (Zen 3).
#![expect(
    unsafe_code,
    reason = "an aligned view of zeroed bytes, and one system call"
)]

use alloc::boxed::Box;
use alloc::vec;
use core::hint::assert_unchecked;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use bytemuck::Zeroable;

/// Bytes on the heap, initially zero. Memory pages are touched only when they are written.
pub(super) struct ZeroedBytes {
    bytes: Box<[u8]>,
    /// the offset of the first aligned byte in `bytes`
    offset: usize,
    len: usize,
}

impl ZeroedBytes {
    /// `len` bytes, aligned to `alignment` or more.
    pub(super) fn new(len: usize, alignment: usize) -> Self {
        let alignment = alignment_for(len).max(alignment);
        let mut bytes = vec![0; len + alignment - 1].into_boxed_slice();
        ask_for_huge_pages(&mut bytes);
        let address = bytes.as_ptr().addr();
        let offset = address.next_multiple_of(alignment) - address;
        Self { bytes, offset, len }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.offset..][..self.len]
    }

    #[inline(always)]
    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        &mut self.bytes[self.offset..][..self.len]
    }
}

/// A `T` on the heap, initially all bits zero. Memory pages are touched only when they are written.
pub(super) struct Zeroed<T> {
    bytes: ZeroedBytes,
    marker: PhantomData<T>,
}

impl<T: Zeroable + Copy> Zeroed<T> {
    pub(super) fn new() -> Self {
        Self {
            bytes: ZeroedBytes::new(size_of::<T>(), align_of::<T>()),
            marker: PhantomData,
        }
    }
}

impl<T: Zeroable + Copy> Deref for Zeroed<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        let ZeroedBytes { bytes, offset, .. } = &self.bytes;
        let value = bytes.as_ptr().wrapping_add(*offset).cast::<T>();
        // SAFETY: `new` chose the offset so that the address is aligned. (This
        // assumption saves checks in kernels.)
        unsafe { assert_unchecked(value.is_aligned()) };
        // SAFETY: `new` chose the offset so that the address is aligned, with room for a `T` after
        // it. The bytes are zero, which is a valid `T`, or were written as a `T`; they are borrowed
        // as long as the reference lives.
        unsafe { &*value }
    }
}

impl<T: Zeroable + Copy> DerefMut for Zeroed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        let ZeroedBytes { bytes, offset, .. } = &mut self.bytes;
        let value = bytes.as_mut_ptr().wrapping_add(*offset).cast::<T>();
        // SAFETY: as in `deref`; the borrow is unique.
        unsafe { &mut *value }
    }
}

/// Bytes of a huge page.
const HUGE: usize = 2 << 20;

/// The minimum alignment of a value of this size. The unused bytes before the value cost addresses
/// but no memory, except on systems without virtual memory.
const fn alignment_for(bytes: usize) -> usize {
    let has_virtual_memory = cfg!(all(feature = "std", not(target_family = "wasm")));
    if has_virtual_memory && bytes >= 2 * HUGE {
        HUGE
    } else {
        1
    }
}

/// Asks the system for huge pages for `bytes`. A refusal only costs speed.
#[cfg(all(feature = "std", target_os = "linux", not(miri)))]
fn ask_for_huge_pages(bytes: &mut [u8]) {
    use core::ffi::{c_int, c_void};

    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const MADV_HUGEPAGE: c_int = 14;

    let start = bytes.as_ptr().addr().next_multiple_of(HUGE);
    let end = (bytes.as_ptr().addr() + bytes.len()) / HUGE * HUGE;
    if start < end {
        let address = bytes.as_mut_ptr().with_addr(start).cast();
        // SAFETY: the process owns the memory of the range, and the advice does not change its contents.
        unsafe { madvise(address, end - start, MADV_HUGEPAGE) };
    }
}

#[cfg(not(all(feature = "std", target_os = "linux", not(miri))))]
fn ask_for_huge_pages(_: &mut [u8]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy)]
    #[repr(align(64))]
    struct Bytes<const N: usize>([u8; N]);

    // SAFETY: bytes may be zero.
    unsafe impl<const N: usize> Zeroable for Bytes<N> {}

    fn check<const N: usize>() {
        let mut value = Zeroed::<Bytes<N>>::new();
        assert!(value.0.as_ptr().addr().is_multiple_of(64));
        assert!(value.0.iter().all(|&byte| byte == 0));
        value.0.fill(7);
        assert!(value.0.iter().all(|&byte| byte == 7));
    }

    #[test]
    fn values_of_any_size_are_zero_aligned_and_writable() {
        check::<0>();
        check::<1>();
        check::<4096>();
        check::<5_000_001>();
    }
}
