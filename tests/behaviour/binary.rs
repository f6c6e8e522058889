//! Binary layers: of accumulators, of sums, of bytes, of parts of several; before layers of bytes and of floats.

use nnue::nnue;

use crate::reference::agrees_with_the_reference;

nnue! {
    /// signs all the way: of 96 accumulators of one side, of 40 sums, of 37
    pub struct BinaryChain = HalfKAv2_hm[..] -> 96 -> (40 binary -> 37 binary -> 12 @ 32 binary -> 1)x2;

    /// signs of parts, of bytes and of sums, neurons that go to the output
    pub struct BinaryParts {
        acc = accumulate(Chess768[mirrored], 64 @ 255) x 2;
        let h1 = affine(acc, 40 binary);
        let h2 = affine(h1[3..20], 21 binary);
        let h3 = affine(concat(crelu(h1)[2..35], sqr_crelu(h2)), 18 @ 128 binary);
        output affine(concat(crelu(h2), crelu(h3)), 1) + h1[39] + affine(h2, 1 binary);
    }

    /// before floats, in a file without a header
    pub struct BinaryHead = Chess768[..] -> 64x2 -> 24 binary screlu -> 1: f32 {
        format raw { fc0_scale: i16 }
    };
}

#[test]
fn binary_layers_follow_each_other() {
    agrees_with_the_reference::<BinaryChain>();
}

#[test]
fn binary_layers_read_parts_of_anything_whole() {
    agrees_with_the_reference::<BinaryParts>();
}

#[test]
fn binary_layers_come_before_floats() {
    agrees_with_the_reference::<BinaryHead>();
}
