//! Outputs with names of their own, against the interpreter, on every level; asked for alone and together.

use nnue::spec::reference;
use nnue::{
    AccumulatorStack, Architecture, Batch, Heads, Level, NamedOutputs, Network, Parameters, Policy,
    nnue,
};

use crate::reference::compare;
use crate::support::{Weights, network, positions, reference_board};

nnue! {
    /// whole numbers: heads of one layer, of two, of an activation, of a part
    pub struct Whole {
        acc = accumulate(HalfKAv2_hm[..], 64) x 2, psqt 4;
        output moves_left = crelu(affine(a1, 1)) * 100;
        let x = pairwise(acc);
        stacks 4 {
            let h1 = affine(x, 24: i8 @ 128);
            let a1 = crelu(h1);
            let h2 = affine(concat(a1, sqr_crelu(h1)), 20);
            output value = affine(crelu(h2), 1) + h1[23] * 9600 / 8128;
            output wdl = wdl(affine(crelu(h2), 3: i8 @ 32));
            output parts = h2[3..8] * 3 / 7;
            let h3 = affine(x, 16);
            output shared = affine(crelu(h3), 1);
            output doubled = affine(concat(sqr_crelu(h3), a1), 2);
        }
    }

    /// floats: every kind of head, one of the layer in front of them
    pub struct Real {
        acc = accumulate(Chess768[..], 64 @ 255) x 2;
        let h1 = affine(pairwise(acc), 16);
        let h2 = affine(screlu(h1), 12: f32);
        output value = affine(hard_swish(h2), 3: f32);
        value wdl * 1000;
        output moves_left = relu(affine(relu(h2), 1: f32 sums 4)) * 50;
        output certainty = sigmoid(affine(tanh(h2), 1: f32));
        output row = affine(silu(h1), 1: f32 sums 16);
        output raw = h1[5..8] / 3;
        output wdl = wdl(relu(h2[2..5]));
        floats fused;
        format raw;
    }
}

nnue! {
    /// a policy beside value and result; its rows read a part of the products of the accumulators
    pub struct Mixed {
        acc = accumulate(Chess768[..], 160 @ 255) x 2;
        let x = pairwise(acc);
        let h1 = affine(x, 16);
        stacks 2 {
            let h2 = affine(screlu(h1), 8: f32);
            output value = affine(screlu(h2), 1: f32);
            output policy = rows(x[8..150], 75: i8 @ 32);
            output wdl = wdl(affine(screlu(h2), 3: f32));
        }
    }

    /// nothing but a policy, whose rows read a layer
    pub struct Rows {
        acc = accumulate(HalfKAv2_hm[..], 64) x 2;
        let h1 = affine(crelu(acc), 80);
        output policy = rows(sqr_crelu(h1), 1880);
        format raw
    }
}

nnue! {
    /// all sums are biases: 4064 is 1
    pub struct Told {
        acc = accumulate(Chess768[..], 64) x 2;
        let x = crelu(affine(crelu(acc), 16));
        output value = affine(x, 1);
        output wdl = wdl(affine(x, 3: i8 @ 32));
        output left = affine(x, 1: i8 @ 32);
        output policy = rows(x, 8: i8 @ 32);
        format raw;
        golden "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" = 0;
        golden "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" wdl = [0.09, 0.2447, 0.665_241];
        golden "4k3/8/8/8/8/8/8/3QK3 b - - 0 1" left = -2.50;
        golden "4k3/8/8/8/8/8/8/3QK3 w - - 0 1" policy[7, 0, 3] = [7, 0, 3.00];
    }
}

#[test]
fn golden_numbers_of_outputs_are_compared() {
    let bytes = |wdl: [i32; 3], left: i32, row: i32| {
        let mut params = ToldParams::zeroed();
        params.fc2.bias[0] = wdl.map(|one| one * 4064);
        params.fc3.bias[0] = [left];
        params.fc4.bias[0] = std::array::from_fn(|k| row * k as i32);
        Network::<Told>::from_params(params)
            .to_bytes()
            .expect("a file")
    };
    Network::<Told>::from_bytes(&bytes([0, 1, 2], -10_160, 4064)).expect("the golden numbers");
    let wrong = [
        (
            bytes([0, 1, 3], -10_160, 4064),
            [
                "has `wdl` = [0.0420",
                "of a loss, a draw and a win",
                "declared is [0.09, ",
            ],
        ),
        (
            bytes([0, 1, 2], -10_000, 4064),
            ["has `left` = [-2.46", "in `Told`", "declared is [-2.50]"],
        ),
        (
            bytes([0, 1, 2], -10_160, 4100),
            [
                "has `policy[7, 0, 3]` = [7.06",
                ", 0, 3.02",
                "declared is [7, 0, 3.00]",
            ],
        ),
    ];
    for (bytes, expected) in wrong {
        let error = Network::<Told>::from_bytes(&bytes)
            .expect_err("another network")
            .to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    }
}

/// The numbers of all outputs.
trait Numbers {
    fn numbers(&self) -> Vec<Vec<f32>>;
}

impl Numbers for WholeOutputs {
    fn numbers(&self) -> Vec<Vec<f32>> {
        let Self {
            moves_left,
            wdl,
            parts,
            shared,
            doubled,
        } = *self;
        vec![
            vec![moves_left],
            wdl.logits().into(),
            parts.into(),
            vec![shared],
            doubled.into(),
        ]
    }
}

impl Numbers for RealOutputs {
    fn numbers(&self) -> Vec<Vec<f32>> {
        let Self {
            moves_left,
            certainty,
            row,
            raw,
            wdl,
        } = *self;
        vec![
            vec![moves_left],
            vec![certainty],
            vec![row],
            raw.into(),
            wdl.logits().into(),
        ]
    }
}

/// Compares all outputs, and the value beside them.
fn outputs_agree<A: Architecture + NamedOutputs>()
where
    A::Outputs: Numbers + Heads<A>,
{
    let positions = positions(16);
    compare(network::<A>(11, Weights::Tame), &positions, A::SPEC.name);
    for weights in [Weights::Tame, Weights::Wild] {
        let mut network = network::<A>(12, weights);
        let tensors = network.params().tensors();
        let traces: Vec<_> = positions
            .iter()
            .map(|p| reference::evaluate(&A::SPEC, &tensors, &reference_board(p)))
            .collect();
        let bits = |numbers: Vec<f32>| numbers.into_iter().map(f32::to_bits).collect::<Vec<_>>();
        for level in Level::available() {
            network = network.with_level(level);
            for (position, trace) in positions.iter().zip(&traces) {
                let (evaluation, all): (_, A::Outputs) =
                    network.forward_with(&network.accumulate(position));
                assert_eq!(
                    evaluation,
                    network.evaluate_fresh(position),
                    "{level}: {position:?}"
                );
                for (index, numbers) in all.numbers().into_iter().enumerate() {
                    let expected = trace.stacks[trace.bucket].head(&A::SPEC, index);
                    let what = A::SPEC.heads[index].name;
                    assert_eq!(
                        bits(numbers),
                        bits(expected),
                        "{what}, {weights:?}, {level}: {position:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn whole_outputs_agree() {
    outputs_agree::<Whole>();
}

#[test]
fn outputs_of_floats_agree() {
    outputs_agree::<Real>();
}

#[test]
fn a_caller_gets_the_outputs_that_he_asks_for() {
    let network: Network<Whole> = network(13, Weights::Tame);
    let mut stack = AccumulatorStack::new();
    for position in positions(8) {
        stack.reset();
        let (evaluation, all): (_, WholeOutputs) = network.evaluate_with(&position, &mut stack);
        assert_eq!(evaluation, network.evaluate(&position, &mut stack));
        let (same, WholeWdl(wdl)) = network.evaluate_with(&position, &mut stack);
        assert_eq!((same, wdl), (evaluation, all.wdl));
        let (_, (WholeDoubled(doubled), WholeMovesLeft(left))) =
            network.evaluate_with(&position, &mut stack);
        assert_eq!((doubled, left), (all.doubled, all.moves_left));
    }
    assert_eq!(<(WholeWdl, WholeMovesLeft) as Heads<Whole>>::WANTED, 0b110);
}

/// Compares rows on demand with all rows of the interpreter, listed once, twice, backwards, and in numbers that are no whole groups.
pub(crate) fn rows_agree<A: Architecture + Policy>() {
    let positions = positions(6);
    for weights in [Weights::Tame, Weights::Wild] {
        let mut network = network::<A>(14, weights);
        let tensors = network.params().tensors();
        let logits = |position| {
            let trace = reference::evaluate(&A::SPEC, &tensors, &reference_board(position));
            trace.stacks[trace.bucket].head(&A::SPEC, 0)
        };
        let expected: Vec<Vec<f32>> = positions.iter().map(logits).collect();
        let lists = [0, 1, 2, 3, 4, 5, 11, 30]
            .map(|len| (0..len).map(|at: usize| (at * 37 + 5) % A::ROWS).collect());
        let lists: Vec<Vec<usize>> = lists
            .into_iter()
            .chain([(0..A::ROWS).rev().collect(), vec![7; 6]])
            .collect();
        for level in Level::available() {
            network = network.with_level(level);
            for (position, expected) in positions.iter().zip(&expected) {
                for rows in &lists {
                    let mut logits = vec![f32::NAN; rows.len()];
                    let (evaluation, ()) =
                        network.policy_of(&network.accumulate(position), rows, &mut logits);
                    assert_eq!(evaluation, network.evaluate_fresh(position));
                    let listed: Vec<f32> = rows.iter().map(|&row| expected[row]).collect();
                    assert_eq!(
                        logits,
                        listed,
                        "{}, {weights:?}, {level}: {position:?}",
                        A::SPEC.name
                    );
                }
            }
        }
    }
}

#[test]
fn rows_on_demand_are_those_of_all() {
    rows_agree::<Mixed>();
    rows_agree::<Rows>();
}

#[test]
fn a_policy_comes_with_the_outputs_that_are_asked_for() {
    let (network, mut stack): (Network<Mixed>, _) =
        (network(15, Weights::Tame), AccumulatorStack::new());
    for position in positions(4) {
        stack.reset();
        let mut logits = [0.0; 3];
        let (evaluation, MixedWdl(wdl)) =
            network.policy(&position, &[74, 0, 74], &mut stack, &mut logits);
        assert_eq!(logits[0], logits[2]);
        assert_eq!(
            (evaluation, MixedWdl(wdl)),
            network.evaluate_with(&position, &mut stack)
        );
        assert_eq!(evaluation, network.evaluate(&position, &mut stack));
    }
}

/// Compares batches with positions one by one, and all rows with listed ones, in every bit.
pub(crate) fn batches_agree<
    A: Architecture + Policy,
    H: Heads<A> + Copy + PartialEq + std::fmt::Debug,
>() {
    let positions = positions(300);
    let rows = |at: usize| {
        (0..at * 7 % 34)
            .map(move |k| (at * 91 + k * 37) % A::ROWS)
            .collect()
    };
    let rows: Vec<Vec<usize>> = (0..positions.len()).map(rows).collect();
    let mut network = network::<A>(17, Weights::Tame);
    let (mut batch, mut outputs, mut same, mut logits) =
        (Batch::new(), Vec::new(), Vec::new(), Vec::new());
    for level in Level::available() {
        network = network.with_level(level);
        network.policy_batch(&positions, &rows, &mut outputs, &mut logits, &mut batch);
        network.evaluate_batch_with(&positions, &mut same, &mut batch);
        assert_eq!(outputs, same, "{level}");
        assert_eq!(
            (outputs.len(), logits.len()),
            (positions.len(), rows.iter().map(Vec::len).sum())
        );
        let mut rest = logits.as_slice();
        for ((position, rows), together) in positions.iter().zip(&rows).zip(&outputs) {
            let (own, others) = rest.split_at(rows.len());
            rest = others;
            let mut alone = vec![f32::NAN; rows.len()];
            let evaluated: (_, H) =
                network.policy_of(&network.accumulate(position), rows, &mut alone);
            assert_eq!(
                (&evaluated, own),
                (together, alone.as_slice()),
                "{level}: {position:?}"
            );
            let mut all = vec![f32::NAN; A::ROWS];
            assert_eq!(
                network.all_rows::<H, _>(position, &mut AccumulatorStack::new(), &mut all),
                evaluated
            );
            assert_eq!(
                rows.iter().map(|&row| all[row]).collect::<Vec<_>>(),
                alone,
                "{level}: {position:?}"
            );
        }
    }
}

#[test]
fn batches_are_positions_one_by_one() {
    batches_agree::<Mixed, MixedWdl>();
    batches_agree::<Rows, ()>();
}

#[test]
#[should_panic(expected = "each row has a logit")]
fn all_rows_need_as_many_logits() {
    let network: Network<Rows> = network(16, Weights::Tame);
    let (_, ()) = network.all_rows(
        &positions(1)[0],
        &mut AccumulatorStack::new(),
        &mut [0.0; 1879],
    );
}

#[test]
#[should_panic(expected = "index out of bounds")]
fn a_row_that_does_not_exist_is_no_number() {
    let network: Network<Rows> = network(16, Weights::Tame);
    let (_, ()) = network.policy_of(&network.accumulate(&positions(1)[0]), &[1880], &mut [0.0]);
}
