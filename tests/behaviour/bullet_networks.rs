//! Networks of public engines that were trained with `bullet`. The documentation of each is the name of its file and of its
//! vectors; `crates/codegen/tests/bullet_networks` reads the same declarations.

use nnue::nnue;

nnue! {
    /// akimbo-256x2-crelu
    pub struct Akimbo256 = (768 -> 256)x2 @ 255 crelu -> 1: i16 {
        format raw { padding: zeros }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 60;
    };

    /// akimbo-512x2-crelu-ob8
    pub struct Akimbo512 = (768 -> 512)x2 @ 255 crelu -> 1x8: i16 by material_count {
        format raw { padding: zeros }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 93;
    };

    /// akimbo-768x2-screlu181-ob8
    pub struct Akimbo768 = (768 -> 768)x2 @ 181 screlu -> 1x8: i16 by material_count {
        format raw { padding: zeros }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 111;
    };

    /// calvin-768hm-768x2-screlu
    pub struct Calvin768 = Chess768[mirrored] -> 768x2 @ 255 screlu -> 1: i16 {
        format raw { padding: none }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 31;
    };

    /// calvin-64x2-screlu
    pub struct Calvin64 {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        output affine(screlu(acc), 1: i16 @ 64);
        value output * 400;
        format raw { padding: none, order: [ft_weight, ft_bias, fc0_weight, fc0_bias], fc0_bias: i16 }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 35;
    }

    /// obsidian-4kbhm-512x2-screlu-ob8
    pub struct Obsidian {
        inputs = Chess768[buckets: [0, 0, 1, 1, 2 x 4, 3 x 24], mirrored];
        acc = accumulate(inputs, 512 @ 255) x 2;
        stacks 8 by material_count { output affine(screlu(acc), 1: i16); }
        format raw { padding: zeros, fc0_weight: [input][stack] }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 53;
    }

    /// pawnocchio-768hm-1024x2-screlu-ob8
    pub struct Pawnocchio = (Chess768[mirrored] -> 1024)x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw { padding: bullet }
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 18;
    };
}
