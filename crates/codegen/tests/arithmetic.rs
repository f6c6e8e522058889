//! Random networks with arithmetic: the described executor on every level equals the reference interpreter, no value leaves the range that
//! was proved, and a descriptor's text declares the same network.

use nnue_codegen::plan_text;
use nnue_runtime::Level;
use nnue_runtime::dynamic::{Network, Stack};
use nnue_spec::NetDesc;
use nnue_spec::reference::{Board, Trace, evaluate};
use nnue_testkit::arithmetic::{floats, integers};
use nnue_testkit::games::{position, suite_fens};
use nnue_tools::declaration::{Defaults, declaration};
use shakmaty::{Chess, Position};

const NETWORKS: u64 = 500;

fn board(position: &Chess) -> Board {
    let pieces = nnue_testkit::board::Board::from_position(position);
    Board::new(pieces.iter(), position.turn().is_black())
}

/// The described network of a text, with random weights, whose descriptor's text declares the same network.
fn network(text: &str, seed: u64) -> Network {
    let net = described(text);
    let written = declaration(net, Defaults::Omitted);
    let again = described(&written);
    let parts = |net: &'static NetDesc<'static>| (net.maps, net.steps, net.layers, net.tensors);
    assert_eq!(parts(net), parts(again), "{text}\n{written}");
    Network::random(net, seed).expect("no code of a program")
}

fn described(text: &str) -> &'static NetDesc<'static> {
    let plans = plan_text(text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    plans.into_iter().next().expect("a network").leak()
}

/// The reference interpreter's evaluation, whose integers are in their proved ranges.
fn within_ranges(network: &Network, board: &Board, text: &str) -> Trace {
    let net = network.spec();
    let trace = evaluate(net, &network.tensors(), board);
    for (buffer, values) in trace.stacks[0].integers.iter().enumerate() {
        let (least, greatest) = net.range_of(buffer);
        let is_outside = |value: &&i32| !(least..=greatest).contains(*value);
        let outside = values.iter().find(is_outside);
        assert_eq!(outside, None, "not in {least}..={greatest}: {text}");
    }
    trace
}

/// The outputs of a network on every level are those of the reference interpreter.
fn assert_agrees(mut network: Network, position: &Chess, text: &str) {
    let net = network.spec();
    let expected = within_ranges(&network, &board(position), text);
    let stack = &expected.stacks[0];
    for level in Level::available() {
        network = network.with_level(level);
        let found = network.output(position, &mut Stack::new());
        // The text of a float has all of its bits; NaNs are equal.
        let [found, expected] = [found, stack.output(net)].map(|output| format!("{output:?}"));
        assert_eq!(found, expected, "{level}: {text}");
    }
}

/// Compares [`NETWORKS`] random networks; returns the number of their expressions.
fn agree(declare: impl Fn(u64) -> String) -> usize {
    let fens = suite_fens();
    let mut maps = 0;
    for seed in 0..NETWORKS {
        let text = declare(seed);
        for at in 0..2 {
            let network = network(&text, seed);
            maps += network.spec().maps.len();
            let fen = &fens[(7 * seed as usize + at) % fens.len()];
            assert_agrees(network, &position(fen), &text);
        }
    }
    maps
}

#[test]
fn random_networks_of_integers_agree_on_every_level() {
    let maps = agree(integers);
    assert!(maps > 2000, "only {maps} expressions");
}

#[test]
fn random_networks_of_floats_agree_on_every_level() {
    let maps = agree(floats);
    assert!(maps > 2000, "only {maps} expressions");
}

#[test]
#[ignore = "takes minutes"]
fn a_million_inputs_leave_no_proved_range() {
    let positions: Vec<Board> = suite_fens()
        .iter()
        .map(|fen| board(&position(fen)))
        .collect();
    let mut inputs = 0;
    for seed in 0..1_000_000 / positions.len() as u64 + 1 {
        let text = integers(NETWORKS + seed);
        let network = Network::random(described(&text), seed).expect("no code of a program");
        for board in &positions {
            within_ranges(&network, board, &text);
            inputs += 1;
        }
    }
    assert!(inputs >= 1_000_000, "only {inputs} inputs");
}

/// Layers and expressions of a network over `acc`.
fn counts(clauses: &str) -> (usize, usize) {
    let text =
        format!("struct N {{ acc = accumulate(Chess768[..], 32) x 2; {clauses} format raw }}");
    let plans = plan_text(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
    (plans[0].layers.len(), plans[0].maps.len())
}

#[test]
fn sums_that_are_read_as_they_are_belong_to_one_layer() {
    assert_eq!(
        counts("output affine(affine(crelu(acc), 16), 1: i32);"),
        (2, 1)
    );
}

#[test]
fn the_greater_of_integers_needs_no_number() {
    let clauses = "
        let a = affine(crelu(acc), 16) >> 6;
        let b = affine(crelu(acc), 16) >> 7;
        output affine(concat(max(a, b), max(a[..4], b[4..8])), 1: i32);
    ";
    assert_eq!(counts(clauses), (3, 4));
}
