nnue::nnue! {
    pub struct Numbers = input[1, 8, 8] -> conv2d(16, 3) -> flatten -> 10;

    pub struct NoKernel = input[1, 8, 8] -> conv2d(16) -> flatten -> 10;

    pub struct NoOutputs = input[1, 8, 8] -> conv2d(kernel 3) -> flatten -> 10;

    pub struct Misspelt = input[1, 8, 8] -> conv2d(16, kernal 3) -> flatten -> 10;

    pub struct Unknown = input[1, 8, 8] -> Conv2d(16, kernel 3) -> softmax -> flatten -> 10;

    pub struct Alone = input[1, 8, 8];

    pub struct Scales = input[1, 8, 8] -> conv2d(16 binary, kernel 3, input_scales) -> flatten -> 10;

    pub struct Numbered = input[1, 8, 8] -> conv2d(16 binary, kernel 3, one_scale 2) -> flatten -> 10;

    pub struct Word = input[1, 8, 8] -> conv2d(16, kernel 3, binary) -> flatten -> 10;

    pub struct Bare = input[1, 8, 8] -> conv2d(16 binary, kernel) -> flatten -> 10;

    pub struct Twice = input[1, 8, 8] -> conv2d(16 binary, kernel 3) -> flatten -> affine(10 binary, one_scale, one_scale);

    pub struct Fraction = input[1, 8, 8] -> conv2d(16, kernel 2.5) -> flatten -> 10;

    pub struct Scale = input[1, 8, 8] -> flatten -> one_scale -> 10;

    pub struct Nothing {
        x = input[64];
        let a = relu();
        output affine(add(x, a), 10);
    }

    pub struct NoValue {
        x = input[1, 8, 8];
        output add(flatten(x), relu(64));
    }

    pub struct Elsewhere = Chess768[..] -> 64x2 flatten -> 1;
}

fn main() {}
