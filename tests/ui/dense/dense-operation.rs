nnue::nnue! {
    pub struct Halves = input[64] -> 32 glu -> 10;

    pub struct Bytes = input[64] -> 32: i8 relu -> 10;

    pub struct Scaled = input[64] -> 32 @ 64 relu -> 10;

    pub struct Shifted = input[64] -> 32 relu >> 6 -> 10;

    pub struct Own = input[64] -> 32 self::bell -> 10;

    pub struct Valued = input[64] -> 10 { value output * 400; format stockfish };

    pub struct Stacked {
        x = input[64];
        acc = accumulate(Chess768[..], 64);
        y = planes[1, 8, 8];
        stacks 8 { let h = affine(x, 16); }
        output -affine(x, 1)[0];
    }

    pub struct Named {
        x = input[64];
        output affine(x, 10);
        output moves = affine(x, 64);
    }

    pub struct Cut {
        x = input[64];
        let a = affine(x, 16);
        output affine(a[..8], 10);
    }

    pub struct Embedded = input[64] -> 10 { weights "nets/digits.bin"; };

    pub struct Golden = input[64] -> 10 { golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" = 5; };
}

fn main() {}
