nnue::nnue! {
    pub struct Wide = input[1, 8, 8] -> conv2d(16, kernel 9) -> flatten -> 10;

    pub struct Late = input[1, 8, 8] -> conv2d(16, kernel 5) -> conv2d(16, kernel 5) -> flatten -> 10;

    pub struct Zero = input[1, 8, 8] -> conv2d(16, kernel 0) -> flatten -> 10;

    pub struct Still = input[1, 8, 8] -> conv2d(16, kernel 3, stride 0) -> flatten -> 10;

    pub struct Padded = input[1, 8, 8] -> conv2d(16, kernel 3, padding 3) -> flatten -> 10;

    pub struct PaddedPool = input[1, 8, 8] -> max_pool2d(kernel 3, padding 1) -> flatten -> 10;

    pub struct Eps = input[1, 8, 8] -> batch_norm(eps 2.5) -> flatten -> 10;
}

fn main() {}
