//! Every intermediate value of a few positions, computed by an evaluator independent of this project.

use std::fs::File;

use flate2::read::GzDecoder;
use serde::Deserialize;

use crate::vectors_dir;

/// One position in all stacks. The first index of two-dimensional fields is the stack.
#[derive(Clone, Debug, Deserialize)]
pub struct LayerCase {
    /// the position
    pub fen: String,
    /// active features of the side to move, ascending
    pub features_own: Vec<usize>,
    /// active features of the other side, ascending
    pub features_opp: Vec<usize>,
    /// active threats of the side to move, ascending; empty without threats
    #[serde(default)]
    pub threats_own: Vec<usize>,
    /// active threats of the other side
    #[serde(default)]
    pub threats_opp: Vec<usize>,
    /// active pawn pairs of the side to move, ascending; empty without pawn pairs
    #[serde(default)]
    pub pawn_pairs_own: Vec<usize>,
    /// active pawn pairs of the other side
    #[serde(default)]
    pub pawn_pairs_opp: Vec<usize>,
    /// accumulator of the side to move
    pub own: Vec<i32>,
    /// accumulator of the other side
    pub opp: Vec<i32>,
    /// inputs of the first layer
    pub ft_out: Vec<i32>,
    /// sums of the first layer
    pub fc0: Vec<Vec<i32>>,
    /// inputs of the second layer
    pub fc1_in: Vec<Vec<i32>>,
    /// sums of the second layer
    pub fc1: Vec<Vec<i32>>,
    /// inputs of the third layer
    pub fc2_in: Vec<Vec<i32>>,
    /// the sum of the third layer
    pub fc2: Vec<Vec<i32>>,
    /// PSQT difference, before halving, per bucket
    pub psqt_diff: Vec<i32>,
    /// PSQT part per bucket
    pub psqt: Vec<i32>,
    /// positional part per stack
    pub positional: Vec<i32>,
}

/// The three positions of the network `net` (`syn-v5`).
///
/// # Panics
///
/// If there is no such file or it cannot be read.
pub fn cases(net: &str) -> Vec<LayerCase> {
    let path = vectors_dir().join("layers").join(format!("{net}.json.gz"));
    let file = File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_reader(GzDecoder::new(file))
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_cases_can_be_read() {
        for net in [
            "syn-v1", "syn-v4", "syn-v9", "syn-v9s", "syn-v10", "syn-v16",
        ] {
            let cases = super::cases(net);
            assert_eq!(cases.len(), 3, "{net}");
            assert_eq!(cases[0].fc0.len(), cases[0].positional.len(), "{net}");
        }
    }
}
