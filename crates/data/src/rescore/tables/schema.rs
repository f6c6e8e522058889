//! The columns that are written.

use std::sync::{Arc, LazyLock};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};

use super::columns::{FEN, MOVE, OUTCOME, PLY, SCORE};

pub(super) static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    Arc::new(Schema::new(vec![
        Field::new(FEN, DataType::Utf8, false),
        Field::new(SCORE, DataType::Int16, true),
        Field::new(OUTCOME, DataType::Int8, false),
        Field::new(PLY, DataType::Int32, false),
        Field::new(MOVE, DataType::Utf8, true),
    ]))
});

pub(super) fn none() -> RecordBatch {
    RecordBatch::new_empty(SCHEMA.clone())
}
