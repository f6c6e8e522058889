nnue::nnue! {
    pub struct Wrong = HalfKP[..] -> 256x2 -> 1 { weights "nets/mine.nnue"; };
    pub struct Joined = HalfKP[..] -> 256x2 -> 1 { weights concat!("nets/", env!("CARGO_PKG_VERSION_MAJOR"), ".nnue"); };
}

fn main() {}
