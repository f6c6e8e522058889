//! Texts of a column, whichever of Arrow's types of text it has.

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray};
use datafusion_common::arrow::datatypes::DataType;

/// The types that are read. DataFusion converts others, such as dictionaries, to one of them.
pub(crate) const TYPES: [DataType; 3] = [DataType::Utf8View, DataType::Utf8, DataType::LargeUtf8];

/// The text of each row, `None` for NULL; nothing if the column has another type.
pub(crate) fn texts(column: &ArrayRef) -> Option<Box<dyn Iterator<Item = Option<&str>> + '_>> {
    Some(match column.data_type() {
        DataType::Utf8View => Box::new(column.as_string_view().iter()),
        DataType::Utf8 => Box::new(column.as_string::<i32>().iter()),
        DataType::LargeUtf8 => Box::new(column.as_string::<i64>().iter()),
        _ => return None,
    })
}
