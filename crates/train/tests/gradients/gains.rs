//! Calibration of every declared network: gains do not change its function as long as nothing clips, and bias
//! correction removes the mean error of its sums.

use nnue_format::Tensors;
use nnue_spec::plan::plan;
use nnue_spec::reference::{Board, Clipping, Position, accumulators, evaluate_layers, trace_real};
use nnue_spec::{ElementType, NetDesc, TensorRole};
use nnue_testkit::random::Random;
use nnue_tools::calibrate::{Fixed, Floats, Gains, correct_biases, sites};
use nnue_tools::quantize::{Arranged, Recipe, Rounding, factors};
use nnue_train::network::{Network, Tensor};
use nnue_train::quantized;

use crate::declared::{all, boards, random};

#[test]
fn gains_change_no_value_where_nothing_is_clipped() {
    let mut random_gains = Random::new(3);
    let (mut free, mut fixed) = (0, Vec::new());
    for graph in all() {
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = tables.descriptor();
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let parameters = random(&graph, &network, 7);
        let times = |(numbers, factor): (&Tensor<f64>, f64)| {
            numbers.iter().map(|number| number * factor).collect()
        };
        let scaled: Vec<Vec<f64>> = parameters
            .tensors
            .iter()
            .zip(factors(&net))
            .map(times)
            .collect();
        let sites = sites(&net);
        let gain = |is_free: bool| {
            if is_free {
                0.25 + random_gains.below(1000) as f64 / 250.0
            } else {
                1.0
            }
        };
        let gains = Gains(
            sites
                .iter()
                .map(|site| site.fixed.is_none())
                .map(gain)
                .collect(),
        );
        free += sites.iter().filter(|site| site.fixed.is_none()).count();
        fixed.extend(sites.iter().filter_map(|site| site.fixed));
        let with_gains = |(weights, gains): (&Vec<f64>, Vec<f64>)| -> Vec<f64> {
            let gain = |index: usize| {
                if gains.is_empty() {
                    1.0
                } else {
                    gains[index % gains.len()]
                }
            };
            weights
                .iter()
                .enumerate()
                .map(|(index, weight)| weight * gain(index))
                .collect()
        };
        let changed: Vec<Vec<f64>> = scaled
            .iter()
            .zip(gains.columns(&net, &sites))
            .map(with_gains)
            .collect();
        for board in boards() {
            let expected = trace_real(&net, &scaled, &board, Clipping::Nothing).value;
            let found = trace_real(&net, &changed, &board, Clipping::Nothing).value;
            let size = expected.abs().max(1.0);
            assert!(
                (found - expected).abs() < 1e-9 * size,
                "{}: {found}, not {expected}",
                graph.name
            );
        }
    }
    assert!(free > 60, "{free} sites have a gain");
    for reason in [Fixed::Curve, Fixed::Output, Fixed::Pool] {
        assert!(fixed.contains(&reason), "{reason:?}");
    }
}

/// The mean error of each sum of `layer` over the positions of stack 0, if there are at least 16.
fn errors(
    net: &NetDesc<'_>,
    tensors: &Tensors,
    scaled: &[Vec<f64>],
    boards: &[Board],
    layer: usize,
) -> Vec<f64> {
    let boards: Vec<&Board> = boards
        .iter()
        .filter(|board| net.stacks.select(board.pieces.len()) == 0)
        .collect();
    if boards.len() < 16 {
        return Vec::new();
    }
    let mut errors = vec![0.0; net.layers[layer].outputs];
    for board in &boards {
        let exact = trace_real(net, scaled, board, Clipping::Declared).sums;
        let accumulators = accumulators(net, &tensors.refs(), board);
        let found = evaluate_layers(
            net,
            &tensors.refs(),
            accumulators.each_ref().map(Vec::as_slice),
            0,
            &[],
        )
        .sums;
        for (error, (exact, &found)) in errors
            .iter_mut()
            .zip(exact[layer].iter().zip(&found[layer]))
        {
            *error += (exact - f64::from(found)) / boards.len() as f64;
        }
    }
    errors
}

#[test]
fn corrected_biases_leave_no_mean_error() {
    let (mut corrected, mut before, mut after) = (0, 0.0_f64, 0.0_f64);
    let boards: Vec<Board> = (0..16).flat_map(|_| boards()).collect();
    let positions: Vec<&dyn Position> = boards.iter().map(|board| board as _).collect();
    for graph in all() {
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = tables.descriptor();
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let parameters = random(&graph, &network, 7).convert();
        let names = net
            .tensors
            .iter()
            .map(|desc| Some(desc.name.to_owned()))
            .collect();
        let recipe = Recipe {
            names,
            rounding: Rounding::Truncate,
            saturate: true,
            ..Recipe::new(&net)
        };
        let floats = Arranged::new(&net, quantized::floats(&net, &parameters), &recipe)
            .expect("they are its tensors");
        let (mut tensors, _) = floats
            .round(&net, &recipe)
            .expect("what does not fit is clamped");
        let uncorrected = tensors.clone();
        let sites = sites(&net);
        let of = Floats {
            net: &net,
            scaled: &floats.scaled,
            clipping: Clipping::Declared,
            positions: &positions,
        };
        correct_biases(of, &sites, &Gains::none(&sites), &mut tensors);
        for desc in net
            .tensors
            .iter()
            .filter(|desc| desc.element == ElementType::I32)
        {
            let TensorRole::LayerBias(layer) = desc.role else {
                continue;
            };
            let found = errors(&net, &tensors, &floats.scaled, &boards, layer);
            assert!(
                found.iter().all(|error| error.abs() <= 0.5 + 1e-6),
                "{} {}: {found:?}",
                graph.name,
                desc.name
            );
            corrected += found.len();
            after += found.iter().map(|error| error.abs()).sum::<f64>();
            let found = errors(&net, &uncorrected, &floats.scaled, &boards, layer);
            before += found.iter().map(|error| error.abs()).sum::<f64>();
        }
    }
    assert!(
        corrected > 100 && after < 0.05 * before,
        "{corrected} sums: {before} before, {after} after"
    );
}
