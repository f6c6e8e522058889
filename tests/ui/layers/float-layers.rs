nnue::nnue! {
    pub struct Whole = Chess768[..] -> 64x2 -> 16 screlu -> 1;

    pub struct Odd = Chess768[..] -> 64x2 -> 15 gated -> 1: f32;

    pub struct Third = Chess768[..] -> 64x2 -> 16 -> 1: f32 sums 3;

    pub struct Between = Chess768[..] -> 64x2 -> 16 -> 16 -> 1: f32;

    pub struct Seven = (768 -> 64)x2 @ 255 sqr_crelu -> 1: f32;

    pub struct Products = Chess768[..] -> 64x2 -> 15 pairwise -> 1: f32;

    pub struct Shifted = Chess768[..] -> 64x2 -> 16 -> 16: f32 crelu >> 6 -> 1: f32;

    pub struct Scaled {
        acc = accumulate(Chess768[..], 64) x 2;
        let h = affine(crelu(acc), 16);
        output affine(screlu(h), 1: f32) * 400;
    }

    pub struct Both = Chess768[..] -> 64x2 -> 16 -> 1: f32 { floats joined; };
}

fn main() {}
