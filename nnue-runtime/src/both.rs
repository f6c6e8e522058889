//! Something for both of a pair: for two colours, for the accumulators of two perspectives.

/// `[f(first), f(second)]`, in this order.
///
/// What every declared network has compiled for itself calls this and not `map` of arrays, which becomes seven functions for each closure.
#[inline(always)]
pub(crate) fn both<A, B>([first, second]: [A; 2], mut f: impl FnMut(A) -> B) -> [B; 2] {
    [f(first), f(second)]
}
