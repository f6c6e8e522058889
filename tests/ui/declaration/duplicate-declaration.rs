nnue::nnue! {
    pub struct Mine = HalfKAv2_hm[..] -> 256x2 -> 32 -> 1;
    pub struct Mine = Chess768[..] -> 128x2 -> 1;
}

fn main() {
    let _: Option<MineParams> = None;
}
