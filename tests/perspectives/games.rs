//! Accumulators along games, by networks that differ in their perspectives only.

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Network};
use nnue_testkit::games::{position, random_game};
use nnue_testkit::random::Random;
use shakmaty::Position;

/// Along moves and null moves, whatever was computed before.
pub(crate) fn follows_games<A: Architecture>(network: &Network<A>) {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let (mut random, mut stack) = (Random::new(6), AccumulatorStack::new());
    for _ in 0..3 {
        let game = random_game(&mut random, &start, 100);
        let mut now = game.start.clone();
        stack.reset();
        for &m in &game.moves {
            stack.push(change_of(&now, &m));
            now.play_unchecked(m);
            if random.below(3) == 0 {
                assert_eq!(network.evaluate(&now, &mut stack), network.evaluate_fresh(&now), "{}", A::SPEC.name);
                assert_eq!(stack.verify(network, &now), Ok(()), "{}", A::SPEC.name);
            }
            if let Ok(passed) = now.clone().swap_turn() {
                stack.push_null();
                assert_eq!(network.evaluate(&passed, &mut stack), network.evaluate_fresh(&passed), "{}", A::SPEC.name);
                stack.pop();
            }
        }
    }
}
