nnue::nnue! {
    pub struct Attacked = HalfKAv2_hm[..] + Threats[..](P: NRN) -> 64x2 -> 1;

    pub struct Attacker = HalfKAv2_hm[..] + Threats[..](P: NR, N: PQ, P: B) -> 64x2 -> 1;

    pub struct Pushes = HalfKAv2_hm[..] + Threats[..](P: P, pushes, pushes) -> 64x2 -> 1;
}

fn main() {}
