nnue::nnue! {
    pub struct First = HalfKP[..] -> 256x2 -> 1 { value psqt / 16 + positional / 8; };

    pub struct Second = HalfKP[..] -> 256x2 -> 1 { value positional; };

    pub struct Third = HalfKP[..] -> 256x2, psqt 1 -> 1 { value positional / 16; };

    pub struct Fourth = Chess768[..] -> 64x2 -> 1 { value sigmoid(output) * 1000; };

    pub struct Fifth = Chess768[..] -> 64x2 -> 16 -> 1: f32 { value positional / 16; };

    pub struct Sixth = Chess768[..] -> 64x2 -> 16 -> 3: f32 { value wdl / 1000; };
}

fn main() {}
