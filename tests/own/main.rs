//! Code of users: feature sets of other games, functions that choose among stacks, activations. Nothing here is part of the crate.

mod activations;
mod ataxx;
mod buckets;
mod chess;
mod games;
mod golden;
mod shogi;
