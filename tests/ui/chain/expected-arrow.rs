nnue::nnue! {
    pub struct First = HalfKAv2_hm[..] 1024x2 -> 16 -> 1;

    pub struct Second = HalfKAv2_hm[..] => 1024x2 -> 16 -> 1;

    pub struct Third = HalfKAv2_hm[..] -> 1024x2 16 -> 1;

    pub struct Fourth = HalfKAv2_hm[..] -> 1024x2 -> 16 1;

    pub struct Fifth = (768 -> 256)x2 screlu -> 1x8 by material_count: i16 @ 64 { format raw };
}

fn main() {}
