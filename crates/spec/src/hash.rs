//! The hashes of the Stockfish container (`docs/file-formats.md`), computed from a declaration.
//!
//! All arithmetic is on u32 and wraps. The hashes cover the feature set, the width of the accumulator and the
//! outputs of every layer. They do not cover input widths and squared activations, so different networks can
//! share them. Networks with another depth than Stockfish's use the same chain over all layers in file order.

/// Start of the chain over the layers.
const STACK_SEED: u32 = 0xEC42_E90D;
/// Added to the outputs of a dense layer.
const AFFINE: u32 = 0xCC03_DAE4;
/// Added once after each hidden layer, regardless of its activations.
const ACTIVATION: u32 = 0x538D_24C7;

/// The hash of the feature transformer. `features` is the start constant of the feature set, `values` the
/// number of accumulator values of all perspectives.
pub const fn transformer(features: u32, values: usize) -> u32 {
    features ^ values as u32
}

/// The start constant of several feature sets: the sets after the first in order, then the first; each step
/// rotates the previous hash by one bit.
pub fn features(sets: &[u32]) -> u32 {
    let (first, others) = sets
        .split_first()
        .map_or((0, &[][..]), |(first, others)| (*first, others));
    others
        .iter()
        .copied()
        .chain([first])
        .reduce(|hash, set| hash.rotate_left(1) ^ set)
        .unwrap_or(0)
}

/// The hash of a layer stack. `values` is the number of accumulator values of all perspectives, `outputs` the
/// outputs of each layer in file order.
pub fn stack(values: usize, outputs: impl ExactSizeIterator<Item = usize>) -> u32 {
    let layers = outputs.len();
    let mut hash = STACK_SEED ^ values as u32;
    for (index, outputs) in outputs.enumerate() {
        hash = AFFINE.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31);
        if index + 1 < layers {
            hash = hash.wrapping_add(ACTIVATION);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::descriptor::FeatureSetId;

    /// The table of section 2.1: features, L1, outputs of fc0, FT hash, stack hash, network hash.
    const TABLE: [(FeatureSetId, usize, usize, u32, u32, u32); 9] = [
        (
            FeatureSetId::HalfKp,
            256,
            32,
            0x5D69_D7B8,
            0x6333_7156,
            0x3E5A_A6EE,
        ),
        (
            FeatureSetId::HalfKaV2,
            512,
            16,
            0x5F23_48B8,
            0x6333_76CA,
            0x3C10_3E72,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            1024,
            8,
            0x7F23_44B8,
            0x6333_6A54,
            0x1C10_2EEC,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            1024,
            16,
            0x7F23_44B8,
            0x6333_6A4A,
            0x1C10_2EF2,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            1536,
            16,
            0x7F23_40B8,
            0x6333_6BCA,
            0x1C10_2B72,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            2048,
            16,
            0x7F23_5CB8,
            0x6333_6B4A,
            0x1C10_37F2,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            2560,
            16,
            0x7F23_58B8,
            0x6333_68CA,
            0x1C10_3072,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            3072,
            16,
            0x7F23_54B8,
            0x6333_744A,
            0x1C10_20F2,
        ),
        (
            FeatureSetId::HalfKaV2Hm,
            128,
            16,
            0x7F23_4DB8,
            0x6333_712A,
            0x1C10_3C92,
        ),
    ];

    #[test]
    fn hashes_of_every_generation_equal_the_published_ones() {
        for (features, width, fc0, transformer_hash, stack_hash, network_hash) in TABLE {
            let ft = transformer(features.hash(), 2 * width);
            let layers = stack(2 * width, [fc0, 32, 1].into_iter());
            assert_eq!(
                (ft, layers, ft ^ layers),
                (transformer_hash, stack_hash, network_hash),
                "width {width}"
            );
        }
    }

    #[test]
    fn hashes_of_several_feature_sets_equal_the_published_ones() {
        use crate::descriptor::ThreatPairs;
        let half_ka = FeatureSetId::HalfKaV2Hm.hash();
        let pawn_pairs = FeatureSetId::PawnPairs.hash();
        assert_eq!(features(&[half_ka]), half_ka);
        assert_eq!(
            features(&[half_ka, ThreatPairs::SFNN_V14.hash()]),
            0x6165_D5C9
        );
        assert_eq!(
            features(&[half_ka, ThreatPairs::SFNN_V16.hash(), pawn_pairs]),
            0xCB68_5B13
        );
        // the first threat networks hash their threats alone
        assert_eq!(
            transformer(ThreatPairs::SFNN_V10.hash(), 2048) ^ stack(2048, [16, 32, 1].into_iter()),
            0xEC10_2EF2
        );
    }

    #[test]
    fn the_last_layer_has_no_activation_term() {
        let one = stack(512, [1].into_iter());
        let seed = 0xEC42_E90D_u32 ^ 512;
        assert_eq!(one, 0xCC03_DAE5 ^ (seed >> 1) ^ (seed << 31));
    }
}
