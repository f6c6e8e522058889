//! The trainer's quantised network is bit-identical to the one that programs load.

use nnue_format::{Header, Tensors, to_bytes};
use nnue_spec::ValueDesc;
use nnue_spec::plan::plan;
use nnue_spec::reference::evaluate;
use nnue_train::network::Network;
use nnue_train::optimizer::Limits;
use nnue_train::quantized::{Quantized, fake_quantize};

use crate::declared::{Rows, all, boards, random};

#[test]
fn values_are_those_of_the_reference_for_the_file() {
    for mut graph in all() {
        // They belong to other weights.
        graph.goldens.clear();
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = &tables.descriptor();
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let mut parameters = random(&graph, &network, 3).convert();
        Limits::of(&graph).apply(&mut parameters);
        let quantized = Quantized::new(net, &parameters)
            .unwrap_or_else(|error| panic!("{}: {error}", graph.name));
        let file = to_bytes(net, &Header::new(net, ""), &quantized.tensors().refs())
            .expect("it can be written");
        let (_, loaded) =
            Tensors::read(net, &file[..]).unwrap_or_else(|error| panic!("{}: {error}", graph.name));
        for board in boards() {
            let found = quantized.evaluate(Rows::of(net, &board).position());
            let expected = evaluate(net, &loaded.refs(), &board);
            let for_first = net
                .value
                .join(expected.used_psqt(), expected.used_positional());
            assert_eq!(found.value, for_first, "{}", graph.name);
            assert_eq!(
                found.accumulators[0], expected.accumulators[0],
                "{}",
                graph.name
            );
            assert_eq!(
                found.layers, expected.stacks[expected.bucket],
                "{}",
                graph.name
            );
        }
    }
}

#[test]
fn rounded_parameters_are_those_of_the_quantised_network() {
    for graph in all() {
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = &tables.descriptor();
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let mut parameters = random(&graph, &network, 4).convert();
        Limits::of(&graph).apply(&mut parameters);
        let mut rounded = parameters.clone();
        fake_quantize(net, &parameters, &mut rounded);
        let [first, second] = [&parameters, &rounded].map(|parameters| {
            Quantized::new(net, parameters)
                .unwrap_or_else(|error| panic!("{}: {error}", graph.name))
        });
        assert!(first.tensors() == second.tensors(), "{}", graph.name);
    }
}

/// Only the output is not rounded: it differs by less than the rounding errors of its terms.
#[test]
fn values_of_the_rounding_network_are_those_of_inference() {
    for graph in all() {
        let plan = plan(&graph);
        let tables = plan.tables();
        let net = &tables.descriptor();
        let [plain, rounding] =
            [Network::<f32>::new(&graph), Network::rounding(&graph)].map(Result::unwrap);
        let mut parameters = random(&graph, &Network::new(&graph).unwrap(), 5).convert();
        Limits::of(&graph).apply(&mut parameters);
        let quantized = Quantized::new(net, &parameters)
            .unwrap_or_else(|error| panic!("{}: {error}", graph.name));
        let mut rounded = parameters.clone();
        fake_quantize(net, &parameters, &mut rounded);
        let allowed = match net.value {
            ValueDesc::Together { .. } | ValueDesc::Separately { .. } => 2.0,
            ValueDesc::Scaled { .. } => 1.0,
            _ => 0.0,
        };
        let mut drift = 0.0;
        for board in boards() {
            let rows = Rows::of(net, &board);
            let exact = quantized.evaluate(rows.position()).outputs;
            let of = |network: &Network<f32>| {
                network
                    .forward(&rounded, rows.position(), &mut network.workspace())
                    .map(f64::from)
            };
            for (found, exact) in of(&rounding).into_iter().zip(exact) {
                assert!(
                    (found - exact).abs() <= allowed + 1e-3 * exact.abs(),
                    "{}: {found} {exact}",
                    graph.name
                );
            }
            drift += (of(&plain)[0] - exact[0]).abs();
        }
        println!("{:<24} drift without rounding {drift:.3}", graph.name);
    }
}
