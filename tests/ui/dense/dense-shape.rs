nnue::nnue! {
    pub struct Unflattened = input[1, 28, 28] -> conv2d(16, kernel 5) relu -> 10;

    pub struct Flattened = input[1, 28, 28] -> flatten -> conv2d(16, kernel 5) relu -> 10;

    pub struct List = input[784] -> max_pool2d(kernel 2) -> 10;

    pub struct Twice = input[784] -> flatten -> 10;

    pub struct Reshaped = input[784] -> reshape(1, 28, 27) -> conv2d(16, kernel 5) relu -> flatten -> 10;

    pub struct NoRows = input[784] -> reshape(784, 0, 1) -> conv2d(16, kernel 1) relu -> flatten -> 10;

    pub struct SameShape = input[1, 28, 28] -> reshape(1, 28, 28) -> flatten -> 10;

    pub struct TwoSizes = input[784] -> reshape(28, 28) -> flatten -> 10;

    pub struct Residual {
        x = input[4, 8, 8];
        let a = conv2d(x, 4, kernel 3);
        output add(x, a);
    }

    pub struct Joined {
        x = input[4, 8, 8];
        output concat(x, flatten(x));
    }
}

fn main() {}
