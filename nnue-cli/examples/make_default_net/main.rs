//! Makes the network that is built into the command `nnue`: chess knowledge, written down as weights.
//!
//! ```text
//! cargo run -p nnue-cli --example make_default_net [FILE]
//! ```
//!
//! Nothing is trained. Material and piece-square tables of this project's own become PSQT outputs, tapered by the number of
//! pieces ([`pieces`], [`phase`]); each neuron of the accumulator is one pattern, such as the bishop pair, a passed pawn or the shelter of a
//! castled king ([`patterns`]); one dense row per bucket says what the patterns are worth.
//!
//! The program is deterministic. A test compares its output with the file in the repository.
mod net;
mod patterns;
mod phase;
mod pieces;

use std::path::PathBuf;

use nnue::{Model, nnue};
use nnue_format::Header;

nnue! {
    /// The shape of the built-in network, without its weights.
    pub struct Shape = Chess768[..] -> 96x2, psqt 8 -> 1x8;
}

/// What the file says about itself.
const DESCRIPTION: &str = "nnue default network: material, placement and 91 patterns, made by make_default_net";

/// The bytes of the file.
pub(crate) fn file() -> Vec<u8> {
    let weights = net::weights(&Shape::SPEC);
    let mut bytes = Vec::new();
    let header = Header::new(&Shape::SPEC, DESCRIPTION);
    nnue_format::write(&Shape::SPEC, &header, &weights.refs(), &mut bytes).expect("a vector takes everything");
    bytes
}

fn main() -> std::io::Result<()> {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue").into();
    let path = std::env::args_os().nth(1).map_or(default, PathBuf::from);
    nnue_command::output::write(&path, &file())?;
    println!("{}", path.display());
    Ok(())
}
