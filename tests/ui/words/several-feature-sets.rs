nnue::nnue! {
    pub struct Wrong = HalfKP[..] + HalfKAv2[..] -> 256x2 -> 1;

    pub struct Pairs =
        HalfKP[..] + Threats[..](N: P) + Threats[..](N: N) + Threats[..](N: B) + PawnPairs[..] -> 256x2 -> 1;
}

fn main() {}
