//! Code of users: feature sets of other games, functions that choose stacks, activations. None of it is part of the crate.

mod activations;
mod ataxx;
mod buckets;
mod chess;
mod game_golden;
mod games;
mod golden;
mod readings;
mod rows;
mod rows_described;
mod shogi;
