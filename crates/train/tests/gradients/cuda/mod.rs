//! GPU kernels, run by a C++ compiler instead of a GPU, give the gradient of the CPU.

mod compiled;
mod emulator;
#[cfg(feature = "cuda")]
mod gpu;
mod steps;

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::num::NonZeroUsize;
use std::path::Path;

use nnue_spec::HeadKind;
use nnue_spec::graph::{Graph, Op};
use nnue_spec::plan::plan;
use nnue_train::batch::Batch;
use nnue_train::cuda::{Device, Machine, Program};
use nnue_train::factors::Factors;
use nnue_train::gradient::Gradient;
use nnue_train::loss::{Blend, Error, Loss, Objective};
use nnue_train::network::{Network, Parameters};
use nnue_train::quantized;

use crate::batches::{batch, loss};
use crate::declared::{all, graphs, random};
use crate::{others, rows};
use emulator::Compiled;

/// Features of a program: the kinds of its kernels, and its forms of values and perspectives.
fn parts(graph: &Graph, program: &Program) -> BTreeSet<String> {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let kind = |name: &str| {
        name.split('_')
            .filter(|word| !is_number(word))
            .collect::<Vec<_>>()
            .join("_")
    };
    let head = format!("{:?}", graph.value);
    let head = head.split(' ').next().unwrap_or_default().to_owned();
    let accumulator = graph.accumulator;
    let shape = format!(
        "{} {} {}",
        accumulator.separate,
        accumulator.perspectives,
        graph.features.len().min(2)
    );
    let several =
        |node: &nnue_spec::graph::Node| node.layer().is_some_and(|layer| layer.operands.len() > 1);
    let several = graph
        .nodes
        .iter()
        .any(several)
        .then(|| "several runs".to_owned());
    let heads = graph.heads.iter().map(|head| format!("{:?}", head.kind));
    program
        .names()
        .map(kind)
        .chain([head, shape])
        .chain(several)
        .chain(heads)
        .collect()
}

#[derive(Clone)]
pub(super) struct Case {
    graph: Graph,
    network: Network<f32>,
    program: Program,
    /// whether the network rounds its values, and so needs rounded parameters
    is_rounding: bool,
}

/// A few networks whose programs cover all features of all programs of the repository.
fn networks() -> Vec<Case> {
    let more = [
        "tests/behaviour/binary.rs",
        "tests/behaviour/block_sparse.rs",
        "tests/behaviour/shards.rs",
    ]
    .into_iter()
    .flat_map(graphs);
    let all = all().chain(more).chain(others::networks_of_batches());
    let cases = all.flat_map(|graph| [case(&graph, false), case(&graph, true)]);
    let mut left: Vec<(BTreeSet<String>, Case)> = cases.collect();
    let mut networks = Vec::new();
    while let Some(most) = (0..left.len()).max_by_key(|&index| left[index].0.len()) {
        let (known, network) = left.swap_remove(most);
        left.iter_mut()
            .for_each(|(parts, _)| parts.retain(|part| !known.contains(part)));
        left.retain(|(parts, _)| !parts.is_empty());
        networks.push(network);
    }
    let has = |what: fn(&Graph) -> bool| networks.iter().any(|case: &Case| what(&case.graph));
    assert!(has(|graph| graph
        .nodes
        .iter()
        .any(|node| matches!(node.op, Op::Pool { .. }))));
    assert!(has(|graph| graph.layers().any(|(_, layer)| layer.binary)));
    assert!(
        has(|graph| graph.accumulator.psqt_floats > 1)
            && networks.iter().any(|case| case.is_rounding)
    );
    assert!(
        has(|graph| graph.heads.iter().any(|head| head.kind == HeadKind::Rows))
            && networks.len() > 5
    );
    // their kernels are the same, but their rows are any
    let listed = rows::graphs().into_iter().take(2);
    networks.extend(listed.map(|graph| case(&graph, false).1));
    networks
}

/// A network and the features of its program.
fn case(graph: &Graph, is_rounding: bool) -> (BTreeSet<String>, Case) {
    let network = if is_rounding {
        Network::<f32>::rounding(graph)
    } else {
        Network::new(graph)
    };
    let network = network.expect("all activations are known");
    let program = Program::new(&network).unwrap_or_else(|error| panic!("{}: {error}", graph.name));
    (
        parts(graph, &program),
        Case {
            graph: graph.clone(),
            network,
            program,
            is_rounding,
        },
    )
}

/// The programs, compiled with the optimisation option `level`; `None` without a compiler.
fn compiled(name: &str, level: &str, programs: &[Program]) -> Option<Compiled> {
    let Some(compiler) = emulator::compiler() else {
        assert!(
            std::env::var_os("CI").is_none(),
            "there is no C++ compiler, which runs the kernels for GPUs in the tests"
        );
        println!("not run: there is no C++ compiler (`c++`, or what CXX names)");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    Some(emulator::compile(&compiler, &folder, level, programs))
}

/// The greatest error relative to the greatest number of a tensor, and the index of that tensor.
fn farthest(found: &Parameters<f32>, expected: &Parameters<f32>) -> (f32, usize) {
    let tensors = found.tensors.iter().zip(&expected.tensors).enumerate();
    let far = tensors.map(|(index, (found, expected))| {
        let greatest = expected
            .iter()
            .fold(0.0_f32, |most, number| most.max(number.abs()))
            .max(1e-20);
        let off = found
            .iter()
            .zip(expected)
            .fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
        (off / greatest, index)
    });
    far.fold((0.0, 0), |most, of| {
        if of.0 > most.0 || of.0.is_nan() {
            of
        } else {
            most
        }
    })
}

/// More positions than threads of a block, and no multiple of these.
const POSITIONS: usize = 300;

/// A batch of `size` positions, and an objective in which all outputs count.
fn everything(
    graph: &Graph,
    network: &Network<f64>,
    loss: Loss,
    size: usize,
) -> (Batch, Objective) {
    if rows::is_listed(graph) {
        return (rows::batch(graph, size), loss.into());
    }
    if graph.heads.is_empty() {
        return (batch(graph, size), loss.into());
    }
    let plan = plan(graph);
    let tables = plan.tables();
    (
        others::batch(&tables.descriptor(), network, size),
        Objective {
            loss,
            ..others::everything(network)
        },
    )
}

/// Compares loss and gradient of some batches with those of the CPU.
fn compare<M: Machine<Error: Debug>>(case: &Case, mut device: Device<M>) {
    let Case {
        graph,
        network,
        is_rounding,
        ..
    } = case;
    let double = Network::<f64>::new(graph).expect("all activations are known");
    let mut parameters = random(graph, &double, 3).convert::<f32>();
    device.upload(&parameters, &[]).expect("the machine works");
    if *is_rounding {
        let (plan, given) = (plan(graph), parameters.clone());
        let tables = plan.tables();
        device
            .round(quantized::steps(&tables.descriptor()))
            .expect("the machine works");
        quantized::fake_quantize(&tables.descriptor(), &given, &mut parameters);
    }
    let (mut gradient, mut found) = (Gradient::new(network, NonZeroUsize::MIN), network.zeros());
    let squared = Loss {
        blend: Blend::Losses,
        ..loss(Error::SQUARED)
    };
    let power = loss(Error::Power {
        exponent: 2.5,
        asymmetry: 0.2,
    });
    // The second batch is longer than the first, the third shorter.
    for (loss, size) in [
        (squared, 5),
        (power, POSITIONS),
        (loss(Error::CrossEntropy), 131),
    ] {
        let (batch, objective) = everything(graph, &double, loss, size);
        let expected = gradient.compute(network, &parameters, &batch, &objective);
        let mean = device
            .compute(&batch, &objective)
            .expect("the machine works");
        assert!(
            (mean - expected).abs() < 1e-4 * expected,
            "{}: {mean}, not {expected}",
            graph.name
        );
        device.gradient(&mut found).expect("the machine works");
        let (far, tensor) = farthest(&found, gradient.parameters());
        let name = &graph.tensors[tensor].name;
        assert!(
            far < 1e-4,
            "{}: {name} is off by {far} of its greatest number",
            graph.name
        );
    }
}

#[test]
fn gradients_of_kernels_are_those_of_the_cpu() {
    let networks = networks();
    let programs: Vec<Program> = networks.iter().map(|case| case.program.clone()).collect();
    // -O0, since compiling takes longer than running.
    let Some(compiled) = compiled("gradients", "-O0", &programs) else {
        return;
    };
    for (index, case) in networks.iter().enumerate() {
        let factors = Factors::none(&case.graph);
        let device = Device::new(
            compiled.start(index),
            case.program.clone(),
            &case.network,
            &factors,
        );
        compare(case, device.expect("there is memory"));
    }
}
