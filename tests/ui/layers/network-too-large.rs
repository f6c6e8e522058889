nnue::nnue! {
    pub struct Wrong {
        acc = accumulate(HalfKAv2_hm[..], 256) x 2;
        let h = affine(crelu(acc), 4096);
        let w = crelu(h);
        let v = concat(w, w, w, w, w);
        let u = concat(v, v, v, v, v);
        stacks 8 {
            let g = affine(u, 4096);
            output affine(crelu(g), 1);
        }
    }
}

fn main() {}
