nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> wide -> 1;

    pub struct Second = HalfKP[..] -> x2 -> 1;
}

fn main() {}
