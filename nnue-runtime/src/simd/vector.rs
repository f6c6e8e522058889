//! Vectors of SIMD registers as plain data.

/// A plain vector type: any bit pattern is a value, alignment equals size (at most 64).
///
/// # Safety
///
/// Implementors are `repr(C)`/SIMD types without padding for which every bit pattern is valid, so
/// that an aligned slice of bytes may be viewed as a slice of them.
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
pub unsafe trait Vector: Copy + 'static {}

// SAFETY: an integer without padding, every bit pattern valid; 8 bytes, aligned to 8 on these processors.
// It is half a vector of the 128-bit levels.
#[cfg(any(target_arch = "x86_64", target_arch = "wasm32"))]
#[expect(unsafe_code, reason = "the contract of the checked casts in `memory`")]
unsafe impl Vector for i64 {}
