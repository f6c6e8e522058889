//! 16: networks over a dense input, with convolutions: a picture, and the planes of a board.
//!
//! Shows: a network that is no sum of rows, as a chain and as a graph; its file; planes of bits straight from bitboards; that every level gives
//! the same bits as the reference interpreter.
//!
//! Run: `cargo run --example 16_dense_input`
//!
//! ```text
//! Digits: input[1, 28, 28] -> conv2d(16, kernel 5) -> relu -> max_pool2d(kernel 2, stride 2) -> batch_norm -> conv2d(32, kernel 5) -> relu -> max_pool2d(kernel 2, stride 2) -> batch_norm -> flatten -> 10
//!     a file of 74280 bytes, 10 outputs, the greatest is output [..]
//! Board: 12 planes of bits, 3 outputs: [..]
//! all levels give the same bits
//! ```

use cozy_chess::{Board, Color, Piece};
use nnue::dense::{self, Architecture, Network};
use nnue::{Level, nnue};

nnue! {
    /// Pictures of 28 x 28 numbers, ten classes.
    pub struct Digits = input[1, 28, 28]
        -> conv2d(16, kernel 5) relu -> max_pool2d(kernel 2) batch_norm
        -> conv2d(32, kernel 5) relu -> max_pool2d(kernel 2) batch_norm
        -> flatten -> 10;

    /// A residual block over a board: loss, draw and win.
    pub struct Residual {
        x = planes[12, 8, 8];
        let a = relu(batch_norm(conv2d(x, 32, kernel 3, padding 1)));
        let b = relu(add(a, batch_norm(conv2d(a, 32, kernel 3, padding 1))));
        output affine(flatten(b), 3);
        floats fused;
    }
}

/// The outputs on every level, which are those of the reference interpreter.
fn outputs<A: Architecture>(
    mut network: Network<A>,
    input: &A::Input,
    numbers: &[f32],
) -> Vec<f32> {
    let values = nnue_spec::dense::reference::evaluate(&A::SPEC, network.tensors(), numbers);
    let expected = values.last().expect("a network has an output");
    for level in Level::available() {
        network = network.with_level(level);
        assert_eq!(network.evaluate(input).as_mut(), expected, "{level}");
    }
    expected.clone()
}

/// A plane for each kind of piece of each side.
fn planes(board: &Board) -> [u64; 12] {
    std::array::from_fn(|plane| {
        (board.colors(Color::ALL[plane / 6]) & board.pieces(Piece::ALL[plane % 6])).0
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("Digits: {}", Digits::SPEC.notation());
    let file = Network::<Digits>::random(1).to_bytes();
    let network = Network::<Digits>::from_bytes(&file)?;
    let ring = |x: usize| (x % 28).abs_diff(14).pow(2) + (x / 28).abs_diff(14).pow(2);
    let picture: [f32; 784] = std::array::from_fn(|x| {
        if (40..80).contains(&ring(x)) {
            1.0
        } else {
            0.0
        }
    });
    let found = outputs(network, &picture, &picture);
    let greatest = (0..found.len()).max_by(|&a, &b| found[a].total_cmp(&found[b]));
    println!(
        "    a file of {} bytes, {} outputs, the greatest is output {greatest:?}",
        file.len(),
        found.len()
    );

    let planes = planes(&Board::default());
    let numbers: Vec<f32> = planes
        .iter()
        .flat_map(|plane| (0..64).map(move |square| (plane >> square & 1) as f32))
        .collect();
    let found = outputs(ResidualNetwork::random(2), &planes, &numbers);
    println!("Board: 12 planes of bits, 3 outputs: {found:?}");

    let short =
        Network::<Digits>::from_bytes(&file[..100]).expect_err("a file that ends too early");
    assert_eq!(short.kind(), nnue::LoadErrorKind::Truncated);
    assert_eq!(Digits::SPEC.output(), dense::Shape::Flat(10));
    println!("all levels give the same bits");
    Ok(())
}
