//! Hints to the processor that memory will be read soon.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "prefetch instructions"))]

/// The size of a cache line.
pub(crate) const LINE: usize = 64;

/// Starts loading the first `lines` cache lines of `values`, or fewer if it is shorter.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], lines: usize) {
    prefetch_lines(values.as_ptr().cast(), size_of_val(values).div_ceil(LINE).min(lines));
}

/// Starts loading what follows `values`: as many bytes once more.
#[inline(always)]
pub(crate) fn prefetch_next<T>(values: &[T]) {
    prefetch_lines(values.as_ptr_range().end.cast(), size_of_val(values).div_ceil(LINE));
}

/// Starts loading `lines` cache lines from `start` on, which need not be memory of the program.
#[inline(always)]
fn prefetch_lines(start: *const i8, lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..lines {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch accesses nothing; any address is allowed (SSE is part of x86-64).
        unsafe { _mm_prefetch(start.wrapping_add(line * LINE), _MM_HINT_T0) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, lines, LINE);
}
