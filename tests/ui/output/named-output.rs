nnue::nnue! {
    pub struct First {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output wdl = wdl(affine(crelu(h), 3));
    }

    pub struct Second {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output value = affine(crelu(h), 1);
        output affine(crelu(h), 1);
        output WDL = wdl(affine(crelu(h), 3));
        output type = h[0];
        output softened = softmax(affine(crelu(h), 3));
    }

    pub struct Third {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output value = affine(crelu(h), 1);
        output wdl = wdl(affine(crelu(h), 3)) * 1000;
        output left = h[0] as i64 * 100;
        output sum = h[0] + h[1];
    }

    pub struct Fourth {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 16);
        output value = affine(crelu(h), 1);
        output wdl = wdl(affine(crelu(h), 2));
        output wdl = wdl(h[..3]);
        output network = h[0];
        output left = h[0] / 0;
        output raw = crelu(acc);
        output both = concat(crelu(h), sqr_crelu(h));
    }

    pub struct Fifth {
        acc = accumulate(Chess768[..], 256 @ 255) x 2;
        output value = affine(screlu(acc), 1: i16);
        output left = affine(screlu(acc), 1: i16);
        format raw
    }
}

fn main() {
    let _: FourthWdl;
    let _: Option<nnue::Network<Fifth>>;
}
