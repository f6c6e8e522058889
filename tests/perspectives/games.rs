//! Accumulators along games, by networks that differ in their perspectives only.

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, AccumulatorTable, Architecture, Batch, Change, Evaluation, Network};
use nnue_testkit::games::{position, random_game};
use nnue_testkit::random::Random;
use shakmaty::{Chess, Position};

/// Along moves and null moves, whatever was computed before; and the positions of a game as a batch.
pub(crate) fn follows_games<A: Architecture>(network: &Network<A>) {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut random = Random::new(6);
    let (mut stack, mut table) = (AccumulatorStack::new(), AccumulatorTable::new());
    for _ in 0..3 {
        let game = random_game(&mut random, &start, 100);
        let positions = game.positions();
        let mut values = vec![Evaluation::default(); positions.len()];
        network.evaluate_batch(&positions, &mut values, &mut Batch::new());
        assert!(
            positions
                .iter()
                .map(|position| network.evaluate_fresh(position))
                .eq(values),
            "{}",
            A::SPEC.name
        );
        let mut now = game.start.clone();
        stack.reset();
        for &m in &game.moves {
            stack.push(change_of(&now, &m));
            now.play_unchecked(m);
            assert_eq!(
                network.evaluate_at(&now, &mut table),
                network.evaluate_fresh(&now),
                "{}",
                A::SPEC.name
            );
            if random.below(3) == 0 {
                assert_eq!(
                    network.evaluate(&now, &mut stack),
                    network.evaluate_fresh(&now),
                    "{}",
                    A::SPEC.name
                );
                assert_eq!(stack.verify(network, &now), Ok(()), "{}", A::SPEC.name);
            }
            if random.below(6) == 0 {
                assert_children(network, &now, &mut stack);
            }
            if let Ok(passed) = now.clone().swap_turn() {
                stack.push_null();
                assert_eq!(
                    network.evaluate(&passed, &mut stack),
                    network.evaluate_fresh(&passed),
                    "{}",
                    A::SPEC.name
                );
                stack.pop();
            }
        }
    }
}

/// All children at once are what each is from scratch.
fn assert_children<A: Architecture>(
    network: &Network<A>,
    position: &Chess,
    stack: &mut AccumulatorStack<A>,
) {
    let moves = position.legal_moves();
    let changes: Vec<Change> = moves.iter().map(|m| change_of(position, m)).collect();
    let mut evaluations = Vec::new();
    network.evaluate_children(position, &changes, stack, &mut evaluations);
    for (&m, evaluation) in moves.iter().zip(evaluations) {
        let child = position.clone().play(m).expect("a legal move");
        assert_eq!(
            evaluation,
            network.evaluate_fresh(&child),
            "{} {m:?}",
            A::SPEC.name
        );
    }
}
