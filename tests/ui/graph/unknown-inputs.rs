nnue::nnue! {
    pub struct First {
        acc = accumulate(inputs, 256) x 2;
        output affine(crelu(acc), 1);
    }

    pub struct Second {
        inputs = HalfKP[..];
        acc = accumulate(HalfKP[..], 256) x 2;
        output affine(crelu(acc), 1);
    }
}

fn main() {}
