//! 18: a network that reads handwritten digits, most of it signs, trained by `crates/train/examples/digits.rs`.
//!
//! Shows: a network that is embedded in the program; a convolution of signs after one of floats; that every level gives the same bits as the
//! reference interpreter.
//!
//! Run: `cargo run --example 18_digits`. With a file of digits, `-- digits.csv`, it also says how many of the last fifth it reads right, none of
//! which it was trained with. That file is the test part of the UCI set "Optical Recognition of Handwritten Digits": a line of names, then the
//! label and 64 numbers from 0 to 16 of each digit.
//!
//! ```text
//! Signs: input[1, 8, 8] -> conv2d(16, kernel 3, padding 1) -> batch_norm -> conv2d(32 binary, kernel 3) -> relu -> max_pool2d(kernel 2, stride 2) -> batch_norm -> flatten -> 10 binary
//!     7488 of 7882 numbers are used as signs only, which are 936 bytes
//! drawings of 0 1 3 4 7 are read as 0 1 3 4 7
//! ```

use std::error::Error;
use std::fs;

use nnue::dense::{Architecture, DenseOp, DenseRole};
use nnue::{Level, nnue};

nnue! {
    /// Pictures of 8 x 8 numbers from 0 to 1, ten classes.
    pub struct Signs = input[1, 8, 8]
        -> conv2d(16, kernel 3, padding 1) batch_norm
        -> conv2d(32 binary, kernel 3) relu -> max_pool2d(kernel 2) batch_norm
        -> flatten -> 10 binary;
}

/// Rows of eight pixels: no ink, some (`+`), much (`#`).
const DRAWINGS: [(usize, &str); 5] = [
    (
        0,
        "  +##+  |  #++#  | +#  #+ | #+  +# | #+  +# | +#  #+ |  #++#  |  +##+  ",
    ),
    (
        1,
        "   +#   |  ###   | +###   |   ##   |   ##   |   ##   |   ##   |  +##+  ",
    ),
    (
        3,
        " +####  | ++ +#+ |    +#  |  +##+  |   +##  |     ## | ++ +#+ | +###+  ",
    ),
    (
        4,
        "    +#  |   +#+  |  +#+   | +#+ ## | ##++#+ | +####  |   +#+  |   +#   ",
    ),
    (
        7,
        " +##### | ++++## |    +#+ |  ++##+ | +####+ |  +#+   |  ##    |  #+    ",
    ),
];

fn drawn(drawing: &str) -> [f32; 64] {
    let pixels: Vec<u8> = drawing.bytes().filter(|byte| *byte != b'|').collect();
    std::array::from_fn(|at| match pixels[at] {
        b'#' => 1.0,
        b'+' => 0.5,
        _ => 0.0,
    })
}

/// The digit that is seen: the greatest output, which every level gives alike.
fn read(levels: &[SignsNetwork], pixels: &[f32; 64]) -> usize {
    let values = nnue_spec::dense::reference::evaluate(&Signs::SPEC, levels[0].tensors(), pixels);
    let expected = values.last().expect("a network has an output");
    for network in levels {
        assert_eq!(
            network.evaluate(pixels).as_slice(),
            expected,
            "{}",
            network.level()
        );
    }
    (0..10)
        .max_by(|&a, &b| expected[a].total_cmp(&expected[b]))
        .expect("ten outputs")
}

/// The label and the pixels in a line of a file.
fn parse(line: &str) -> Option<(usize, [f32; 64])> {
    let numbers: Vec<u8> = line
        .split(',')
        .map(str::parse)
        .collect::<Result<_, _>>()
        .ok()?;
    let (&label, pixels) = numbers.split_first()?;
    let pixels: [u8; 64] = pixels.try_into().ok()?;
    Some((label.into(), pixels.map(|ink| f32::from(ink) / 16.0)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let load = || SignsNetwork::from_bytes(include_bytes!("18_digits.bin"));
    let levels: Result<Vec<SignsNetwork>, nnue::LoadError> = Level::available()
        .map(|level| Ok(load()?.with_level(level)))
        .collect();
    let levels = levels?;
    println!("Signs: {}", Signs::SPEC.notation());
    let tensors = Signs::SPEC.tensors();
    let numbers: usize = tensors.iter().map(|tensor| tensor.len()).sum();
    let is_binary = |node: usize| {
        let op = Signs::SPEC.nodes[node].op;
        matches!(
            op,
            DenseOp::Conv2d {
                binary: Some(_),
                ..
            } | DenseOp::Affine { binary: Some(_) }
        )
    };
    let weights = tensors
        .iter()
        .filter(|tensor| tensor.role == DenseRole::Weight && is_binary(tensor.node));
    let signs: usize = weights.map(|tensor| tensor.len()).sum();
    println!(
        "    {signs} of {numbers} numbers are used as signs only, which are {} bytes",
        signs / 8
    );

    let words = |digits: Vec<usize>| {
        digits
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    };
    let labels = words(DRAWINGS.iter().map(|(digit, _)| *digit).collect());
    let found = words(
        DRAWINGS
            .iter()
            .map(|(_, drawing)| read(&levels, &drawn(drawing)))
            .collect(),
    );
    println!("drawings of {labels} are read as {found}");

    if let Some(path) = std::env::args().nth(1) {
        let file = fs::read_to_string(path)?;
        let digits: Option<Vec<_>> = file.lines().skip(1).map(parse).collect();
        let digits = digits.ok_or("expected lines of a label and 64 numbers from 0 to 16")?;
        let held_out = &digits[digits.len() * 4 / 5..];
        let right = held_out
            .iter()
            .filter(|(label, pixels)| read(&levels, pixels) == *label)
            .count();
        println!("{right} of {} digits are read right", held_out.len());
    }
    Ok(())
}
