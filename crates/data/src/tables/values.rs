//! The values of a column, whatever its type.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
    UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{
    Array, ArrayRef, FixedSizeListArray, LargeListArray, LargeStringArray, ListArray, StringArray,
    StringViewArray,
};
use arrow_schema::DataType;

/// Whether [`Texts`] can read this type.
pub(crate) fn is_text(kind: &DataType) -> bool {
    match kind {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => true,
        DataType::Dictionary(_, values) => {
            matches!(
                **values,
                DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View
            )
        }
        _ => false,
    }
}

#[derive(Debug)]
pub(crate) struct Texts {
    values: Values,
    /// for a dictionary: the value index of each row, and the array, which knows the null rows
    keys: Option<(Vec<usize>, ArrayRef)>,
}

#[derive(Debug)]
enum Values {
    Small(StringArray),
    Large(LargeStringArray),
    View(StringViewArray),
    /// a dictionary without values: all rows are null
    None,
}

impl Texts {
    /// `array` must satisfy [`is_text`].
    pub(crate) fn of(array: &ArrayRef) -> Self {
        let Some(dictionary) = array.as_any_dictionary_opt() else {
            return Self {
                values: Values::of(array),
                keys: None,
            };
        };
        if dictionary.values().is_empty() {
            return Self {
                values: Values::None,
                keys: None,
            };
        }
        let keys = Some((dictionary.normalized_keys(), array.clone()));
        Self {
            values: Values::of(dictionary.values()),
            keys,
        }
    }

    /// The text of a row; `None` if it is null.
    #[inline]
    pub(crate) fn get(&self, row: usize) -> Option<&str> {
        match &self.keys {
            None => self.values.get(row),
            Some((_, array)) if array.is_null(row) => None,
            Some((keys, _)) => self.values.get(keys[row]),
        }
    }
}

impl Values {
    fn of(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::Utf8 => Self::Small(array.as_string().clone()),
            DataType::LargeUtf8 => Self::Large(array.as_string().clone()),
            DataType::Utf8View => Self::View(array.as_string_view().clone()),
            _ => Self::None,
        }
    }

    #[inline]
    fn get(&self, row: usize) -> Option<&str> {
        match self {
            Self::Small(array) => array.is_valid(row).then(|| array.value(row)),
            Self::Large(array) => array.is_valid(row).then(|| array.value(row)),
            Self::View(array) => array.is_valid(row).then(|| array.value(row)),
            Self::None => None,
        }
    }
}

/// Whether [`numbers`] can read this type.
pub(crate) fn is_number(kind: &DataType) -> bool {
    kind.is_integer()
}

/// The integers of a column; `None` for null. Numbers above `i64::MAX` become `i64::MAX`.
pub(crate) fn numbers(array: &ArrayRef) -> Vec<Option<i64>> {
    match array.data_type() {
        DataType::Int8 => collected::<Int8Type>(array),
        DataType::Int16 => collected::<Int16Type>(array),
        DataType::Int32 => collected::<Int32Type>(array),
        DataType::Int64 => collected::<Int64Type>(array),
        DataType::UInt8 => collected::<UInt8Type>(array),
        DataType::UInt16 => collected::<UInt16Type>(array),
        DataType::UInt32 => collected::<UInt32Type>(array),
        DataType::UInt64 => collected::<UInt64Type>(array),
        _ => vec![None; array.len()],
    }
}

fn collected<T: ArrowPrimitiveType<Native: TryInto<i64>>>(array: &ArrayRef) -> Vec<Option<i64>> {
    let numbers = array.as_primitive::<T>().iter();
    numbers
        .map(|number| number.map(|number| number.try_into().unwrap_or(i64::MAX)))
        .collect()
}

/// Whether [`reals`] can read this type.
pub(crate) fn is_real(kind: &DataType) -> bool {
    matches!(kind, DataType::Float32 | DataType::Float64) || is_number(kind)
}

/// The numbers of a column; `None` for null. Integers of more than 24 bits are rounded.
pub(crate) fn reals(array: &ArrayRef) -> Vec<Option<f32>> {
    match array.data_type() {
        DataType::Float32 => array.as_primitive::<Float32Type>().iter().collect(),
        DataType::Float64 => {
            let numbers = array.as_primitive::<Float64Type>().iter();
            numbers
                .map(|number| number.map(|number| number as f32))
                .collect()
        }
        _ => {
            let numbers = numbers(array).into_iter();
            numbers
                .map(|number| number.map(|number| number as f32))
                .collect()
        }
    }
}

/// Whether [`Lists`] can read this type.
pub(crate) fn is_list(kind: &DataType) -> bool {
    match kind {
        DataType::List(values)
        | DataType::LargeList(values)
        | DataType::FixedSizeList(values, _) => is_number(values.data_type()),
        _ => false,
    }
}

/// Lists of integers.
#[derive(Debug)]
pub(crate) enum Lists {
    Small(ListArray),
    Large(LargeListArray),
    Fixed(FixedSizeListArray),
}

impl Lists {
    /// `array` must satisfy [`is_list`].
    pub(crate) fn of(array: &ArrayRef) -> Self {
        match array.data_type() {
            DataType::List(_) => Self::Small(array.as_list().clone()),
            DataType::LargeList(_) => Self::Large(array.as_list().clone()),
            _ => Self::Fixed(array.as_fixed_size_list().clone()),
        }
    }

    /// The integers of a row; `None` for a null row, and for each null integer.
    pub(crate) fn get(&self, row: usize) -> Option<Vec<Option<i64>>> {
        let (is_valid, values) = match self {
            Self::Small(array) => (array.is_valid(row), array.value(row)),
            Self::Large(array) => (array.is_valid(row), array.value(row)),
            Self::Fixed(array) => (array.is_valid(row), array.value(row)),
        };
        is_valid.then(|| numbers(&values))
    }
}
