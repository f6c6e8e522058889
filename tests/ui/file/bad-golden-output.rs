nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = crelu(affine(crelu(acc), 16));
        output value = affine(x, 1);
        output left = affine(x, 1: i8 @ 32);
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" left 30;
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" left = 1e3;
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" left = many;
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" left = [1 2];
    }
}

fn main() {}
