nnue::nnue! {
    pub struct Graph {
        big = accumulate(HalfKAv2_hm[..], 256) x 2;
        small = accumulate(Chess768[..], 64) x 2;
        output affine(concat(crelu(big), crelu(small)), 1);
    }

    pub struct Added = (HalfKAv2_hm[..] -> 256)x2 + (768 -> 64)x2 -> 16 -> 1;

    pub struct Alone = (HalfKAv2_hm[..] -> 256) + (768 -> 64) -> 16 -> 1;

    pub struct Listed = (HalfKAv2_hm[..] -> 256, 768 -> 64)x2 -> 16 -> 1;
}

fn main() {}
