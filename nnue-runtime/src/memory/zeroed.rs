//! Memory for big arrays: zeroed, or a part of the program.
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
    reason = "aligned values in zeroed bytes, or where they are in the program; one system call"
)]

use alloc::boxed::Box;
use alloc::vec;
use core::hint::assert_unchecked;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

use bytemuck::Zeroable;

/// Memory of the heap. Unlike a `Box`, it may move while there are pointers into it.
struct Block(NonNull<[u8]>);

// SAFETY: it owns its bytes, as a `Box` does.
unsafe impl Send for Block {}
// SAFETY: as above.
unsafe impl Sync for Block {}

impl Block {
    fn new(bytes: Box<[u8]>) -> Self {
        Self(NonNull::from_mut(Box::leak(bytes)))
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was made of a box, and is dropped once.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// Bytes on the heap, initially zero. Memory pages are touched only when they are written.
pub(super) struct ZeroedBytes {
    block: Block,
    /// the offset of the first aligned byte in `block`
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
        Self {
            block: Block::new(bytes),
            offset,
            len,
        }
    }

    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[u8] {
        // SAFETY: the bytes are initialised and live as long as the block.
        let bytes = unsafe { self.block.0.as_ref() };
        &bytes[self.offset..][..self.len]
    }

    #[inline(always)]
    pub(super) fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`; the borrow is unique.
        let bytes = unsafe { self.block.0.as_mut() };
        &mut bytes[self.offset..][..self.len]
    }
}

/// A `T` on the heap, initially all bits zero, or a `T` of the program that is copied to the heap when it is
/// first changed. Memory pages on the heap are touched only when they are written.
pub(super) struct Zeroed<T: 'static> {
    value: NonNull<T>,
    /// the memory of the value; `None` if it is a `&'static T`
    heap: Option<Block>,
}

// SAFETY: it owns a `T`, or is a `&'static T` as long as it is only read.
unsafe impl<T: Send + Sync> Send for Zeroed<T> {}
// SAFETY: as above; a shared borrow only reads.
unsafe impl<T: Send + Sync> Sync for Zeroed<T> {}

impl<T: Zeroable + Copy> Zeroed<T> {
    pub(super) fn new() -> Self {
        let ZeroedBytes { block, offset, .. } = ZeroedBytes::new(size_of::<T>(), align_of::<T>());
        let start = block.0.cast::<u8>();
        // SAFETY: `offset` is inside the block or at its end.
        let value = unsafe { start.add(offset) }.cast();
        Self {
            value,
            heap: Some(block),
        }
    }

    pub(super) const fn of_static(value: &'static T) -> Self {
        Self {
            value: NonNull::from_ref(value),
            heap: None,
        }
    }

    /// Whether the value is one of the program.
    pub(super) const fn is_static(&self) -> bool {
        self.heap.is_none()
    }

    /// The same value: a copy of one on the heap, or the same one of the program.
    pub(super) fn copied(&self) -> Self {
        if self.is_static() {
            Self {
                value: self.value,
                heap: None,
            }
        } else {
            Self::on_heap(self)
        }
    }

    /// A copy of `value` on the heap.
    #[cold]
    fn on_heap(value: &T) -> Self {
        let copy = Self::new();
        // SAFETY: both are aligned values of this type, and the copy is nowhere else. (An assignment might move
        // the value over the stack, which is too small for it.)
        unsafe {
            copy.value
                .copy_from_nonoverlapping(NonNull::from_ref(value), 1)
        };
        copy
    }
}

impl<T: Zeroable + Copy> Deref for Zeroed<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: `new` chose an aligned address, and a reference is aligned. (This assumption saves checks in
        // kernels.)
        unsafe { assert_unchecked(self.value.is_aligned()) };
        // SAFETY: the value is that of a reference, or aligned memory of the block, which lives as long as
        // `self`. The block was zero, which is a valid `T`, or was written as a `T`.
        unsafe { self.value.as_ref() }
    }
}

impl<T: Zeroable + Copy> DerefMut for Zeroed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        if self.is_static() {
            *self = Self::on_heap(self);
        }
        // SAFETY: as in `deref`; the value is on the heap, and the borrow is unique.
        unsafe { self.value.as_mut() }
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
        let copy = value.copied();
        assert!(copy.0.iter().all(|&byte| byte == 7));
        drop(value);
        let moved = Box::new(copy);
        assert!(moved.0.iter().all(|&byte| byte == 7));
    }

    #[test]
    fn a_value_of_the_program_is_copied_when_it_is_changed() {
        static VALUE: Bytes<100> = Bytes([3; 100]);
        let mut value = Zeroed::of_static(&VALUE);
        assert!(core::ptr::eq(&*value, &VALUE));
        let same = value.copied();
        value.0[99] = 4;
        assert!(core::ptr::eq(&*same, &VALUE) && !value.is_static());
        assert_eq!((VALUE.0[99], value.0[98], value.0[99]), (3, 3, 4));
    }

    #[test]
    fn values_of_any_size_are_zero_aligned_and_writable() {
        check::<0>();
        check::<1>();
        check::<4096>();
        check::<5_000_001>();
    }
}
