nnue::nnue! {
    pub struct Typed = Chess768[..] -> 64x2 -> 32: i16 binary -> 1;

    pub struct Floats = Chess768[..] -> 64x2 -> 32: f32 binary -> 1: f32;

    pub struct Partial = Chess768[..] -> 64x2 -> 32 sums 4 binary -> 1;

    pub struct Activated = Chess768[..] -> 64x2 pairwise -> 32 binary -> 1;

    pub struct AfterFloats = Chess768[..] -> 64x2 -> 16 -> 32: f32 -> 16 binary -> 1: f32;

    pub struct Twice = Chess768[..] -> 64x2 -> 32 binary binary -> 1;

    pub struct Accumulators = Chess768[..] -> 64x2 binary -> 16 -> 1;

    pub struct Signs {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(sign(acc), 1 binary);
    }

    pub struct Joined {
        acc = accumulate(Chess768[..], 64) x 2;
        let h = affine(crelu(acc), 16);
        output affine(concat(crelu(acc), crelu(h)), 1 binary);
    }

    pub struct TypedSigns = input[64] -> 32: f32 binary relu -> 10;

    pub struct ScaledFloats = input[1, 8, 8] -> conv2d(16, kernel 3, input_scale) relu -> flatten -> affine(10, one_scale);

    pub struct Alternating = Chess768[..] -> 64x2 -> 32 binary -> 1 { format raw { perspectives: interleaved } };
}

fn main() {}
