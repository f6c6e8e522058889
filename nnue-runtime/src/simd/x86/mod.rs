//! The x86-64 backends: 128-bit, 256-bit and 512-bit vectors, the latter two with and without VNNI dot products.
//!
//! Intrinsics without pointers are unsafe to call only because the processor may lack their feature. All calls go through
//! `call!` in methods of tokens, and tokens exist only where the features do, so the argument is made once.
#![expect(unsafe_code, reason = "intrinsics of processor features; a token proves that they exist")]

mod avx2;
mod avx512;
mod leb128;
mod sse41;

pub(super) use avx2::{Avx2, AvxVnni};
pub(super) use avx512::{Avx512, Avx512Vnni};
pub(super) use leb128::Compressing;
pub(super) use sse41::Sse41;

/// One intrinsic, called in a method that has a token of its level.
macro_rules! call {
    ($intrinsic:path $(, $argument:expr)*) => {
        // SAFETY: a token is at hand, and tokens are made (`assume`) only where the processor has their level's features.
        unsafe { $intrinsic($($argument),*) }
    };
}

/// Methods that are one intrinsic.
macro_rules! intrinsics {
    ($($name:ident($($argument:ident: $type:ident),+) -> $out:ident = $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, $($argument: Self::$type),+) -> Self::$out {
            call!($intrinsic, $($argument),+)
        }
    )* };
}

use {call, intrinsics};

/// For each mask: the numbers of the set bits, ascending, `width` bits each.
const fn set_bits<const MASKS: usize>(width: u32) -> [u64; MASKS] {
    let mut table = [0; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut rest, mut count) = (mask, 0);
        while rest != 0 {
            table[mask] |= (rest.trailing_zeros() as u64) << (width * count);
            count += 1;
            rest &= rest - 1;
        }
        mask += 1;
    }
    table
}
