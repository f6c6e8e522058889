nnue::nnue! {
    pub struct Empty {
        from = subnets(Chess768[..], 0 x 8: f32);
        output policy = dot(relu(from), relu(from));
    }

    pub struct Pairs {
        from = subnets(Chess768[..] + PawnPairs[..], 64 x 8: f32);
        output policy = dot(relu(from), relu(from));
    }

    pub struct Listed {
        from = subnets(rows[300], 64 x 8: f32);
        output policy = dot(relu(from), relu(from));
    }

    pub struct Typed {
        from = subnets(Chess768[..] as i16, 64 x 8: i16 @ 256);
        output policy = dot(relu(from), relu(from));
    }

    pub struct TwoSets {
        from = subnets(Chess768[..], 64 x 8: f32);
        to = subnets(Chess768[mirrored], 64 x 8: i16 @ 256);
        output policy = dot(relu(from), relu(to));
    }

    pub struct TwoActivations {
        from = subnets(Chess768[..], 64 x 8: i16 @ 256);
        to = subnets(Chess768[..], 64 x 9: i16 @ 255);
        output policy = dot(relu(from), silu(to)) + dot(crelu(from), silu(to));
    }

    pub struct Units {
        from = subnets(Chess768[..], 64 x 8: i16 @ 256);
        to = subnets(Chess768[..], 64 x 8: i16 @ 255);
        output policy = dot(relu(from), relu(to)) - dot(relu(from), relu(from));
    }

    pub struct Both {
        from = subnets(Chess768[..], 64 x 8: f32);
        acc = accumulate(Chess768[..], 64) x 2;
        stacks 8 { let h = affine(crelu(acc), 16); }
        output policy = dot(relu(from), relu(from)) + terms[0];
        output wdl = wdl(affine(crelu(acc), 3));
        value wdl * 1000;
        floats fused;
        format stockfish;
        weights "nets/policy.bin";
        golden "8/8/4k3/8/8/3QK3/8/8 b - - 0 1" = 5;
    }

    pub struct None {
        acc = accumulate(Chess768[..], 64) x 2;
        output affine(crelu(acc), 1);
        output policy = dot(relu(from), relu(to));
    }

    pub struct Shifted {
        from = subnets(Chess768[..], 64 x 8: f32);
        output policy = dot(relu(from) >> 6, self::bell(from));
    }
}

fn main() {}
