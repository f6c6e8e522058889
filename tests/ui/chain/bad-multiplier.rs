nnue::nnue! {
    pub struct First = HalfKP[..] -> 256 x -> 1;

    pub struct Second = (HalfKP[..] -> 256) -> 32 -> 1;

    pub struct Third = HalfKP[..] -> 256x2 -> (32 -> 1);
}

fn main() {}
