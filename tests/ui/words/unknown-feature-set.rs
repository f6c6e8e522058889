nnue::nnue! {
    pub struct First = HalfKAv2hm[..] -> 1024x2 -> 16 -> 1;

    pub struct Second = Attacks[..] -> 1024x2 -> 16 -> 1;

    pub struct Third = 22528 -> 1024x2 -> 16 -> 1;
}

fn main() {}
