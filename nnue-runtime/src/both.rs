//! Maps pairs: two colours, or the accumulators of two perspectives.

/// `[f(first), f(second)]`, in this order.
///
/// Code that is compiled for every declared network uses this instead of `map` of arrays, which
/// generates seven functions for each closure.
#[inline(always)]
pub(crate) fn both<A, B>([first, second]: [A; 2], mut f: impl FnMut(A) -> B) -> [B; 2] {
    [f(first), f(second)]
}
