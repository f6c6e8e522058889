//! Loops unrolled in the source.
//!
//! An array of vectors stays in registers only if every index into it is a constant. At opt-level 3
//! the compiler unrolls such loops itself. At levels 1, 2 and s, which users of a library may
//! choose, it does not unroll some of them and keeps the array in memory.

/// `unroll!(8, |K| body)`: repeats the body with the constants `K` = 0, 1, .. 7; also for 4 and 16.
macro_rules! unroll {
    (4, |$k:ident| $body:expr) => { $crate::kernel::unroll::unroll!(@ $k $body; 0 1 2 3) };
    (8, |$k:ident| $body:expr) => { $crate::kernel::unroll::unroll!(@ $k $body; 0 1 2 3 4 5 6 7) };
    (16, |$k:ident| $body:expr) => { $crate::kernel::unroll::unroll!(@ $k $body; 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15) };
    (@ $k:ident $body:expr; $($i:literal)*) => {{ $({
        const $k: usize = $i;
        $body;
    })* }};
}

pub(super) use unroll;
