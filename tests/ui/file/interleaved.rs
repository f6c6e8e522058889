nnue::nnue! {
    pub struct Alone = 768 -> 64 @ 255 screlu -> 1: i16 { format raw { perspectives: interleaved } };
    pub struct More {
        acc = accumulate(Chess768[..], 64) x 2;
        let h1 = affine(crelu(acc), 16);
        output affine(concat(crelu(acc), crelu(h1)), 1);
        format raw { perspectives: interleaved }
    }
    pub struct Misspelt = (768 -> 64)x2 @ 255 screlu -> 1: i16 { format raw { perspectives: interleafed } };
    pub struct Container = (768 -> 64)x2 -> 1 { format stockfish { perspectives: interleaved } };
}

fn main() {}
