nnue::nnue! {
    pub struct Two = input[28, 28] -> conv2d(16, kernel 5) relu -> flatten -> 10;

    pub struct Empty = input[0] -> 10;

    pub struct Flat = planes[12] -> 10;

    pub struct Large = planes[17, 19, 19] -> flatten -> 10;

    pub struct Picture = input[3, 4096, 4096] -> flatten -> 10;
}

fn main() {}
