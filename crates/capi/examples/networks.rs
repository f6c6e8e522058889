//! The networks of the programs in C beside this file, as a static and a shared library.

nnue::nnue! {
    /// Counts, for tests of errors: a file of its own is in no repository.
    pub struct Material = Chess768[..] -> 32x2 -> 1;

    /// The chances of loss, draw and win.
    pub struct Chances = (768 -> 32)x2 @ 255 pairwise -> 16 screlu -> 3: f32 { value wdl * 1000; format raw };

    /// The network of the command `nnue`, in the library.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "../cli/nets/default.nnue";
    };
}

nnue_capi::export! { Material, Chances, nnue::stockfish::SfnnSmall; embedded Default }
