//! Compares the outputs with the reference, and the gradient with finite differences.

use nnue_codegen::dense_text;
use nnue_spec::dense::reference::evaluate;
use nnue_spec::dense::{DenseGraph, DenseRole};

use super::Network;
use crate::network::Parameters;

/// Every operation, with odd sizes, strides and padding.
const SOURCE: &str = "pub struct All {
    x = input[2, 7, 6];
    let a = silu(conv2d(x, 3, kernel 3, stride 2, padding 2));
    let b = add(a, batch_norm(a, eps 1e-2), tanh(a));
    let c = max_pool2d(concat(b, a), kernel 2, stride 1);
    let d = conv2d(avg_pool2d(c, kernel 2, stride 1), 4, kernel 2, padding 1);
    output affine(batch_norm(sigmoid(affine(flatten(d), 5))), 3);
}";

/// Binary operations with every kind of scale, and padding.
const SIGNS: &str = "pub struct Signs {
    x = input[2, 7, 6];
    let a = batch_norm(relu(conv2d(x, 5 binary, kernel 3, stride 2, padding 2, input_scale)));
    let b = conv2d(a, 4 binary, kernel 2, one_scale);
    let c = affine(flatten(b), 6 binary, one_scale, input_scale);
    output affine(c, 3 binary);
}";

fn network(source: &str) -> DenseGraph {
    dense_text(source)
        .unwrap_or_else(|errors| panic!("{}", errors[0].message))
        .remove(0)
}

fn numbers(seed: u64, count: usize) -> Vec<f64> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| random.f64() * 2.0 - 1.0).collect()
}

#[test]
fn outputs_are_those_of_the_interpreter() {
    compare_outputs(SOURCE);
    compare_outputs(SIGNS);
}

fn compare_outputs(source: &str) {
    let graph = network(source);
    let network = Network::<f64>::new(&graph.desc());
    let tensors = nnue_format::dense::random(&graph.desc(), 1);
    let wide = |values: &[f32]| {
        values
            .iter()
            .map(|&value| f64::from(value))
            .collect::<Vec<f64>>()
    };
    let parameters = Parameters {
        tensors: tensors.iter().map(|tensor| wide(tensor).into()).collect(),
    };
    let input: Vec<f32> = numbers(2, 84).iter().map(|&number| number as f32).collect();
    let expected = evaluate(&graph.desc(), &tensors, &input)
        .pop()
        .expect("an output");
    let mut workspace = network.workspace();
    for (found, expected) in network
        .forward(&parameters, &wide(&input), &mut workspace)
        .iter()
        .zip(expected)
    {
        assert!(
            (found - f64::from(expected)).abs() < 1e-4,
            "{found} {expected}"
        );
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let graph = network(SOURCE);
    let described = graph.desc().tensors();
    let network = Network::<f64>::new(&graph.desc());
    let (mut workspace, mut gradient) = (network.workspace(), network.zeros());
    let tensors = nnue_format::dense::random(&graph.desc(), 3);
    let tensors = tensors
        .iter()
        .map(|tensor| tensor.iter().map(|&value| f64::from(value)).collect())
        .collect();
    let (mut parameters, input, of_outputs) =
        (Parameters { tensors }, numbers(4, 84), numbers(5, 3));
    network.forward(&parameters, &input, &mut workspace);
    network.backward(&parameters, &mut workspace, &of_outputs, &mut gradient);

    let step = 1e-5;
    for (index, tensor) in described.iter().enumerate() {
        for place in 0..tensor.len() {
            let mut at = |moved: f64| {
                parameters.tensors[index][place] += moved;
                let outputs = network.forward(&parameters, &input, &mut workspace);
                let value: f64 = outputs.iter().zip(&of_outputs).map(|(a, b)| a * b).sum();
                parameters.tensors[index][place] -= moved;
                value
            };
            let is_constant = matches!(tensor.role, DenseRole::Mean | DenseRole::Variance);
            let expected = if is_constant {
                0.0
            } else {
                (at(step) - at(-step)) / (2.0 * step)
            };
            let found = gradient.tensors[index][place];
            assert!(
                (found - expected).abs() < 1e-7,
                "{}[{place}]: {found} instead of {expected}",
                tensor.name
            );
        }
    }
}
