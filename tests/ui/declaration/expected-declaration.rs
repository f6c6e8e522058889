nnue::nnue! {
    pub enum Wrong = HalfKP[..] -> 256x2 -> 1;
}

fn main() {}
