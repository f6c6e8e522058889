//! Formats: what is written is read again, and nothing that is read does harm. And what is done with records before training.

mod any;
mod binpack;
mod compressed;
mod filter;
mod fixed;
mod games;
mod harm;
mod order;
mod pgn;
mod policy;
mod real;
#[cfg(feature = "arrow")]
mod rows;
mod stats;
mod text;
mod viri;
