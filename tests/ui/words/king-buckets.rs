nnue::nnue! {
    pub struct Wrong = (768x4 -> 1024)x2 -> 16 -> 1;
}

fn main() {}
