nnue::nnue! {
    pub struct Letter = HalfKAv2_hm[..] + Threats[..](P: NX, N: PNBRQ) -> 64x2 -> 1;

    pub struct Lower = HalfKAv2_hm[..] + Threats[..](P: nr) -> 64x2 -> 1;

    pub struct Attacker = HalfKAv2_hm[..] + Threats[..](S: PN) -> 64x2 -> 1;
}

fn main() {}
