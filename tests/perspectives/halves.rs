//! Products of the halves of an accumulator, which 16-bit weights read whole.

use nnue::nnue;

use crate::reference::agrees_with_the_reference;

nnue! {
    /// the usual scale, eight stacks
    pub struct Buckets = (Chess768[mirrored] -> 128)x2 @ 255 pairwise -> 1x8: i16 by material_count { format raw };

    /// products that fit in 16 bits, a half that is no whole number of runs, biases of 32 bits
    pub struct Small = (768 -> 192)x2 @ 181 pairwise -> 1: i16 @ 100 { format raw { fc0_bias: i32 } };

    /// one perspective, the greatest scale
    pub struct OneSided = 768 -> 64 @ 2895 pairwise -> 1: i16 @ 8 { format raw };

    /// as a graph, in the other container, with PSQT outputs
    pub struct Graph {
        acc = accumulate(HalfKAv2_hm[..], 320 @ 362) x 2, psqt 4;
        stacks 4 { output affine(pairwise(acc), 1: i16); }
        value (psqt + positional) / 16;
    }
}

#[test]
fn every_scale_agrees() {
    agrees_with_the_reference::<Buckets>();
    agrees_with_the_reference::<Small>();
    agrees_with_the_reference::<OneSided>();
    agrees_with_the_reference::<Graph>();
}
