nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let x = crelu(acc);
    }
}

fn main() {}
