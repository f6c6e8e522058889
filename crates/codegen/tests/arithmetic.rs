//! Random networks with arithmetic: the described executor on every level equals the reference interpreter, no value leaves the range that
//! was proved, and a descriptor's text declares the same network.

use nnue_codegen::plan_text;
use nnue_runtime::Level;
use nnue_runtime::dynamic::{Network, Stack};
use nnue_spec::reference::{Board, evaluate};
use nnue_testkit::arithmetic::declaration;
use nnue_testkit::games::{position, suite_fens};
use shakmaty::{Chess, Position};

const NETWORKS: u64 = 500;

fn board(position: &Chess) -> Board {
    let pieces = nnue_testkit::board::Board::from_position(position);
    Board::new(pieces.iter(), position.turn().is_black())
}

#[test]
fn random_networks_agree_on_every_level() {
    let fens = suite_fens();
    let mut maps = 0;
    for seed in 0..NETWORKS {
        let text = declaration(seed);
        let plans = plan_text(&text).unwrap_or_else(|errors| panic!("{}\n{text}", errors[0]));
        let plan = plans.into_iter().next().expect("a network");
        maps += plan.maps.len();
        let mut network = Network::random(plan.leak(), seed).expect("no code of a program");
        let net = network.spec();
        let positions: Vec<Chess> = (0..2)
            .map(|at| position(&fens[(7 * seed as usize + at) % fens.len()]))
            .collect();
        let expected: Vec<_> = positions
            .iter()
            .map(|position| evaluate(net, &network.tensors(), &board(position)))
            .collect();
        for trace in &expected {
            for (buffer, values) in trace.stacks[0].integers.iter().enumerate() {
                let (least, greatest) = net.range_of(buffer);
                let outside = values
                    .iter()
                    .find(|value| !(least..=greatest).contains(value));
                assert_eq!(outside, None, "not in {least}..={greatest}: {text}");
            }
        }
        for level in Level::available() {
            network = network.with_level(level);
            let mut stack = Stack::new();
            for (position, expected) in positions.iter().zip(&expected) {
                stack.reset();
                let found = network.evaluate(position, &mut stack);
                assert_eq!(
                    (found.positional, found.value),
                    (expected.used_positional(), expected.value),
                    "{level}, seed {seed}: {text}"
                );
            }
        }
    }
    assert!(maps > 1000, "only {maps} expressions");
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
