nnue::nnue! {
    pub struct One = Chess768[..] -> 64x2 -> 8 shards 1 of 16 -> 1;

    pub struct NoInputs = Chess768[..] -> 64x2 -> 8 shards 2 of 0 -> 1;

    pub struct TooManyInputs = Chess768[..] -> 64x2 -> 8 shards 2 of 65 -> 1;

    pub struct TooManyShards = Chess768[..] -> 32 -> 64 shards 64 of 1 -> 1;

    pub struct Uneven = Chess768[..] -> 64x2 -> 7 shards 2 of 16 -> 1;

    pub struct FewOutputs = Chess768[..] -> 64x2 -> 2 shards 4 of 16 -> 1;

    pub struct Signs = Chess768[..] -> 64x2 -> 8 binary shards 2 of 16 -> 1;

    pub struct Accumulators {
        acc = accumulate(Chess768[..], 64 shards 2 of 16) x 2;
        output affine(crelu(acc), 1);
    }

    pub struct Rows {
        acc = accumulate(Chess768[..], 64) x 2;
        output policy = rows(crelu(acc), 1888, shards 4 of 16);
        format raw
    }

    pub struct OverFloats = input[64] -> 64 shards 2 of 16 relu -> 10;

    pub struct WithoutSize = Chess768[..] -> 64x2 -> 8 shards 2 -> 1;

    pub struct WithoutNumber = Chess768[..] -> 64x2 -> 8 shards of 16 -> 1;

    pub struct Twice = Chess768[..] -> 64x2 -> 8 shards 2 of 16, blocks 2 of 16 -> 1;
}

fn main() {}
