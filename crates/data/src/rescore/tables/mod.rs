//! Positions as tables: Parquet and Arrow files.
//!
//! ```text
//!   column    what it is                                            read from                            written as
//!   fen       the position                                          any text                             text
//!   score     for the side to move; null: none                      any whole numbers                    Int16
//!   outcome   of the game for the side to move: 1, 0 or -1          any whole numbers                    Int8
//!   result    the same for White: `1-0`, `1/2-1/2` or `0-1`         any text, where there is no outcome  -
//!   ply       plies since the beginning; without it from the FEN    any whole numbers                    Int32
//!   move      in UCI notation; null: none                           any text                             text
//! ```
//!
//! Only `fen` is required. A block becomes a Parquet row group or an Arrow batch, which depends on no other
//! block.

mod arrow;
mod batch;
mod columns;
mod frame;
mod parquet;
mod rows;
mod schema;

pub(crate) use batch::Table;
pub(crate) use frame::Frame;

use crate::rescore::error::Error;
use crate::rescore::format::TableFormat;
use crate::rescore::input::Records;
use crate::rescore::job::{Input, Job};
use crate::rescore::watch::Watch;

pub(crate) fn open<'j>(
    format: TableFormat,
    input: &'j Input,
    job: &'j Job,
    watch: &'j dyn Watch,
) -> Result<Records<'j>, Error> {
    match format {
        TableFormat::Parquet => parquet::open(input, job, watch),
        TableFormat::Arrow | TableFormat::ArrowStream => arrow::open(input, job, watch),
    }
}
