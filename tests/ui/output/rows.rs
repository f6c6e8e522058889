nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let x = pairwise(acc);
        output policy = rows(x, 1880: i8 by self::move_index);
        output other = rows(x, 1880) * 2;
        output third = rows(x);
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let x = pairwise(acc);
        let h = affine(x, 16);
        output policy = rows(h, 1880);
        output other = rows(concat(crelu(h), sqr_crelu(h)), 70000: f32);
        value positional / 16;
    }

    pub struct Third {
        acc = accumulate(Chess768[..], 256 @ 255) x 2;
        let h = affine(pairwise(acc), 16);
        output value = affine(screlu(h), 1: f32);
        output policy = rows(screlu(h), 1880);
    }
}

fn main() {}
