//! Networks over a dense input, from files of PyTorch and ONNX to numbers: declared, read by the compiler of the language, evaluated by the reference
//! interpreter, and compared with what PyTorch said.

use std::path::Path;

use nnue_codegen::dense_text;
use nnue_import::declare::{self, Declared};
use nnue_import::evaluate::evaluate;
use nnue_import::fold::fold;
use nnue_import::{ImportError, Op, Tensor, Unary, npz};
use nnue_spec::dense::{DenseGraph, reference};

use crate::{folder, graph, made};

/// How far sums in another order may be, in parts of the largest output.
const TOLERANCE: f32 = 1e-5;

fn imported(path: &Path) -> Declared {
    let graph = graph(path);
    let declared = fold(&graph).and_then(|folded| declare::dense(&graph, &folded, "Net"));
    declared.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn compiled(declared: &Declared) -> DenseGraph {
    let graphs =
        dense_text(&declared.text).unwrap_or_else(|errors| panic!("{errors:?}\n{}", declared.text));
    let [network] = <[DenseGraph; 1]>::try_from(graphs).expect("one network is declared");
    let expected: Vec<_> = network
        .desc()
        .tensors()
        .into_iter()
        .map(|tensor| (tensor.name, tensor.shape))
        .collect();
    let found: Vec<_> = declared
        .tensors
        .iter()
        .map(|tensor| (tensor.name.clone(), tensor.shape.clone()))
        .collect();
    assert_eq!(found, expected, "{}", declared.text);
    network
}

/// The inputs of a recorded file, row by row, and the outputs.
fn recorded(path: &Path, input: &str) -> (Vec<Vec<f32>>, Vec<f32>) {
    let file = std::fs::read(path).expect("the file is there");
    let arrays = npz::read(&file).expect("they are arrays");
    let array = |name: &str| {
        arrays
            .iter()
            .find(|(one, _)| one == name)
            .map(|(_, tensor)| tensor)
            .expect("the array is there")
    };
    let rows = array(input).shape()[0];
    let values = array(input).to_floats();
    (
        values
            .chunks_exact(values.len() / rows)
            .map(<[f32]>::to_vec)
            .collect(),
        array("expected").to_floats(),
    )
}

/// Asserts that a declared network says what PyTorch said.
fn compare(path: &Path, (inputs, expected): &(Vec<Vec<f32>>, Vec<f32>)) {
    let declared = imported(path);
    let network = compiled(&declared);
    let tensors: Vec<Vec<f32>> = declared
        .tensors
        .into_iter()
        .map(|tensor| tensor.values)
        .collect();
    let found: Vec<f32> = (inputs.iter())
        .flat_map(|input| {
            reference::evaluate(&network.desc(), &tensors, input)
                .pop()
                .expect("there is an output")
        })
        .collect();
    assert_eq!(found.len(), expected.len(), "{}", path.display());
    let largest = expected
        .iter()
        .fold(0.0, |largest: f32, value| largest.max(value.abs()));
    let worst = found
        .iter()
        .zip(expected)
        .fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
    assert!(
        worst <= TOLERANCE * largest,
        "{}: {worst} of {largest}\n{}",
        path.display(),
        declared.text
    );
}

#[test]
fn declarations_say_what_pytorch_says() {
    for (name, input) in [
        ("digits", "x"),
        ("tower", "board"),
        ("activations", "x"),
        ("binary", "x"),
    ] {
        let recorded = recorded(&made(&format!("{name}.npz")), input);
        for end in ["pt2", "onnx"] {
            compare(&made(&format!("{name}.{end}")), &recorded);
        }
    }
}

#[test]
fn networks_of_signs_of_all_exporters_are_binary() {
    let Some(folder) = folder() else { return };
    for name in ["binary", "binary-untrained"] {
        let recorded = recorded(&folder.join(format!("{name}.npz")), "x");
        for file in ["%.pt2", "%-dynamo.onnx", "%-script.onnx"] {
            let path = folder.join(file.replace('%', name));
            compare(&path, &recorded);
            let expected = "pub struct Net = input[256] -> affine(64 binary, one_scale, input_scale) batch_norm relu -> 10;\n";
            assert_eq!(imported(&path).text, expected);
        }
    }
}

#[test]
fn graphs_in_which_values_are_read_twice_have_names_for_them() {
    let expected = "\
pub struct Net {
    x = input[5, 8, 8];
    let a1 = relu(batch_norm(conv2d(x, 8, kernel 3, padding 1)));
    let a2 = relu(batch_norm(conv2d(a1, 8, kernel 3, padding 1)));
    let a3 = batch_norm(conv2d(a2, 8, kernel 3, padding 1));
    let a4 = relu(add(a1, a3));
    let a5 = silu(affine(concat(flatten(avg_pool2d(a1, kernel 8)), flatten(avg_pool2d(a4, kernel 8))), 12));
    output affine(a5, 3);
}
";
    assert_eq!(imported(&made("tower.pt2")).text, expected);
}

#[test]
fn the_report_names_what_became_of_each_node() {
    let path = made("binary.pt2");
    let declared = imported(&path);
    assert_eq!(declared.clauses.len(), graph(&path).nodes.len());
    let clause = |node: &str| {
        declared
            .clauses
            .iter()
            .find(|clause| clause.node == node)
            .expect("it is listed")
            .clause
            .as_str()
    };
    assert_eq!(clause("where_1"), "computed: it depends on no input");
    assert_eq!(clause("gt"), "part of an operation");
    assert_eq!(clause("conv2d"), "part of an operation");
    assert_eq!(clause("add"), "conv2d(6 binary, kernel 3, input_scale)");
    assert_eq!(clause("flatten"), "flatten");
    let compared: Vec<&str> = declared
        .layers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(compared, ["conv0", "bn0", "conv1", "fc0"]);
}

#[test]
fn all_that_has_no_counterpart_is_told_at_once() {
    let mut graph = graph(&made("activations.onnx"));
    // One that is recognised but has no word, and one after it that is not even recognised.
    let mut changed = Vec::new();
    for (function, other) in [(Unary::Tanh, Unary::Abs), (Unary::Sigmoid, Unary::Exp)] {
        let after = graph
            .nodes
            .iter()
            .position(|node| changed.last() == Some(&node.name))
            .unwrap_or(0);
        let node = graph.nodes[after..]
            .iter_mut()
            .find(|node| node.op == Op::Unary(function))
            .expect("it is there");
        node.op = Op::Unary(other);
        changed.push(node.name.clone());
    }
    let folded = fold(&graph).expect("it can be made simple");
    let error = declare::dense(&graph, &folded, "Net").expect_err("the language has neither");
    let ImportError::Unsupported(nodes) = &error else {
        panic!("{error}")
    };
    let found: Vec<&str> = nodes.iter().map(|node| node.node.as_str()).collect();
    assert_eq!(found, changed, "{error}");
}

/// As `--check` compares them: by the number of the operation that makes each.
#[test]
fn named_values_are_those_of_the_graph() {
    let graph = graph(&made("tower.pt2"));
    let folded = fold(&graph).expect("it can be made simple");
    let declared = declare::dense(&graph, &folded, "Net").expect("it is declared");
    let network = compiled(&declared);
    let (inputs, _) = recorded(&made("tower.npz"), "board");
    let inputs = &inputs[..folded.rows];
    let x = Tensor::floats(&[folded.rows, 5, 8, 8], inputs.concat()).expect("the numbers fit");
    let numbers = evaluate(&folded.graph, &[x.into()]).expect("lengths fit");
    let tensors: Vec<Vec<f32>> = declared
        .tensors
        .iter()
        .map(|tensor| tensor.values.clone())
        .collect();
    let values = inputs
        .iter()
        .map(|input| reference::evaluate(&network.desc(), &tensors, input))
        .collect::<Vec<_>>();
    let operations = &declared.operations;
    let names: Vec<&str> = operations.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a1", "a2", "a3", "a4", "a5", "output"]);
    assert_eq!(
        operations.last().map(|(_, index)| *index),
        Some(network.desc().nodes.len() - 1)
    );
    for (name, id) in declared
        .layers
        .iter()
        .filter(|(name, _)| names.contains(&name.as_str()))
    {
        let (_, index) = operations
            .iter()
            .find(|(known, _)| known == name)
            .expect("it was counted");
        let expected = numbers[*id].as_ref().expect("it is made").to_floats();
        let found: Vec<f32> = values
            .iter()
            .flat_map(|values| values[*index].clone())
            .collect();
        let largest = expected
            .iter()
            .fold(0.0, |largest: f32, value| largest.max(value.abs()));
        let is_near = |(a, b): (&f32, &f32)| (a - b).abs() <= TOLERANCE * largest;
        assert!(
            found.len() == expected.len() && found.iter().zip(&expected).all(is_near),
            "{name}"
        );
    }
}
