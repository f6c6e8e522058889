//! Cache-aligned tensors.
//!
//! ```text
//!   memory   | . . . | w0 w1 w2 .................. wn | . |      up to 15 numbers more than asked for
//!                    ^ a multiple of 64 bytes
//! ```
//!
//! A 64-byte vector that crosses a cache line takes two loads. Allocators place large blocks 16 bytes after a
//! line, so every vector would: adding rows of weights took 1.6 times as long.

use std::fmt;
use std::ops::{Deref, DerefMut};

use nnue_spec::op::Real;

/// A tensor, used as a slice. Its memory is aligned to 64 bytes.
///
/// ```
/// use nnue_train::network::Tensor;
///
/// let mut tensor = Tensor::from(vec![0.5, 1.5]);
/// tensor[0] += 2.0;
/// assert_eq!(*tensor, [2.5, 1.5]);
/// assert_eq!(Tensor::<f32>::zeros(3).iter().sum::<f32>(), 0.0);
/// ```
pub struct Tensor<T> {
    memory: Vec<T>,
    first: usize,
    len: usize,
}

const LINE: usize = 64;

/// Most elements before the next line.
const fn most_before<T>() -> usize {
    LINE / size_of::<T>() - 1
}

impl<T: Real> Tensor<T> {
    /// A tensor of `len` zeros.
    pub fn zeros(len: usize) -> Self {
        let memory = vec![T::ZERO; len + most_before::<T>()];
        let first = memory.as_ptr().align_offset(LINE).min(most_before::<T>());
        Self { memory, first, len }
    }
}

impl<T> Deref for Tensor<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.memory[self.first..self.first + self.len]
    }
}

impl<T> DerefMut for Tensor<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.first..self.first + self.len]
    }
}

impl<T: Clone> From<&[T]> for Tensor<T> {
    fn from(numbers: &[T]) -> Self {
        let mut memory: Vec<T> = Vec::with_capacity(numbers.len() + most_before::<T>());
        let before = memory.as_ptr().align_offset(LINE).min(most_before::<T>());
        // Padding that is never read.
        memory.extend(numbers.iter().cycle().take(before).cloned());
        let first = memory.len();
        memory.extend_from_slice(numbers);
        Self {
            memory,
            first,
            len: numbers.len(),
        }
    }
}

impl<T: Clone> From<Vec<T>> for Tensor<T> {
    fn from(numbers: Vec<T>) -> Self {
        numbers.as_slice().into()
    }
}

impl<T: Clone> FromIterator<T> for Tensor<T> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        Vec::from_iter(numbers).into()
    }
}

impl<'a, T> IntoIterator for &'a Tensor<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut Tensor<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

/// The copy is aligned, too.
impl<T: Clone> Clone for Tensor<T> {
    fn clone(&self) -> Self {
        (&**self).into()
    }
}

impl<T: PartialEq> PartialEq for Tensor<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: fmt::Debug> fmt::Debug for Tensor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_a_line() {
        for len in [1, 7, 1000, 100_000] {
            let tensor: Tensor<f32> = (0..len).map(|number| number as f32).collect();
            for tensor in [tensor.clone(), tensor] {
                assert!(tensor.as_ptr().addr().is_multiple_of(LINE));
                assert!(
                    tensor.len() == len as usize
                        && tensor.iter().enumerate().all(|(i, &x)| x == i as f32)
                );
            }
        }
        assert!(Tensor::<f64>::zeros(5).as_ptr().addr().is_multiple_of(LINE));
    }
}
