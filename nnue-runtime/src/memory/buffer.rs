//! Aligned arrays on the stack.

/// `N` u8 activations, 64-byte aligned. `N` is the number of values rounded up to a multiple of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Bytes<const N: usize>(pub(crate) [u8; N]);

impl<const N: usize> Bytes<N> {
    /// A buffer of zeros.
    #[inline(always)]
    pub fn zeroed() -> Self {
        const {
            assert!(
                N.is_multiple_of(64),
                "a buffer is whole vectors of the widest level"
            )
        }
        Self([0; N])
    }

    /// The values, including padding.
    #[inline(always)]
    pub fn values(&self) -> &[u8; N] {
        &self.0
    }

    /// The values in blocks of four.
    #[inline(always)]
    pub(crate) fn blocks(&self) -> &[[u8; 4]] {
        self.0.as_chunks().0
    }
}

/// `N` activated accumulator values that stay in 16 bits, 64-byte aligned; none is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Words<const N: usize>(pub(crate) [i16; N]);

impl<const N: usize> Words<N> {
    /// A buffer of zeros.
    #[inline(always)]
    pub fn zeroed() -> Self {
        Self([0; N])
    }

    /// The values.
    #[inline(always)]
    pub fn values(&self) -> &[i16; N] {
        &self.0
    }
}

/// `N` i32 sums of a layer, 64-byte aligned. `N` is the number of outputs rounded up to a multiple
/// of 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Sums<const N: usize>(pub(crate) [i32; N]);

impl<const N: usize> Sums<N> {
    /// A buffer of zeros.
    #[inline(always)]
    pub fn zeroed() -> Self {
        const {
            assert!(
                N.is_multiple_of(16),
                "sums are whole vectors of the widest level"
            )
        }
        Self([0; N])
    }

    /// The sums, including padding.
    #[inline(always)]
    pub fn values(&self) -> &[i32; N] {
        &self.0
    }

    /// The sum of output `index`.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline(always)]
    pub fn get(&self, index: usize) -> i32 {
        self.0[index]
    }
}

/// `N` floats, sums of a layer or their activations, 64-byte aligned. `N` is the number of values
/// rounded up to a multiple of 16.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(64))]
pub struct Floats<const N: usize>(pub(crate) [f32; N]);

impl<const N: usize> Floats<N> {
    /// A buffer of zeros.
    #[inline(always)]
    pub fn zeroed() -> Self {
        const {
            assert!(
                N.is_multiple_of(16),
                "floats are whole vectors of the widest level"
            )
        }
        Self([0.0; N])
    }

    /// The values, including padding.
    #[inline(always)]
    pub fn values(&self) -> &[f32; N] {
        &self.0
    }

    /// Value `index`.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline(always)]
    pub fn get(&self, index: usize) -> f32 {
        self.0[index]
    }
}

/// The signs of values, 64-byte aligned: bit `i % 32` of word `i / 32` is set if value i is greater
/// than 0. Bits after the last value are zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Signs<const WORDS: usize>(pub(crate) [u32; WORDS]);

impl<const WORDS: usize> Signs<WORDS> {
    /// The words.
    #[inline(always)]
    pub fn words(&self) -> &[u32; WORDS] {
        &self.0
    }
}

impl<const N: usize> From<[i32; N]> for Sums<N> {
    #[inline(always)]
    fn from(sums: [i32; N]) -> Self {
        Self(sums)
    }
}
