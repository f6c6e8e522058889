//! File name extensions that several kinds of data share.

pub(crate) const PARQUET: &[&str] = &["parquet"];
/// Arrow files, then streams
pub(crate) const ARROW: &[&str] = &["arrow", "feather", "arrows"];
#[cfg(feature = "rescore")]
pub(crate) const ARROW_FILES: &[&str] = ARROW.split_at(2).0;
#[cfg(feature = "rescore")]
pub(crate) const ARROW_STREAMS: &[&str] = ARROW.split_at(2).1;
/// after the extension of a format
pub(crate) const COMPRESSED: [&str; 2] = ["gz", "zst"];
