nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> 1 { value psqt / 16 + positional / 8; };

    pub struct Second = HalfKP[..] -> 256x2 -> 1 { value positional; };

    pub struct Third = HalfKP[..] -> 256x2, psqt 1 -> 1 { value positional / 16; };
}

fn main() {}
