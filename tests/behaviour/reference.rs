//! One check for any network: every bucket of many positions, on every level, against the interpreter.

use nnue::dynamic;
use nnue::spec::{HeadKind, NetDesc, RawOutput, TensorRef, reference};
use nnue::{Architecture, Evaluation, Level, Network, Output, Parameters, Trace, Wdl};
use shakmaty::Chess;

use crate::support::{Weights, network, positions, reference_board};

/// Compares a network with random weights of both kinds.
pub(crate) fn agrees_with_the_reference<A: Architecture>() {
    for weights in [Weights::Tame, Weights::Wild] {
        compare(
            network::<A>(11, weights),
            &positions(16),
            &format!("{} {weights:?}", A::SPEC.name),
        );
    }
}

/// Compares `network` with the interpreter.
pub(crate) fn compare<A: Architecture>(mut network: Network<A>, positions: &[Chess], what: &str) {
    let expected = expect(&A::SPEC, &network.params().tensors(), positions, what);
    for level in Level::available() {
        network = network.with_level(level);
        assert_equal(
            &A::SPEC,
            &|position| Said::new(&network, position),
            (positions, &expected),
            &format!("{what}, {level}"),
        );
    }
}

/// What the interpreter says, and the network without compiled code too. Not generic: it is compiled once for all networks.
fn expect(
    spec: &'static NetDesc<'static>,
    tensors: &[TensorRef<'_>],
    positions: &[Chess],
    what: &str,
) -> Vec<reference::Trace> {
    let boards = positions.iter().map(reference_board);
    let expected: Vec<_> = boards
        .map(|board| reference::evaluate(spec, tensors, &board))
        .collect();
    assert_alive(&expected, what);
    let described = dynamic::Network::from_tensors(spec, tensors);
    let mut described = described.unwrap_or_else(|reason| panic!("{what}: {reason}"));
    assert_eq!(described.tensors(), tensors, "{what}");
    for level in Level::available() {
        described = described.with_level(level);
        assert_described(
            &described,
            positions,
            &expected,
            &format!("{what}, not compiled, {level}"),
        );
    }
    expected
}

/// The same network without compiled code: all stacks, the outputs with names, and the output with all its bits.
fn assert_described(
    network: &dynamic::Network,
    positions: &[Chess],
    expected: &[reference::Trace],
    what: &str,
) {
    let (mut stack, mut table) = (dynamic::Stack::new(), dynamic::Table::new());
    for (position, expected) in positions.iter().zip(expected) {
        let trace = network.trace(position);
        assert_eq!(
            trace.bucket, expected.bucket,
            "bucket: {what}: {position:?}"
        );
        let positional: Vec<i32> = trace
            .buckets
            .iter()
            .map(|bucket| bucket.positional)
            .collect();
        assert_eq!(
            positional, expected.positional,
            "positional: {what}: {position:?}"
        );
        let psqt: Vec<i32> = trace
            .buckets
            .iter()
            .map(|bucket| bucket.psqt)
            .take(expected.psqt.len())
            .collect();
        assert_eq!(psqt, expected.psqt, "psqt: {what}: {position:?}");
        stack.reset();
        let (evaluation, heads) = network.evaluate_with(position, &mut stack);
        assert_eq!(
            evaluation,
            trace.evaluation(),
            "refreshed through the cache: {what}: {position:?}"
        );
        assert_eq!(
            network.evaluate_at(position, &mut table),
            evaluation,
            "from another board: {what}: {position:?}"
        );
        assert_eq!(
            evaluation.value, expected.value,
            "value: {what}: {position:?}"
        );
        let layers = &expected.stacks[expected.bucket];
        assert_eq!(
            network.output(position, &mut stack),
            layers.output(network.spec()),
            "output: {what}: {position:?}"
        );
        for (index, (name, numbers)) in heads.into_iter().enumerate() {
            let reference = match network.spec().heads[index].kind {
                HeadKind::Rows => continue,
                HeadKind::Wdl => wdl(&layers.head(network.spec(), index)),
                HeadKind::Numbers => layers.head(network.spec(), index),
            };
            assert_eq!(
                bits(&numbers),
                bits(&reference),
                "{name}: {what}: {position:?}"
            );
        }
    }
}

/// Probabilities of three outputs.
fn wdl(numbers: &[f32]) -> Vec<f32> {
    Wdl::new([numbers[0], numbers[1], numbers[2]])
        .probabilities()
        .to_vec()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// Checks that outputs differ between positions; otherwise a comparison would prove nothing.
fn assert_alive(expected: &[reference::Trace], what: &str) {
    let mut values: Vec<i32> = expected
        .iter()
        .map(|trace| trace.used_positional())
        .collect();
    values.sort_unstable();
    values.dedup();
    assert!(
        2 * values.len() > expected.len(),
        "{what}: only {} different outputs",
        values.len()
    );
}

/// What a compiled network says about a position.
struct Said {
    trace: Trace,
    fresh: Evaluation,
    layers: reference::StackTrace,
    output: RawOutput,
}

impl Said {
    fn new<A: Architecture>(network: &Network<A>, position: &Chess) -> Self {
        let accumulators = network.accumulate(position);
        Self {
            trace: network.trace(position),
            fresh: network.evaluate_fresh(position),
            layers: network.intermediate(&accumulators, &[]),
            output: network.output_of(&accumulators).raw(),
        }
    }
}

fn assert_equal(
    spec: &NetDesc<'_>,
    network: &dyn Fn(&Chess) -> Said,
    (positions, expected): (&[Chess], &[reference::Trace]),
    what: &str,
) {
    for (position, expected) in positions.iter().zip(expected) {
        let Said {
            trace,
            fresh,
            layers,
            output,
        } = network(position);
        assert_eq!(
            trace.bucket, expected.bucket,
            "bucket: {what}: {position:?}"
        );
        let positional: Vec<i32> = trace
            .buckets
            .iter()
            .map(|bucket| bucket.positional)
            .collect();
        assert_eq!(
            positional, expected.positional,
            "positional: {what}: {position:?}"
        );
        let psqt: Vec<i32> = trace
            .buckets
            .iter()
            .map(|bucket| bucket.psqt)
            .take(expected.psqt.len())
            .collect();
        assert_eq!(psqt, expected.psqt, "psqt: {what}: {position:?}");
        assert_eq!(
            trace.evaluation().value,
            expected.value,
            "value: {what}: {position:?}"
        );
        assert_eq!(fresh, trace.evaluation(), "{what}: {position:?}");
        assert_eq!(
            layers, expected.stacks[expected.bucket],
            "intermediate values: {what}: {position:?}"
        );
        assert_eq!(layers.output(spec), output, "output: {what}: {position:?}");
    }
}
