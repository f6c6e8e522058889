nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> 16 -> 32 -> 1x8;

    pub struct Second = HalfKP[..] -> 256x2 -> 16 -> (32 -> 1)x8;
}

fn main() {}
