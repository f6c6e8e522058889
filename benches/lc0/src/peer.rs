//! What evaluates batches of planes.

use std::error::Error;

use nnue_backend::lc0::PLANES;

/// Numbers of the planes of a position.
pub(crate) const INPUTS: usize = 64 * PLANES;

/// What a peer says about a batch, position by position.
pub(crate) struct Outputs {
    /// chances of a win, a draw and a loss
    pub(crate) value: Vec<f32>,
    /// logits of 80 planes of moves
    pub(crate) policy: Vec<f32>,
}

/// A library of inference with the network in it.
pub(crate) trait Peer {
    /// Its name and version.
    fn name(&self) -> &'static str;

    /// The outputs of `count` positions, of which `planes` has [`INPUTS`] numbers each.
    fn run(&mut self, planes: &[f32], count: usize) -> Result<Outputs, Box<dyn Error>>;
}
