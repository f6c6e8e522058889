//! Whose accumulator layers read first, and how the two lie in a file.

#[path = "../behaviour/reference.rs"]
mod reference;
#[allow(dead_code, reason = "boards of the vectors are not needed here")]
#[path = "../behaviour/support.rs"]
mod support;
mod white_first;
