nnue::nnue! {
    pub struct Unset = HalfKP[..] -> 256x2 -> 1 { weights env!("NNUE_A_VARIABLE_THAT_NOBODY_SETS"); };
    pub struct Joined = HalfKP[..] -> 256x2 -> 1 {
        weights concat!(env!("NNUE_A_VARIABLE_THAT_NOBODY_SETS"), "/net.bin");
    };
}

fn main() {}
