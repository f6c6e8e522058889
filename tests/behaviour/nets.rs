//! Small networks that together use every clause of the language.

use nnue::nnue;

use crate::reference::agrees_with_the_reference;

nnue! {
    /// the signature line, small
    pub struct Signature = < HalfKAv2_hm[..] -> 64x2 -> 16 -> 32 -> 1 >;

    /// HalfKP, no PSQT, no stacks
    pub struct OldKings = HalfKP[..] -> 32x2 -> 32 -> 32 -> 1;

    /// PSQT and stacks, with the default selector
    pub struct Stacked = HalfKAv2[45056] -> 32x2, psqt 8 -> (16 -> 32 -> 1)x8;

    /// the pair around the parentheses, a width that is no power of two
    pub struct Paired = (Chess768[..] -> 96)x2 -> 8 -> 1;

    /// one perspective; the output reads the accumulator
    pub struct OneSided = 768 -> 64 -> 1;

    /// scale 255: the product shifts by 9
    pub struct Wide = HalfKAv2_hm[..] -> 128 @ 255 x2 pairwise, nonzero 90% -> (16 -> 1)x2;

    /// squares of the accumulator
    pub struct Squared = Chess768[..] -> 64x2 sqr_crelu -> 16 sqr_crelu -> 8 -> 1;

    /// four layers, scales other than 64, explicit shifts
    pub struct Deep = Chess768[..] -> 32x2 -> 24: i8 @ 128 -> 20 crelu >> 5 -> 12 sqr_crelu >> 20 -> 1;

    /// sizes that no published network has
    pub struct Odd = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;

    /// quantised sigmoids everywhere, of numbers of sums that do not fill a vector
    pub struct Sigmoids = Chess768[..] -> 96x2 quantmoid4 -> 24 quantmoid4 -> 12: i8 @ 128 quantmoid4 >> 6 -> 1;

    /// quantised sigmoids beside other activations of the same layer, and of a single sum
    pub struct Curves {
        acc = accumulate(HalfKAv2_hm[..], 64) x 2, psqt 4;
        stacks 4 by (piece_count - 2) / 8 {
            let h1 = affine(quantmoid4(acc), 21);
            let h2 = affine(concat(quantmoid4(h1[3..17]), crelu(h1)), 1);
            output affine(concat(quantmoid4(h2), quantmoid4(h1[18..])), 1);
        }
    }

    /// pools of accumulators, of sums and of values: halves, neighbours, two values, a residual
    pub struct Pools {
        acc = accumulate(HalfKAv2_hm[..], 96) x 2, psqt 4;
        stacks 4 by (piece_count - 2) / 8 {
            let h1 = affine(max_neighbours(crelu(acc)), 22);
            let a1 = crelu(h1);
            let p1 = concat(avg_halves(crelu(h1)), max_neighbours(sqr_crelu(h1[2..])));
            let h2 = affine(p1, 21);
            let a2 = add(p1, crelu(h2));
            let p2 = mul_neighbours(concat(crelu(h2), a1[..3]));
            let h3 = affine(concat(pairwise(crelu(h2)[1..]), avg(a1[..7], a1[9..16]), max(a1[..21], a2), p2, mean(crelu(h1)[..5]), mean(crelu(h2)), max_neighbours(crelu(h2), 7)), 9);
            let accumulators = concat(avg_halves(crelu(acc)), max_halves(crelu(acc)), avg_neighbours(crelu(acc)), mul_neighbours(crelu(acc)));
            output affine(concat(accumulators, a2, mul(crelu(h3), a2[4..13]), max_neighbours(a1[1..19], 3), avg_neighbours(a2[..20]), avg_neighbours(concat(a1[..8], crelu(h2)[5..]), 4)), 1);
        }
    }

    /// the same in a chain
    pub struct PooledChain = Chess768[..] -> 64x2 avg_halves -> 32 avg_neighbours -> 16 avg_halves >> 8 -> 1;

    /// hidden layers that read whole lines of one buffer, in the forms that levels choose
    pub struct Lines {
        acc = accumulate(Chess768[..], 32) x 2;
        let h1 = affine(crelu(acc), 128);
        let h2 = affine(crelu(h1), 64);
        let h3 = affine(sqr_crelu(h2), 5);
        output affine(concat(crelu(h3), crelu(h1)), 1);
    }

    /// layers that read several activations of accumulators, parts of them, and values of layers
    pub struct Mixed {
        acc = accumulate(HalfKAv2_hm[..], 96) x 2, psqt 2;
        stacks 2 {
            let x = concat(crelu(acc), sqr_crelu(acc)[40..131]);
            let h1 = affine(x, 24);
            let h2 = affine(concat(crelu(h1)[3..], pairwise(acc), max_neighbours(crelu(acc))[..17], sqr_crelu(h1)), 40);
            output affine(concat(crelu(h2), x[5..]), 1);
        }
    }

    /// concatenation, slices, a neuron to the output
    pub struct Skip {
        inputs = HalfKAv2_hm[22528] as i16;
        acc = accumulate(inputs, 64) x 2, psqt 4;
        x = pairwise(acc);
        stacks 4 by (piece_count - 2) / 8 {
            let h1 = affine(x, 16);
            let a1 = concat(sqr_crelu(h1[..15]), crelu(h1[..15]));
            let h2 = affine(a1, 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        value psqt / 16 + positional / 16;
    }

    /// two neurons to the output, the whole sum scaled in 64 bits, the output reads two layers
    pub struct Doubled {
        acc = accumulate(Chess768[768], 64 @ 255) x 2;
        x = pairwise(acc);
        let h1 = affine(x, 32: i8 @ 128);
        let a1 = concat(sqr_crelu(h1), crelu(h1));
        let h2 = affine(a1, 32);
        let a2 = concat(sqr_crelu(h2), crelu(h2));
        output (affine(concat(a1, a2), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
        value positional / 16;
    }

    /// slices that begin and end inside blocks of four, in a dense layer and in a row
    pub struct Sliced {
        acc = accumulate(Chess768[..], 32) x 2;
        stacks 2 {
            let h1 = affine(crelu(acc), 21);
            let a1 = crelu(h1);
            let h2 = affine(concat(a1[3..17], sqr_crelu(h1[5..6]), a1[18..]), 18);
            output affine(concat(crelu(h2[1..14]), a1[..5]), 1);
        }
    }

    /// the published threats of the first kind, kings among them
    pub struct Threatened = HalfKAv2_hm[..] + FullThreats[79856] -> 64x2 @ 255 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128_joint_psqt }
    };

    /// three sets of pairs, two of which are not published
    pub struct OwnPairs {
        inputs = HalfKAv2_hm[..] as i16 + Threats[..](N: PQK, P: NK, K: PNB) as i8 + PawnPairs[4560] as i8
            + Threats[..](Q: PNBRQK, P: PR, B: K, pushes) as i8;
        acc = accumulate(inputs, 96 @ 255) x 2, psqt 4;
        stacks 4 {
            let h1 = affine(pairwise(acc), 24);
            output affine(crelu(h1), 1) + h1[3];
        }
        format stockfish { encoding: leb128 }
    }

    /// pairs beside a set that is rarely refreshed, one perspective
    pub struct OneSidedPairs = Chess768[..] + Threats[2112](P: PNBR, pushes) -> 64 -> 8 -> 1;

    /// black's view is rotated, and so are its buckets
    pub struct Rotated = Chess768[buckets: [0 x 3, 1 x 5, 2 x 56], rotated] -> 32x2 -> 1;

    /// pieces are told apart by attacks
    pub struct Attacks = Chess768[3072, attacks] -> 64x2, psqt 2 -> (8 -> 1)x2;

    /// the same with buckets, mirrored and beside pairs, in 8 bits
    pub struct BucketedAttacks = Chess768[buckets: [0 x 3, 1 x 5, 2 x 24], mirrored, attacks] as i8 + Threats[..](N: PQK, P: NK)
        -> 96x2 -> 8 -> 1 { format raw };

    /// one perspective, both kings in one plane
    pub struct OneSidedAttacks = Chess704[buckets: [0 x 8, 1 x 24], mirrored, attacks] -> 32 -> 8 -> 1;

    /// pawn pairs alone, no PSQT
    pub struct PawnsOnly = HalfKP[..] + PawnPairs[..] -> 32x2 -> 1;

    /// pieces with 8-bit weights
    pub struct Bytes = Chess768[mirrored] as i8 -> 96x2 @ 255 pairwise -> (16 -> 1)x2 { format raw };

    /// pieces and pairs with 8-bit weights, PSQT
    pub struct AllBytes = HalfKAv2_hm[..] as i8 + PawnPairs[..] -> 160x2, psqt 2, nonzero 2% -> (8 -> 1)x2 { format raw };

    /// 8-bit weights, different ones for each perspective
    pub struct SeparateBytes = (768 as i8 -> 64)x2 @ 255 screlu separate -> 1: i16 { format raw };

    /// the greatest accumulator
    pub struct Widest = Chess768[..] as i8 -> 16384 pairwise -> 24 -> 1 { format raw };
}

/// A test per network.
macro_rules! tests {
    ($($test:ident $net:ident,)*) => {
        $(
            #[test]
            fn $test() {
                agrees_with_the_reference::<$net>();
            }
        )*
    };
}

tests! {
    signature_agrees Signature,
    old_kings_agrees OldKings,
    stacked_agrees Stacked,
    paired_agrees Paired,
    one_sided_agrees OneSided,
    wide_agrees Wide,
    squared_agrees Squared,
    deep_agrees Deep,
    odd_agrees Odd,
    sigmoids_agree Sigmoids,
    curves_agree Curves,
    pools_agree Pools,
    pooled_chain_agrees PooledChain,
    lines_agree Lines,
    mixed_agrees Mixed,
    skip_agrees Skip,
    doubled_agrees Doubled,
    sliced_agrees Sliced,
    threatened_agrees Threatened,
    own_pairs_agree OwnPairs,
    one_sided_pairs_agree OneSidedPairs,
    rotated_agrees Rotated,
    attacks_agree Attacks,
    bucketed_attacks_agree BucketedAttacks,
    one_sided_attacks_agree OneSidedAttacks,
    pawns_only_agree PawnsOnly,
    bytes_agree Bytes,
    all_bytes_agree AllBytes,
    separate_bytes_agree SeparateBytes,
    widest_agrees Widest,
}
