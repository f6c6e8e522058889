//! Owned tensors, for tools, tests and the reference interpreter.

#[cfg(all(feature = "std", not(feature = "golden")))]
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

#[cfg(feature = "std")]
use crate::error::LoadError;
#[cfg(feature = "std")]
use crate::leb128::Portable;
#[cfg(feature = "std")]
use crate::reader::Header;
use nnue_spec::{ElementType, NetDesc, TensorDesc, TensorMut, TensorRef};

/// The tensors of a network, one vector each, in the order of [`NetDesc::tensors`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tensors(Vec<Elements>);

/// The elements of one tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum Elements {
    /// of 8 bits
    I8(Vec<i8>),
    /// of 16 bits
    I16(Vec<i16>),
    /// of 32 bits
    I32(Vec<i32>),
    /// floats
    F32(Vec<f32>),
}

impl Tensors {
    /// Tensors of zeros.
    pub fn zeroed(net: &NetDesc<'_>) -> Self {
        let zeroed = |tensor: &TensorDesc<'_>| Elements::zeroed(tensor.element, tensor.len());
        Self(net.tensors.iter().map(zeroed).collect())
    }

    /// Reads a network file, and compares its golden values with those of the reference interpreter. Nothing
    /// is compared if the network has [custom code](NetDesc::has_custom_code), which the interpreter cannot
    /// run.
    ///
    /// # Errors
    ///
    /// Those of [`read`](crate::read()) and `check_golden`; without the feature `golden`, any golden values
    /// are an error.
    #[cfg(feature = "std")]
    pub fn read<R: std::io::Read>(
        net: &NetDesc<'_>,
        source: R,
    ) -> Result<(Header, Self), LoadError> {
        let mut tensors = Self::zeroed(net);
        let header = crate::read(net, source, &mut tensors.muts(), &Portable)?;
        check_golden(net, &tensors)?;
        Ok((header, tensors))
    }

    /// The elements.
    pub fn refs(&self) -> Vec<TensorRef<'_>> {
        self.0.iter().map(Elements::borrow).collect()
    }

    /// The elements, mutably.
    pub fn muts(&mut self) -> Vec<TensorMut<'_>> {
        self.0.iter_mut().map(Elements::borrow_mut).collect()
    }
}

#[cfg(all(feature = "std", feature = "golden"))]
fn check_golden(net: &NetDesc<'_>, tensors: &Tensors) -> Result<(), LoadError> {
    crate::golden::reference::check(net, &tensors.refs())
}

/// Without the feature `golden`, golden values are an error: they would not be compared.
#[cfg(all(feature = "std", not(feature = "golden")))]
fn check_golden(net: &NetDesc<'_>, _: &Tensors) -> Result<(), LoadError> {
    if net.has_goldens() {
        let message = format!("golden values of `{}` need the feature `golden`", net.name);
        return Err(LoadError::new(crate::LoadErrorKind::Golden, 0, message));
    }
    Ok(())
}

impl Elements {
    /// Zeros.
    pub(crate) fn zeroed(element: ElementType, len: usize) -> Self {
        match element {
            ElementType::I8 => Self::I8(vec![0; len]),
            ElementType::I16 => Self::I16(vec![0; len]),
            ElementType::I32 => Self::I32(vec![0; len]),
            ElementType::F32 => Self::F32(vec![0.0; len]),
        }
    }

    /// The elements.
    pub fn borrow(&self) -> TensorRef<'_> {
        match self {
            Self::I8(v) => TensorRef::I8(v),
            Self::I16(v) => TensorRef::I16(v),
            Self::I32(v) => TensorRef::I32(v),
            Self::F32(v) => TensorRef::F32(v),
        }
    }

    /// The elements, mutably.
    pub(crate) fn borrow_mut(&mut self) -> TensorMut<'_> {
        match self {
            Self::I8(v) => TensorMut::I8(v),
            Self::I16(v) => TensorMut::I16(v),
            Self::I32(v) => TensorMut::I32(v),
            Self::F32(v) => TensorMut::F32(v),
        }
    }
}
