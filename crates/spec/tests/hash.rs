//! Hashes of published networks.

use nnue_spec::FeatureSetId;
use nnue_spec::hash::{features, stack, transformer};

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
    use nnue_spec::ThreatPairs;
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
