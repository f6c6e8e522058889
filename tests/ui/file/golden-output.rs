nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = crelu(affine(crelu(acc), 16));
        output value = affine(x, 1);
        output wdl = wdl(affine(x, 3: i8 @ 32));
        output policy = rows(x, 80: i8 @ 32);
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" wld = [0.1, 0.2, 0.7];
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" wdl = [0.1, 0.9];
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" wdl[2] = [0.1, 0.2, 0.7];
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" policy = 0.5;
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" policy[4, 80] = [0.5, 1];
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" policy[4, 79] = [0.5];
    }
}

nnue::nnue! {
    pub struct Called {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = crelu(affine(self::own(acc), 16));
        output value = affine(x, 1);
        output left = affine(x, 1: i8 @ 32);
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" left = 30;
    }
}

fn main() {}
