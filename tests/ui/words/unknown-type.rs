nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> 16: i4 -> 1;

    pub struct Second {
        acc = accumulate(HalfKP[..] as f16, 256: i8) x 2;
        output affine(crelu(acc), 1);
    }
}

fn main() {}
