//! Lists of integers of a column, whichever of Arrow's types of lists it has.

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray};
use datafusion_common::arrow::buffer::NullBuffer;
use datafusion_common::arrow::datatypes::{
    DataType, Field, Int32Type, Int64Type, UInt32Type, UInt64Type,
};
use nnue_runtime::rows::{Integers, MatrixError, RowMatrix};

/// The type that a column of this type is read as; nothing if it has no lists of integers.
pub(crate) fn read_as(column: &DataType) -> Option<DataType> {
    let item = match column {
        DataType::List(item) | DataType::LargeList(item) | DataType::FixedSizeList(item, _) => {
            item.data_type()
        }
        DataType::Null => &DataType::Null,
        _ => return None,
    };
    match item {
        DataType::Int32 | DataType::Int64 | DataType::UInt32 | DataType::UInt64 => {
            Some(column.clone())
        }
        // An empty list has no type, nor has NULL.
        DataType::Null | DataType::Int8 | DataType::Int16 | DataType::UInt8 | DataType::UInt16 => {
            let item = Field::new_list_field(DataType::Int64, true);
            Some(DataType::List(item.into()))
        }
        _ => None,
    }
}

/// The lists of a column.
pub(crate) struct Lists<'a> {
    /// where they begin and end in `items`
    bounds: Vec<i64>,
    items: &'a ArrayRef,
    nulls: Option<&'a NullBuffer>,
}

impl<'a> Lists<'a> {
    /// Nothing if the column has another type than [`read_as`] says.
    pub(crate) fn of(column: &'a ArrayRef) -> Option<Self> {
        let (bounds, items) = match column.data_type() {
            DataType::List(_) => {
                let lists = column.as_list::<i32>();
                let bounds = lists.value_offsets().iter().copied().map(i64::from);
                (bounds.collect(), lists.values())
            }
            DataType::LargeList(_) => {
                let lists = column.as_list::<i64>();
                (lists.value_offsets().to_vec(), lists.values())
            }
            DataType::FixedSizeList(_, length) => {
                let bounds = (0..=column.len() as i64).map(|list| list * i64::from(*length));
                (bounds.collect(), column.as_fixed_size_list().values())
            }
            _ => return None,
        };
        Some(Self {
            bounds,
            items,
            nulls: column.nulls(),
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.bounds.len().saturating_sub(1)
    }

    pub(crate) fn is_null(&self, list: usize) -> bool {
        self.nulls.is_some_and(|nulls| nulls.is_null(list))
    }

    /// Whether an item of a list is NULL.
    pub(crate) fn has_null(&self, list: usize) -> bool {
        self.items
            .nulls()
            .is_some_and(|nulls| self.range(list).any(|item| nulls.is_null(item)))
    }

    /// The lists in the memory of the column; nothing if items have another type than [`read_as`] says.
    pub(crate) fn matrix(&self) -> Option<Result<RowMatrix<'_>, MatrixError>> {
        let items = match self.items.data_type() {
            DataType::Int32 => Integers::I32(self.items.as_primitive::<Int32Type>().values()),
            DataType::Int64 => Integers::I64(self.items.as_primitive::<Int64Type>().values()),
            DataType::UInt32 => Integers::U32(self.items.as_primitive::<UInt32Type>().values()),
            DataType::UInt64 => Integers::U64(self.items.as_primitive::<UInt64Type>().values()),
            _ => return None,
        };
        Some(RowMatrix::new(Integers::I64(&self.bounds), items))
    }

    fn range(&self, list: usize) -> std::ops::Range<usize> {
        // Arrow's offsets are not negative.
        self.bounds[list] as usize..self.bounds[list + 1] as usize
    }
}
