//! Declared networks against the reference interpreter, and incremental evaluation against refreshed, on every level
//! that this machine has.

mod bullet;
mod bullet_networks;
mod files;
mod incremental;
mod nets;
mod reference;
mod stockfish;
mod support;
