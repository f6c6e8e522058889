//! The forward pass equals that of the reference in floating point.

use nnue_spec::NetDesc;
use nnue_spec::plan::plan;
use nnue_spec::reference::{Board, evaluate_real};
use nnue_tools::quantize::factors;
use nnue_train::network::{Head, Network, Tensor};

use crate::declared::{Rows, all, boards, random};

/// Converts a value from the first perspective to the side to move.
fn of_side_to_move(net: &NetDesc<'_>, head: Head, board: &Board, value: f64) -> f64 {
    match head {
        _ if net.accumulator.order.begins_with_black(board.black_to_move)
            == board.black_to_move =>
        {
            value
        }
        Head::Value { .. } => -value,
        Head::Sigmoid { scale } | Head::Wdl { scale } => scale - value,
    }
}

#[test]
fn values_are_those_of_the_reference() {
    for graph in all() {
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = tables.descriptor();
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let parameters = random(&graph, &network, 7);
        let single = Network::<f32>::new(&graph).expect("all activations are known");
        let singles = parameters.convert();
        let times = |(numbers, factor): (&Tensor<f64>, f64)| {
            numbers.iter().map(|number| number * factor).collect()
        };
        let scaled: Vec<Vec<f64>> = parameters
            .tensors
            .iter()
            .zip(factors(&net))
            .map(times)
            .collect();
        let mut different = std::collections::HashSet::new();
        for board in boards() {
            let rows = Rows::of(&net, &board);
            let outputs = network.forward(&parameters, rows.position(), &mut network.workspace());
            let value =
                of_side_to_move(&net, network.head(), &board, network.head().value(outputs));
            let expected = evaluate_real(&net, &scaled, &board);
            let size = expected.abs().max(10.0);
            assert!(
                (value - expected).abs() < 1e-9 * size,
                "{}: {value}, not {expected}",
                graph.name
            );
            let outputs = single.forward(&singles, rows.position(), &mut single.workspace());
            let rounded =
                of_side_to_move(&net, network.head(), &board, single.head().value(outputs));
            assert!(
                (rounded - expected).abs() < 2e-3 * size,
                "{}: {rounded}, not {expected}",
                graph.name
            );
            different.insert(expected.to_bits());
        }
        assert!(
            different.len() == boards().len(),
            "{}: all positions have one value",
            graph.name
        );
    }
}
