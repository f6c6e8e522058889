nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> 16.5 -> 1;

    pub struct Second = HalfKP[..] -> 256x2 -> 16i8 -> 1;

    pub struct Third = HalfKP[..] -> 256x2 -> 99999999999999999999 -> 1;
}

fn main() {}
