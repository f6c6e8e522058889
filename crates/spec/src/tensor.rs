//! Borrowed tensors: the common form for parameters, files, proofs and the reference interpreter.

use core::ops::Range;

use crate::descriptor::ElementType;

/// The elements of a tensor, all copies concatenated, in file order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TensorRef<'a> {
    /// 8-bit elements
    I8(&'a [i8]),
    /// 16-bit elements
    I16(&'a [i16]),
    /// 32-bit elements
    I32(&'a [i32]),
    /// 32-bit floats
    F32(&'a [f32]),
}

/// The elements of a tensor, mutably.
#[derive(Debug, PartialEq)]
pub enum TensorMut<'a> {
    /// 8-bit elements
    I8(&'a mut [i8]),
    /// 16-bit elements
    I16(&'a mut [i16]),
    /// 32-bit elements
    I32(&'a mut [i32]),
    /// 32-bit floats
    F32(&'a mut [f32]),
}

impl TensorRef<'_> {
    /// Some of the elements.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    #[must_use]
    pub fn part(self, range: Range<usize>) -> Self {
        match self {
            Self::I8(v) => Self::I8(&v[range]),
            Self::I16(v) => Self::I16(&v[range]),
            Self::I32(v) => Self::I32(&v[range]),
            Self::F32(v) => Self::F32(&v[range]),
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::I8(v) => v.len(),
            Self::I16(v) => v.len(),
            Self::I32(v) => v.len(),
            Self::F32(v) => v.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The type of the elements.
    pub fn element(&self) -> ElementType {
        match self {
            Self::I8(_) => ElementType::I8,
            Self::I16(_) => ElementType::I16,
            Self::I32(_) => ElementType::I32,
            Self::F32(_) => ElementType::F32,
        }
    }

    /// Element `index`, widened; floats are truncated.
    ///
    /// # Panics
    ///
    /// If there is no such element.
    pub fn get(&self, index: usize) -> i32 {
        match self {
            Self::I8(v) => v[index].into(),
            Self::I16(v) => v[index].into(),
            Self::I32(v) => v[index],
            Self::F32(v) => v[index] as i32,
        }
    }
}

impl TensorMut<'_> {
    /// Some of the elements.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub fn part(&mut self, range: Range<usize>) -> TensorMut<'_> {
        match self {
            Self::I8(v) => TensorMut::I8(&mut v[range]),
            Self::I16(v) => TensorMut::I16(&mut v[range]),
            Self::I32(v) => TensorMut::I32(&mut v[range]),
            Self::F32(v) => TensorMut::F32(&mut v[range]),
        }
    }

    /// The same elements, borrowed immutably.
    pub fn as_ref(&self) -> TensorRef<'_> {
        match self {
            Self::I8(v) => TensorRef::I8(v),
            Self::I16(v) => TensorRef::I16(v),
            Self::I32(v) => TensorRef::I32(v),
            Self::F32(v) => TensorRef::F32(v),
        }
    }

    /// Copies the elements of `source`.
    ///
    /// # Panics
    ///
    /// If `source` has elements of another type or another number of them.
    pub fn copy_from(&mut self, source: TensorRef<'_>) {
        match (self, source) {
            (Self::I8(to), TensorRef::I8(from)) => to.copy_from_slice(from),
            (Self::I16(to), TensorRef::I16(from)) => to.copy_from_slice(from),
            (Self::I32(to), TensorRef::I32(from)) => to.copy_from_slice(from),
            (Self::F32(to), TensorRef::F32(from)) => to.copy_from_slice(from),
            (to, from) => panic!(
                "{} are no {}",
                from.element().name(),
                to.as_ref().element().name()
            ),
        }
    }
}
