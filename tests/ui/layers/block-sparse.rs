nnue::nnue! {
    pub struct TooMany = Chess768[..] -> 64x2 -> 256 blocks 20 of 16 -> 1;

    pub struct All = Chess768[..] -> 64x2 -> 256 blocks 16 of 16 -> 1;

    pub struct None = Chess768[..] -> 64x2 -> 256 blocks 0 of 16 -> 1;

    pub struct Size = Chess768[..] -> 64x2 -> 256 blocks 4 of 32 -> 1;

    pub struct Uneven = Chess768[..] -> 64x2 -> 250 blocks 4 of 16 -> 1;

    pub struct OneBlock = Chess768[..] -> 64x2 -> 16 blocks 1 of 16 -> 1;

    pub struct Floats = Chess768[..] -> 64x2 -> 64: f32 blocks 2 of 16 -> 1: f32;

    pub struct Signs = Chess768[..] -> 64x2 -> 64 binary blocks 2 of 16 -> 1;

    pub struct Words = Chess768[..] -> 64x2 pairwise >> 1 as i16 -> 64 blocks 2 of 16 crelu >> 8 -> 1 { format raw };

    pub struct Accumulators {
        acc = accumulate(Chess768[..], 64 binary) x 2;
        output affine(crelu(acc), 1);
    }

    pub struct Rows {
        acc = accumulate(Chess768[..], 64) x 2;
        output policy = rows(crelu(acc), 1888, blocks 4 of 16);
        format raw
    }

    pub struct Signed {
        acc = accumulate(Chess768[..], 64) x 2;
        output policy = rows(crelu(acc), 1888 sums 4 binary);
        format raw
    }

    pub struct OverFloats = input[64] -> 64 blocks 2 of 16 relu -> 10;

    pub struct WithoutSize = Chess768[..] -> 64x2 -> 64 blocks 2 -> 1;

    pub struct WithoutNumber = Chess768[..] -> 64x2 -> 64 blocks of 16 -> 1;

    pub struct Twice = Chess768[..] -> 64x2 -> 64 blocks 2 of 16, blocks 2 of 16 -> 1;
}

fn main() {}
