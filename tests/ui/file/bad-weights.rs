nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { weights nets/mine.nnue; };
    pub struct Nameless = HalfKP[..] -> 256x2 -> 1 { weights env!(EVALFILE); };
    pub struct Included = HalfKP[..] -> 256x2 -> 1 { weights include_bytes!("net.bin"); };
    pub struct Number = HalfKP[..] -> 256x2 -> 1 { weights concat!("nets/", 5); };
}

fn main() {}
