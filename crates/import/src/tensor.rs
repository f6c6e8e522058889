//! Tensors.

use std::fmt;

use crate::error::ImportError;

/// Most elements of a tensor: 1 GiB of floats, as in the language.
pub const MAX_ELEMENTS: usize = 1 << 28;

/// Most axes of a tensor.
pub const MAX_RANK: usize = 16;

/// The element type of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Element {
    /// true or false
    Bool,
    /// integers of any width
    I64,
    /// floats; 16-bit and 64-bit ones are converted when read
    F32,
}

/// The elements of a tensor, the last axis contiguous.
#[derive(Clone, Debug, PartialEq)]
pub enum Data {
    /// true or false
    Bool(Vec<bool>),
    /// integers
    I64(Vec<i64>),
    /// floats
    F32(Vec<f32>),
}

/// A tensor. The number of elements always equals the product of the shape.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    shape: Vec<usize>,
    data: Data,
}

impl Element {
    /// Bytes of an element.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bool => 1,
            Self::I64 => 8,
            Self::F32 => 4,
        }
    }

    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::I64 => "whole numbers",
            Self::F32 => "f32",
        }
    }
}

impl Data {
    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Self::Bool(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::F32(values) => values.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Tensor {
    /// A tensor of these elements.
    ///
    /// # Errors
    ///
    /// [`ImportError::Shape`]: the length does not match the shape, or exceeds [`MAX_ELEMENTS`] or
    /// [`MAX_RANK`].
    pub fn new(shape: Vec<usize>, data: Data) -> Result<Self, ImportError> {
        let expected = elements(&shape)?;
        if expected != data.len() {
            let message = format!(
                "the shape {shape:?} has {expected} elements, found {}",
                data.len()
            );
            return Err(ImportError::Shape(message));
        }
        Ok(Self { shape, data })
    }

    /// A tensor of floats.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn floats(shape: &[usize], values: Vec<f32>) -> Result<Self, ImportError> {
        Self::new(shape.to_vec(), Data::F32(values))
    }

    /// A tensor without axes.
    pub fn scalar(data: Data) -> Self {
        assert_eq!(data.len(), 1, "a scalar is one number");
        Self {
            shape: Vec::new(),
            data,
        }
    }

    /// A vector of integers.
    pub fn list(values: Vec<i64>) -> Self {
        Self {
            shape: vec![values.len()],
            data: Data::I64(values),
        }
    }

    /// The lengths of the axes, the outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.data.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element type.
    pub fn element(&self) -> Element {
        match self.data {
            Data::Bool(_) => Element::Bool,
            Data::I64(_) => Element::I64,
            Data::F32(_) => Element::F32,
        }
    }

    /// The elements, if they are floats.
    pub fn as_floats(&self) -> Option<&[f32]> {
        if let Data::F32(values) = &self.data {
            Some(values)
        } else {
            None
        }
    }

    /// The elements, if they are integers.
    pub fn as_integers(&self) -> Option<&[i64]> {
        if let Data::I64(values) = &self.data {
            Some(values)
        } else {
            None
        }
    }

    /// The only element as a float, whatever its type and rank.
    pub fn as_number(&self) -> Option<f32> {
        self.as_double().map(|number| number as f32)
    }

    /// The only element, exact up to 2^53, whatever its type and rank.
    pub fn as_double(&self) -> Option<f64> {
        match &self.data {
            Data::Bool(values) if values.len() == 1 => Some(f64::from(u8::from(values[0]))),
            Data::I64(values) if values.len() == 1 => Some(values[0] as f64),
            Data::F32(values) if values.len() == 1 => Some(f64::from(values[0])),
            _ => None,
        }
    }

    /// The element at an index, exact up to 2^53.
    pub(crate) fn double(&self, at: usize) -> f64 {
        match &self.data {
            Data::Bool(values) => f64::from(u8::from(values[at])),
            Data::I64(values) => values[at] as f64,
            Data::F32(values) => f64::from(values[at]),
        }
    }

    /// The elements as `f64`: exact up to 2^53, as comparisons with integers require.
    pub fn to_doubles(&self) -> Vec<f64> {
        (0..self.len()).map(|at| self.double(at)).collect()
    }

    /// The elements as `f32`. Integers above 2^24 are rounded: compare those with
    /// [`to_doubles`](Self::to_doubles).
    pub fn to_floats(&self) -> Vec<f32> {
        match &self.data {
            Data::Bool(values) => values
                .iter()
                .map(|&value| f32::from(u8::from(value)))
                .collect(),
            Data::I64(values) => values.iter().map(|&value| value as f32).collect(),
            Data::F32(values) => values.clone(),
        }
    }

    /// The same elements in another shape.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn reshaped(&self, shape: Vec<usize>) -> Result<Self, ImportError> {
        Self::new(shape, self.data.clone())
    }

    /// The elements at the indices `places`, in this order, in a new shape.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn picked(
        &self,
        shape: Vec<usize>,
        places: impl Iterator<Item = usize>,
    ) -> Result<Self, ImportError> {
        elements(&shape)?;
        let data = match &self.data {
            Data::Bool(values) => Data::Bool(places.map(|place| values[place]).collect()),
            Data::I64(values) => Data::I64(places.map(|place| values[place]).collect()),
            Data::F32(values) => Data::F32(places.map(|place| values[place]).collect()),
        };
        Self::new(shape, data)
    }
}

impl fmt::Display for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.as_number(), self.shape.as_slice()) {
            (Some(number), []) => write!(f, "{number}"),
            _ => write!(f, "{} {:?}", self.element().name(), self.shape),
        }
    }
}

/// Number of elements of a shape.
///
/// # Errors
///
/// [`ImportError::Shape`]: there are more than [`MAX_ELEMENTS`], or more than [`MAX_RANK`] axes.
pub fn elements(shape: &[usize]) -> Result<usize, ImportError> {
    if shape.len() > MAX_RANK {
        return Err(ImportError::Shape(format!(
            "a tensor has {} axes, the limit is {MAX_RANK}",
            shape.len()
        )));
    }
    // An axis of length 0 must not hide the excess of the others.
    let most = shape
        .iter()
        .try_fold(1_usize, |all, &length| all.checked_mul(length.max(1)));
    match most.filter(|&most| most <= MAX_ELEMENTS) {
        Some(_) => Ok(shape.iter().product()),
        None => Err(ImportError::Shape(format!(
            "the shape {shape:?} has more than {MAX_ELEMENTS} elements, the limit"
        ))),
    }
}

/// The stride of each axis, in elements.
pub(crate) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    strides
}
