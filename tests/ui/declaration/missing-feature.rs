// This macro has no features of `nnue`, as a program has it that asks for none.
use nnue_testkit_macros::nnue;

nnue! {
    struct Digits = input[1, 28, 28] -> flatten -> 10;

    struct Golden = Chess768[..] -> 32x2 -> 1 {
        golden "4k3/8/8/8/8/8/8/4K3 w - - 0 1" = 0;
        golden "4k3/8/8/8/8/8/8/4K3 b - - 0 1" = 0;
    };

    struct Moves {
        from = subnets(Chess768[..], 2 x 1: f32);
        to = subnets(Chess768[..], 2 x 1: f32);
        output policy = dot(relu(from), relu(to));
    }
}

fn main() {
    let _ = nnue::Network::<Golden>::open("golden.nnue");
    let (_, _) = (Digits, Moves);
}
