//! Prefetch hints.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "prefetch instructions")
)]

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;

/// Prefetches the first `lines` cache lines of `values`, or fewer if it is shorter.
#[inline(always)]
pub(crate) fn prefetch<T>(values: &[T], lines: usize) {
    prefetch_lines::<true>(
        values.as_ptr().cast(),
        size_of_val(values).div_ceil(LINE).min(lines),
    );
}

/// Prefetches `values` into the second-level cache, so that they displace nothing that is read now.
#[inline(always)]
pub(crate) fn prefetch_early<T>(values: &[T]) {
    prefetch_lines::<false>(values.as_ptr().cast(), size_of_val(values).div_ceil(LINE));
}

/// Prefetches as many bytes as `values` has from its end on.
#[inline(always)]
pub(crate) fn prefetch_next<T>(values: &[T]) {
    prefetch_lines::<true>(
        values.as_ptr_range().end.cast(),
        size_of_val(values).div_ceil(LINE),
    );
}

/// Prefetches `lines` cache lines from `start` on into the nearest or the second-level cache. The
/// addresses need not be mapped.
#[inline(always)]
fn prefetch_lines<const NEAREST: bool>(start: *const i8, lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..lines {
        use core::arch::x86_64::{_MM_HINT_T0, _MM_HINT_T1, _mm_prefetch};
        let line = start.wrapping_add(line * LINE);
        if NEAREST {
            // SAFETY: a prefetch accesses nothing; any address is allowed (SSE is part of x86-64).
            unsafe { _mm_prefetch(line, _MM_HINT_T0) }
        } else {
            // SAFETY: as above.
            unsafe { _mm_prefetch(line, _MM_HINT_T1) }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (start, lines, LINE);
}
