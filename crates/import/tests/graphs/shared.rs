//! Graphs, evaluated: against the outputs of PyTorch and of onnxruntime.

use std::sync::Arc;

use nnue_import::evaluate::evaluate;
use nnue_import::{Graph, Tensor, fold, npz};

use crate::{folder, graph, made};

/// How far sums in another order may be, in parts of the largest output.
const TOLERANCE: f32 = 1e-5;

/// Some rows of an array.
fn rows(tensor: &Tensor, start: usize, count: usize) -> Arc<Tensor> {
    let shape = [&[count], &tensor.shape()[1..]].concat();
    let size: usize = tensor.shape()[1..].iter().product();
    Arc::new(
        tensor
            .picked(shape, start * size..(start + count) * size)
            .expect("the rows are there"),
    )
}

/// The outputs of a graph for all rows, as many at a time as it takes.
fn outputs(graph: &Graph, inputs: &[Tensor]) -> Vec<f32> {
    let folded = fold::fold(graph).expect("it can be made simple");
    let mut outputs = Vec::new();
    for start in (0..inputs[0].shape()[0]).step_by(folded.rows) {
        let part: Vec<Arc<Tensor>> = inputs
            .iter()
            .map(|input| rows(input, start, folded.rows))
            .collect();
        let [folded, whole] = [&folded.graph, graph].map(|graph| {
            let numbers = evaluate(graph, &part).expect("lengths fit");
            numbers[graph.outputs[0]].clone().expect("it is made")
        });
        assert_eq!(folded, whole, "what is folded changes nothing");
        outputs.extend(folded.to_floats());
    }
    outputs
}

/// What `tests/import/make.py` made, with the outputs of PyTorch, and `gates.py`, `pools.py` and `lists.py`, with those of onnxruntime.
#[test]
fn graphs_of_pytorch_give_its_outputs() {
    let mut count = 0;
    for name in [
        "digits",
        "tower",
        "activations",
        "binary",
        "perspective",
        "buckets",
        "bags",
        "wdl",
        "kings",
        "psqt",
        "separate",
        "quantised",
        "gates",
        "neighbours",
        "signs",
        "deeper",
        "quantmoid",
        "pooled",
        "lists",
    ] {
        let arrays = npz::read(&std::fs::read(made(&format!("{name}.npz"))).expect("it is there"))
            .expect("they are arrays");
        let array = |name: &str| {
            arrays
                .iter()
                .find(|(one, _)| one == name)
                .map(|(_, tensor)| tensor)
        };
        let expected = array("expected").expect("there are outputs").to_floats();
        let largest = expected
            .iter()
            .fold(0.0, |largest: f32, value| largest.max(value.abs()));
        for file in ["%.pt2", "%.onnx"]
            .map(|file| made(&file.replace('%', name)))
            .into_iter()
            .filter(|file| file.exists())
        {
            let graph = graph(&file);
            let inputs = graph.inputs.iter().map(|&id| {
                array(&graph.values[id].name)
                    .expect("there is an input")
                    .clone()
            });
            let found = outputs(&graph, &inputs.collect::<Vec<Tensor>>());
            let worst = found
                .iter()
                .zip(&expected)
                .fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
            assert!(
                found.len() == expected.len() && worst <= TOLERANCE * largest,
                "{}: {worst} of {largest}",
                file.display()
            );
            count += 1;
        }
    }
    assert_eq!(count, 30);
}

#[test]
fn graphs_of_all_exporters_give_the_outputs_of_onnxruntime() {
    let Some(folder) = folder() else { return };
    for name in ["dense", "stacked", "binary", "binary-untrained"] {
        let recorded =
            std::fs::read(folder.join(format!("{name}.npz"))).expect("the outputs are there");
        let arrays = npz::read(&recorded).expect("they are arrays");
        let array = |name: &str| {
            arrays
                .iter()
                .find(|(one, _)| one == name)
                .map(|(_, tensor)| tensor)
        };
        let expected = array("expected").expect("there are outputs").to_floats();
        let largest = expected
            .iter()
            .fold(0.0, |largest: f32, value| largest.max(value.abs()));
        // The dynamo exporter and `torch.export` keep the names of inputs; that of TorchScript keeps their order.
        let named = graph(&folder.join(format!("{name}.pt2")));
        let inputs = named.inputs.iter().map(|&id| {
            array(&named.values[id].name)
                .expect("there is an input")
                .clone()
        });
        let inputs: Vec<Tensor> = inputs.collect();
        for file in ["%.pt2", "%-dynamo.onnx", "%-script.onnx"]
            .map(|file| folder.join(file.replace('%', name)))
        {
            if !file.exists() {
                continue;
            }
            let found = outputs(&graph(&file), &inputs);
            assert_eq!(found.len(), expected.len());
            let worst = found
                .iter()
                .zip(&expected)
                .fold(0.0, |worst: f32, (a, b)| worst.max((a - b).abs()));
            assert!(
                worst <= TOLERANCE * largest,
                "{}: {worst} of {largest}",
                file.display()
            );
        }
    }
}
