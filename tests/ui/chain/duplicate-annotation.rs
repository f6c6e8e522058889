nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 @ 127 @ 255 -> 1;

    pub struct Second = (HalfKP[..] -> 256x2)x2 -> 1;
}

fn main() {}
