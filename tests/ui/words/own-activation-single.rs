nnue::nnue! {
    pub struct Unknown = Chess768[..] -> 64x2 -> 16 softsign -> 1;

    pub struct Called {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(softsign(acc), 1);
    }
}

fn main() {}
