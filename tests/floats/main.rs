//! Networks with layers of floats: every level against the reference, bit for bit, and Alexandria's network against the engine's output.

mod alexandria;
mod arithmetic;
mod dense;
mod heads;
mod network;
#[path = "../behaviour/reference.rs"]
mod reference;
mod subnets;
#[path = "../behaviour/support.rs"]
mod support;
