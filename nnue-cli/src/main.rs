//! command
fn main() {}
