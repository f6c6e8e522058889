nnue::nnue! {
    pub struct Wrong = HalfKAv2_hm[22529] -> 1024x2 -> 16 -> 1;

    pub struct Copies = Chess768[3072] -> 1024x2 -> 16 -> 1;

    pub struct Published = HalfKAv2_hm[..] + FullThreats[59809] -> 1024x2 -> 16 -> 1;

    pub struct Own = HalfKAv2_hm[..] + Threats[4567](P: NR, N: PNB) -> 1024x2 -> 16 -> 1;
}

fn main() {}
