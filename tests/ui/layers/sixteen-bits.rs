nnue::nnue! {
    pub struct Beyond = Chess768[..] -> 64x2 @ 255 pairwise as i16 -> 16: i16 -> 1 { format raw };

    pub struct Container = Chess768[..] -> 64x2 @ 181 pairwise as i16 -> 16 crelu >> 14 -> 1;

    pub struct NoShift = Chess768[..] -> 64x2 @ 181 pairwise as i16 -> 16 -> 1 { format raw };

    pub struct Floats {
        acc = accumulate(Chess768[..], 64 @ 128) x 2;
        output affine(pairwise(acc) as i16, 1: f32);
        format raw;
    }

    pub struct Joined {
        acc = accumulate(Chess768[..], 64 @ 127) x 2;
        let x = pairwise(acc) as i16;
        output affine(concat(x, crelu(acc)), 1);
        format raw;
    }

    pub struct Part {
        acc = accumulate(Chess768[..], 64 @ 128) x 2;
        let x = pairwise(acc) as i16;
        output affine(x[..24], 1);
        format raw;
    }

    pub struct Units {
        acc = accumulate(Chess768[..], 64 @ 128) x 2;
        let x = pairwise(acc) as i16;
        output affine(concat(x, crelu(acc) as i16), 1);
        format raw;
    }

    pub struct OfSums = Chess768[..] -> 64x2 -> 16 crelu as i16 -> 1;

    pub struct Curve = Chess768[..] -> 64x2 quantmoid4 as i16 -> 1 { format raw };

    pub struct Type = Chess768[..] -> 64x2 @ 128 pairwise as i32 -> 1 { format raw };
}

fn main() {}
