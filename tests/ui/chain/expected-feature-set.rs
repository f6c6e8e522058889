nnue::nnue! {
    pub struct Wrong = -> 1024x2 -> 16 -> 1;
}

fn main() {}
