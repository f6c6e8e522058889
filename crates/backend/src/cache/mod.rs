//! Compact storage of answers, in memory and in files.
//!
//! ```text
//!   answer ─ steps ─► whole numbers ─ coding ─► bytes ─ record ─► segments of a file
//!                                     └ tables: static prefix codes
//! ```

mod bits;
mod coding;
mod contexts;
mod error;
mod prefix;
mod record;
mod runs;
mod segment;
mod steps;
mod store;
mod survey;
mod table;
mod tables;

pub use coding::{Coding, PolicyCodec};
pub use error::{CacheError, Damaged, Difference};
pub use segment::Kind;
pub use steps::Steps;
pub use store::{Contents, Store};
pub use survey::{FileSurvey, Survey, survey};

pub(crate) use record::{decode, encode};
pub(crate) use table::{Entry, Table, covers};
