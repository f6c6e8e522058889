nnue::nnue! {
    pub struct Wrong {
        output affine(crelu(acc), 1);
    }
}

fn main() {}
