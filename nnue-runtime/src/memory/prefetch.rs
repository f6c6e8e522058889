//! Hints to the processor that memory will be read soon.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "prefetch instructions"))]

/// The size of a cache line.
pub(crate) const LINE: usize = 64;

/// Starts loading the first `lines` cache lines of `values`, or fewer if it is shorter.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of_val(values).div_ceil(LINE).min(lines) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let address = values.as_ptr().cast::<i8>().wrapping_add(line * LINE);
        // SAFETY: a prefetch accesses nothing; any address is allowed (SSE is part of x86-64).
        unsafe { _mm_prefetch(address, _MM_HINT_T0) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (values, lines, LINE);
}
