//! Checks for every network of a game, on random games: it agrees with the reference interpreter on every level, and incremental values
//! are those from scratch.

use std::fmt::Debug;

use nnue::game::{Architecture, Inputs, check_change};
use nnue::spec::{TensorMut, reference};
use nnue::{AccumulatorStack, Batch, Color, Evaluation, Level, Model, Network, Output, Parameters};
use nnue_testkit::random::Random;
use nnue_tools::bounds::prove;

/// The board of a network's game.
pub(crate) type BoardOf<A> = <<A as Architecture>::Inputs as Inputs>::Position;
/// The changes of a network's game.
pub(crate) type ChangeOf<A> = <<A as Architecture>::Inputs as Inputs>::Change;

/// The parts of a game that tests need besides its features.
pub(crate) trait Game:
    Architecture<Inputs: Inputs<Position: Clone + Sized, Change: Copy>>
    + Model<Output: PartialEq + Debug>
{
    fn start() -> BoardOf<Self>;
    /// Every move: its change, and the board after it.
    fn successors(board: &BoardOf<Self>) -> Vec<(ChangeOf<Self>, BoardOf<Self>)>;
    /// The board after the side to move has passed, if it may pass.
    fn passed(board: &BoardOf<Self>) -> Option<BoardOf<Self>>;
    /// The active rows, implemented independently of the feature set.
    fn rows(board: &BoardOf<Self>, side: Color) -> Vec<usize>;
    /// The stack, implemented independently of the network's function.
    fn expected_stack(board: &BoardOf<Self>) -> usize;
}

/// A network whose weights are like those of trained ones, or all values of the types.
pub(crate) fn network<A: Model>(seed: u64, wild: bool) -> Network<A> {
    let mut params = A::Params::zeroed();
    let mut random = Random::new(seed);
    let mut next = |tame: i32, bits: u32| {
        let any = random.next() as i32 >> (32 - bits);
        if wild {
            any
        } else {
            any.rem_euclid(2 * tame + 1) - tame
        }
    };
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(50, 8) as i8),
            TensorMut::I16(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(40, 16) as i16),
            TensorMut::I32(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(6000, 17)),
            TensorMut::F32(weights) => weights
                .iter_mut()
                .for_each(|weight| *weight = next(300, 12) as f32 / 97.0),
        }
    }
    Network::from_params(params)
}

/// The positions and changes of a random game.
fn game<A: Game>(seed: u64, plies: usize) -> (Vec<BoardOf<A>>, Vec<ChangeOf<A>>) {
    let mut random = Random::new(seed);
    let (mut boards, mut changes) = (vec![A::start()], Vec::new());
    while changes.len() < plies {
        let mut moves = A::successors(&boards[changes.len()]);
        if moves.is_empty() {
            break;
        }
        let (change, board) = moves.swap_remove(random.below(moves.len()));
        boards.push(board);
        changes.push(change);
    }
    (boards, changes)
}

/// Rows obey their law and are those of the formula.
pub(crate) fn rows_are_right<A: Game>() {
    for seed in 0..3 {
        let (boards, changes) = game::<A>(seed, 150);
        assert!(changes.len() > 20, "a game of {} plies", changes.len());
        for (pair, change) in boards.windows(2).zip(&changes) {
            check_change::<A::Inputs>(&pair[0], change, &pair[1]);
        }
        for (board, side) in boards
            .iter()
            .flat_map(|board| Color::ALL.map(|side| (board, side)))
        {
            let mut active = nnue::game::Rows::new::<A::Inputs>();
            A::Inputs::active(board, side, A::Inputs::view(board, side), &mut active);
            let mut active: Vec<usize> =
                active.as_slice().iter().map(|&row| row as usize).collect();
            let mut expected = A::rows(board, side);
            active.sort_unstable();
            expected.sort_unstable();
            assert_eq!(active, expected);
            assert!(active.len() <= A::SPEC.features[0].set.max_active());
        }
    }
}

/// Every stack of many positions, on every level, agrees with the interpreter.
pub(crate) fn agrees_with_the_reference<A: Game>() {
    let (boards, _) = game::<A>(5, 60);
    for wild in [false, true] {
        let mut network = network::<A>(11, wild);
        let tensors = network.params().tensors();
        let expected = boards.iter().step_by(5).map(|board| {
            let us = A::Inputs::side_to_move(board);
            let rows = [us, us.other()].map(|side| A::rows(board, side));
            reference::evaluate_rows(&A::SPEC, &tensors, rows, A::expected_stack(board))
        });
        let expected: Vec<_> = expected.collect();
        let values: std::collections::BTreeSet<_> =
            expected.iter().map(|trace| &trace.positional).collect();
        assert!(
            2 * values.len() > expected.len(),
            "of {} outputs only {} differ (wild: {wild})",
            expected.len(),
            values.len()
        );
        for level in Level::available() {
            network = network.with_level(level);
            for (board, expected) in boards.iter().step_by(5).zip(&expected) {
                let trace = network.trace(board);
                let positional: Vec<i32> = trace
                    .buckets
                    .iter()
                    .map(|bucket| bucket.positional)
                    .collect();
                assert_eq!(
                    (trace.bucket, &positional),
                    (expected.bucket, &expected.positional),
                    "{level}"
                );
                assert_eq!(trace.evaluation().value, expected.value, "{level}");
                let accumulators = network.accumulate(board);
                let values = expected.accumulators.each_ref().map(Vec::as_slice);
                assert_eq!(accumulators.values(), values, "{level}");
                let layers = network.intermediate(&accumulators, &[]);
                assert_eq!(layers, expected.stacks[expected.bucket], "{level}");
                assert_eq!(
                    layers.output(&A::SPEC),
                    network.output_of(&accumulators).raw(),
                    "{level}"
                );
            }
        }
    }
}

/// Along games, in trees, over null moves and in batches: the result is the one from scratch, bit for bit.
pub(crate) fn incremental_equals_refreshed<A: Game>() {
    for level in Level::available() {
        let network = network::<A>(3, true).with_level(level);
        let mut random = Random::new(9);
        let mut stack = AccumulatorStack::new();
        let mut batch = Batch::new();
        for seed in 0..4 {
            let (boards, changes) = game::<A>(seed, 80);
            let mut values = vec![Evaluation::default(); boards.len()];
            network.evaluate_batch(&boards, &mut values, &mut batch);
            assert!(
                boards
                    .iter()
                    .map(|board| network.evaluate_fresh(board))
                    .eq(values),
                "{level}"
            );
            if seed % 2 == 0 {
                stack.reset()
            } else {
                stack.clear()
            }
            check(&network, &boards[0], &mut stack);
            for (board, change) in boards[1..].iter().zip(&changes) {
                stack.push(*change);
                // Sometimes nothing is evaluated for a while, sometimes a whole tree.
                match random.below(4) {
                    0 => {}
                    1 => tree(&network, board, &mut stack, 2, &mut random),
                    2 => {
                        let mut copy = stack.clone();
                        tree(&network, board, &mut copy, 2, &mut random);
                        check(&network, board, &mut stack);
                    }
                    _ => check(&network, board, &mut stack),
                }
            }
            let back = random.below(boards.len());
            stack.truncate(back);
            check(&network, &boards[back], &mut stack);
        }
    }
}

fn check<A: Game>(network: &Network<A>, board: &BoardOf<A>, stack: &mut AccumulatorStack<A>) {
    assert_eq!(
        network.evaluate(board, stack),
        network.evaluate_fresh(board),
        "{}",
        network.level()
    );
    assert_eq!(
        network.output(board, stack),
        network.output_of(&network.accumulate(board)),
        "{}",
        network.level()
    );
    assert_eq!(stack.verify(network, board), Ok(()), "{}", network.level());
}

/// A few moves deep, and a null move; inner positions are evaluated or not.
fn tree<A: Game>(
    network: &Network<A>,
    board: &BoardOf<A>,
    stack: &mut AccumulatorStack<A>,
    depth: u32,
    random: &mut Random,
) {
    if depth == 0 || random.below(3) == 0 {
        check(network, board, stack);
    }
    if depth == 0 {
        return;
    }
    if let Some(passed) = A::passed(board) {
        stack.push_null();
        tree(network, &passed, stack, depth - 1, random);
        stack.pop();
    }
    let moves = A::successors(board);
    for _ in 0..moves.len().min(4) {
        let (change, child) = &moves[random.below(moves.len())];
        stack.push(*change);
        tree(network, child, stack, depth - 1, random);
        stack.pop();
    }
}

/// A file is read as it was written, and weights like those of trained networks are proved to fit.
pub(crate) fn files_round_trip<A: Game>() {
    let network = network::<A>(21, false);
    let mut file = Vec::new();
    network.write(&mut file).expect("memory takes everything");
    let read = Network::<A>::from_bytes(&file).expect("it was just written");
    let mut again = Vec::new();
    read.write(&mut again).expect("memory takes everything");
    assert_eq!(file, again);
    let board = A::start();
    assert_eq!(network.evaluate_fresh(&board), read.evaluate_fresh(&board));
    let bounds = prove(&A::SPEC, &network.params().tensors());
    assert!(bounds.accumulator.unproven.is_empty(), "{bounds}");
}
