//! Tools for declared networks and their files.
//!
//! * [`plot`] draws networks, and charts.
#![forbid(unsafe_code)]

pub mod plot;
