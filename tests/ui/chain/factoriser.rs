nnue::nnue! {
    struct Marked = HalfKAv2_hm^[..] -> 256x2 -> 32 -> 1;
}

fn main() {}
