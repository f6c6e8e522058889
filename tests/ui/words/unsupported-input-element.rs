nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[..] as i8 -> 1024x2 -> 16 -> 1;

    pub struct Floats = Chess768[..] as f32 -> 1024 -> 16 -> 1 { format raw };

    pub struct Pairs = HalfKAv2_hm[..] + PawnPairs[..] as i16 -> 1024x2 -> 16 -> 1;
}

fn main() {}
