nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        stacks 8 {
            output affine(crelu(acc), 1);
            format stockfish;
        }
    }

    pub struct Second = HalfKP[..] -> 256x2 -> 1 { output affine(x, 1); };
}

fn main() {}
