nnue::nnue! {}

fn main() {}
