//! Trains convolution networks on handwritten digits: one of signs, with the exact and with the approximate gradient, and one of floats of the
//! same shape. As in XNOR networks, the first convolution reads the picture in floats, since one sign for each pixel says too little of it.
//!
//! ```console
//! $ cargo run --release -p nnue-train --example digits -- digits.csv [signs.bin]
//! ```
//!
//! `digits.csv` is the test part of the UCI set "Optical Recognition of Handwritten Digits" as scikit-learn has it (1797 digits, CC BY 4.0): a line of
//! names, then for each digit its label and 64 numbers from 0 to 16. The last fifth is held out. The same seeds give the same networks, on any
//! number of processors.
//!
//! How many are right is counted by the reference interpreter, whose bits are those of the runtime. The trained network of signs is written to the
//! second file; `examples/18_digits.rs` of the crate `nnue` reads it.

use std::error::Error;
use std::fs;
use std::num::NonZeroUsize;
use std::thread;

use nnue_codegen::dense_text;
use nnue_format::dense;
use nnue_spec::dense::reference::evaluate;
use nnue_spec::dense::{DenseDesc, DenseOp, DenseRole};
use nnue_train::dense::{Moments, Network};
use nnue_train::network::Parameters;
use nnue_train::optimizer::{Adam, Optimizer};

/// `examples/18_digits.rs` declares the same.
const SIGNS: &str = "pub struct Signs = input[1, 8, 8]
    -> conv2d(16, kernel 3, padding 1) batch_norm
    -> conv2d(32 binary, kernel 3) relu -> max_pool2d(kernel 2) batch_norm
    -> flatten -> 10 binary;";
const FLOATS: &str = "pub struct Floats = input[1, 8, 8]
    -> conv2d(16, kernel 3, padding 1) batch_norm
    -> conv2d(32, kernel 3) relu -> max_pool2d(kernel 2) batch_norm
    -> flatten -> 10;";

const EPOCHS: usize = 60;
const BATCH: usize = 32;
const RATE: f64 = 5e-3;
/// PyTorch's share of a batch in means and variances.
const SHARE: f64 = 0.1;
/// Each batch is added up in so many parts, on any number of processors.
const PARTS: usize = 4;

struct Digit {
    pixels: Vec<f32>,
    label: usize,
}

impl Digit {
    /// So many rows lower and columns to the right; no ink comes in from outside.
    fn moved(&self, down: i32, right: i32) -> Self {
        let pixel = |at: i32| {
            let (row, column) = (at / 8 - down, at % 8 - right);
            let inside = (0..8).contains(&row) && (0..8).contains(&column);
            if inside {
                self.pixels[(8 * row + column) as usize]
            } else {
                0.0
            }
        };
        Self {
            pixels: (0..64).map(pixel).collect(),
            label: self.label,
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which file? digits.csv")?;
    let digits = read(&fs::read_to_string(&path)?)?;
    let (training, held_out) = digits.split_at(digits.len() * 4 / 5);
    println!(
        "{} digits to train with, {} held out",
        training.len(),
        held_out.len()
    );
    println!(
        "| network | gradient | right of those trained with | of those held out |\n|---|---|---|---|"
    );
    let mut kept = Vec::new();
    for (name, source, exact) in [
        ("floats", FLOATS, true),
        ("signs", SIGNS, false),
        ("signs", SIGNS, true),
    ] {
        let graph = dense_text(source)
            .map_err(|errors| errors[0].message.clone())?
            .remove(0);
        let net = graph.desc();
        let network = if exact {
            Network::new(&net)
        } else {
            Network::approximate(&net)
        };
        let tensors = train(&net, &network, training);
        let right = [training, held_out].map(|digits| share_right(&net, &tensors, digits));
        let gradient = if exact { "exact" } else { "approximate" };
        println!(
            "| {name} | {gradient} | {:.2} % | {:.2} % |",
            100.0 * right[0],
            100.0 * right[1]
        );
        kept = dense::to_bytes(&tensors);
    }
    if let Some(file) = arguments.next() {
        fs::write(file, kept)?;
    }
    Ok(())
}

/// The digits of a file.
fn read(text: &str) -> Result<Vec<Digit>, Box<dyn Error>> {
    let digit = |(at, line): (usize, &str)| {
        let numbers: Result<Vec<u8>, _> = line.split(',').map(str::parse).collect();
        match numbers.ok().as_deref().and_then(<[u8]>::split_first) {
            Some((&label @ 0..10, pixels)) if pixels.len() == 64 => Ok(Digit {
                pixels: pixels.iter().map(|&ink| f32::from(ink) / 16.0).collect(),
                label: label.into(),
            }),
            _ => Err(format!(
                "line {}: expected a label from 0 to 9 and 64 numbers, found `{line}`",
                at + 1
            )
            .into()),
        }
    };
    text.lines().enumerate().skip(1).map(digit).collect()
}

/// The tensors of a trained network.
fn train(net: &DenseDesc<'_>, network: &Network<f32>, digits: &[Digit]) -> Vec<Vec<f32>> {
    let mut parameters = Parameters {
        tensors: dense::random(net, 1).into_iter().map(Into::into).collect(),
    };
    let mut adam = Adam::new(network.zeros());
    let mut order: Vec<&Digit> = digits.iter().collect();
    let [mut shuffling, mut moving] = [2, 3].map(fastrand::Rng::with_seed);
    // Writers do not place their digits alike: each is moved by up to one pixel, another way each time.
    let mut moved = |digit: &&Digit| digit.moved(moving.i32(-1..=1), moving.i32(-1..=1));
    for epoch in 0..EPOCHS {
        shuffling.shuffle(&mut order);
        let rate = RATE * (1.0 + (std::f64::consts::PI * epoch as f64 / EPOCHS as f64).cos()) / 2.0;
        for batch in order.chunks(BATCH) {
            let batch: Vec<Digit> = batch.iter().map(&mut moved).collect();
            let (gradient, moments) = gradient(network, &parameters, &batch);
            adam.step(rate, &mut parameters, &gradient, NonZeroUsize::MIN);
            clip_signs(net, &mut parameters);
            network.follow(&moments, SHARE, &mut parameters);
        }
    }
    parameters
        .tensors
        .iter()
        .map(|tensor| tensor.to_vec())
        .collect()
}

/// The gradient of the mean cross entropy of a batch, and what its batch norms have read.
fn gradient(
    network: &Network<f32>,
    parameters: &Parameters<f32>,
    batch: &[Digit],
) -> (Parameters<f32>, Moments) {
    let part = |digits: &[Digit]| {
        let (mut gradient, mut moments, mut workspace) =
            (network.zeros(), network.moments(), network.workspace());
        for digit in digits {
            let outputs = network.forward(parameters, &digit.pixels, &mut workspace);
            let mut of_outputs = softmax(outputs);
            of_outputs[digit.label] -= 1.0;
            of_outputs
                .iter_mut()
                .for_each(|of| *of /= batch.len() as f32);
            network.backward(parameters, &mut workspace, &of_outputs, &mut gradient);
            network.observe(&workspace, &mut moments);
        }
        (gradient, moments)
    };
    let parts = batch.chunks(batch.len().div_ceil(PARTS));
    let parts: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = parts
            .map(|digits| scope.spawn(move || part(digits)))
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("the part of a batch is whole"))
            .collect()
    });
    let mut parts = parts.into_iter();
    let (mut sum, mut moments) = parts.next().expect("a batch is not empty");
    for (gradient, others) in parts {
        sum.add(&gradient);
        moments.add(&others);
    }
    (sum, moments)
}

fn softmax(outputs: &[f32]) -> Vec<f32> {
    let greatest = outputs.iter().copied().fold(f32::MIN, f32::max);
    let powers: Vec<f32> = outputs
        .iter()
        .map(|output| (output - greatest).exp())
        .collect();
    let sum: f32 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// Keeps the weights of signs from -1 to 1: beyond, no gradient passes through a sign.
fn clip_signs(net: &DenseDesc<'_>, parameters: &mut Parameters<f32>) {
    for (described, tensor) in net.tensors().iter().zip(&mut parameters.tensors) {
        let op = net.nodes[described.node].op;
        let binary = matches!(
            op,
            DenseOp::Conv2d {
                binary: Some(_),
                ..
            } | DenseOp::Affine { binary: Some(_) }
        );
        if binary && described.role == DenseRole::Weight {
            tensor
                .iter_mut()
                .for_each(|weight| *weight = weight.clamp(-1.0, 1.0));
        }
    }
}

fn share_right(net: &DenseDesc<'_>, tensors: &[Vec<f32>], digits: &[Digit]) -> f64 {
    let is_right = |digit: &&Digit| {
        let values = evaluate(net, tensors, &digit.pixels);
        let outputs = values.last().expect("a network has an output");
        (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b])) == Some(digit.label)
    };
    digits.iter().filter(is_right).count() as f64 / digits.len() as f64
}
