//! The x86-64 backends: 128-bit, 256-bit and 512-bit vectors, the latter two with and without VNNI
//! dot products.
#![expect(
    unsafe_code,
    reason = "intrinsics of processor features; a token proves that they exist"
)]

mod avx2;
mod avx512;
mod bitboard;
mod float;
#[cfg(feature = "std")]
mod leb128;
mod sse41;

pub(super) use avx2::{Avx2, AvxVnni};
pub(super) use avx512::{Avx512, Avx512Counting, Avx512Vnni};
#[cfg(feature = "std")]
pub(super) use leb128::Compressing;
pub(super) use sse41::Sse41;
