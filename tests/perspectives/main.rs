//! The order of perspectives, separate weights, and the products of halves that 16-bit weights read.

mod games;
mod halves;
mod psqt_floats;
#[path = "../behaviour/reference.rs"]
mod reference;
mod separate;
#[allow(dead_code, reason = "boards of the vectors are not needed here")]
#[path = "../behaviour/support.rs"]
mod support;
mod white_first;
