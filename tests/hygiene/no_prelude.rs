//! A module without the prelude.
#![no_implicit_prelude]

::nnue::nnue! {
    struct Plain = HalfKAv2_hm[..] -> 64x2 pairwise, psqt 8 -> (16 -> 1)x8;

    struct Written {
        acc = accumulate(Chess768[..], 32) x 2;
        let h = affine(crelu(acc), 8);
        output affine(abs(h / 2) - 1, 1: i16);
        format raw
    }

    struct Skips {
        acc = accumulate(HalfKAv2[..], 64 @ 255) x 2;
        let h = affine(pairwise(acc), 16);
        output (affine(concat(sqr_crelu(h), crelu(h)), 1) + h[14] - h[15]) as i64 * 9600 / 16384;
    }
}

#[test]
fn it_compiles_and_loads_nothing() {
    ::core::assert!(::nnue::Network::<Plain>::from_bytes(b"nothing").is_err());
    ::core::assert!(WrittenNetwork::from_bytes(b"nothing").is_err());
    ::core::assert!(SkipsNetwork::from_bytes(b"nothing").is_err());
}
