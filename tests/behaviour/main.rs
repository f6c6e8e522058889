//! Declared networks against the reference interpreter, and incremental evaluation against a refresh, on every level of this machine.

mod batches;
mod binary;
mod block_sparse;
mod bullet;
mod bullet_networks;
mod embedded;
mod feature_sets;
mod files;
mod incremental;
mod nets;
mod outputs;
mod reference;
mod shards;
mod stockfish;
mod support;
mod words;
