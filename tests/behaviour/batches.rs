//! Batches: each value is that of the position alone, whatever the others are.

use nnue::{Architecture, Batch, Color, Evaluation, Network, PieceKind, Position};
use nnue_testkit::games::vector_games;
use nnue_testkit::random::Random;
use shakmaty::{Chess, Position as _};

use crate::feature_sets::on_every_feature_set;
use crate::support::positions;

/// Unrelated positions and whole games, in no order, some of them several times.
fn mixed() -> Vec<Chess> {
    let games = vector_games().into_iter().take(4);
    let mut all: Vec<Chess> = positions(2)
        .into_iter()
        .chain(games.flat_map(|game| game.positions()))
        .collect();
    all.extend_from_within(..40);
    let mut random = Random::new(8);
    (1..all.len()).for_each(|at| all.swap(at, random.below(at + 1)));
    all
}

fn alone<A: Architecture, P: Position>(network: &Network<A>, positions: &[P]) -> Vec<Evaluation> {
    positions
        .iter()
        .map(|position| network.evaluate_fresh(position))
        .collect()
}

/// Batches of all sizes in the same memory.
fn of_all_sizes<A: Architecture>(network: &Network<A>) {
    let positions = mixed();
    let expected = alone(network, &positions);
    assert!(positions.len() > 512, "{} positions", positions.len());
    let mut batch = Batch::new();
    for size in [positions.len(), 0, 1, 2, 257, 256, 31] {
        let mut values = vec![Evaluation::default(); size];
        network.evaluate_batch(&positions[..size], &mut values, &mut batch);
        assert_eq!(
            values,
            expected[..size],
            "{}, {}, {size} positions",
            A::SPEC.name,
            network.level()
        );
    }
}

#[test]
fn values_are_those_of_the_positions_alone() {
    on_every_feature_set!(of_all_sizes);
}

/// As many threads as memories, also more than positions.
#[cfg(not(target_family = "wasm"))]
fn on_threads<A: Architecture>(network: &Network<A>) {
    let positions = mixed();
    let expected = alone(network, &positions);
    for threads in [1, 2, 3] {
        let mut batches: Vec<Batch<A>> = (0..threads).map(|_| Batch::new()).collect();
        for size in [positions.len(), 0, 2] {
            let mut values = vec![Evaluation::default(); size];
            network.evaluate_on_threads(&positions[..size], &mut values, &mut batches);
            assert_eq!(
                values,
                expected[..size],
                "{}, {threads} threads, {size} positions",
                A::SPEC.name
            );
        }
    }
}

#[test]
#[cfg(not(target_family = "wasm"))]
fn values_do_not_depend_on_threads() {
    on_every_feature_set!(on_threads);
}

/// A board without rules: any pieces on any squares, kings missing or several.
struct Anything([[u64; 6]; 2], Color);

impl Position for Anything {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.0[color.index()][kind.index()]
    }

    fn side_to_move(&self) -> Color {
        self.1
    }
}

/// All children of a position, which have nearly all pieces in common: with moves of kings, captures, promotions; and with other positions among them.
fn of_children<A: Architecture>(network: &Network<A>) {
    let mut batch = Batch::new();
    for parent in positions(1).iter().step_by(7) {
        let play = |m| {
            let mut child = parent.clone();
            child.play_unchecked(m);
            child
        };
        let mut all: Vec<Chess> = parent.legal_moves().into_iter().map(play).collect();
        for other in positions(2).into_iter().step_by(61) {
            let mut values = vec![Evaluation::default(); all.len()];
            network.evaluate_batch(&all, &mut values, &mut batch);
            assert_eq!(
                values,
                alone(network, &all),
                "{}, {}, {parent:?}",
                A::SPEC.name,
                network.level()
            );
            all.insert(all.len() / 2, other);
        }
    }
}

#[test]
fn children_have_the_values_that_they_have_alone() {
    on_every_feature_set!(of_children);
}

/// Empty boards, full ones, and what is between; and of each, boards that differ from it by a square.
fn of_impossible_positions<A: Architecture>(network: &Network<A>) {
    let mut random = Random::new(4);
    let mut board = |fullness: usize| {
        let mut pieces = [[0; 6]; 2];
        for square in 0..64 {
            if random.below(16) < fullness {
                pieces[random.below(2)][random.below(6)] |= 1 << square;
            }
        }
        Anything(
            pieces,
            if random.below(2) == 0 {
                Color::White
            } else {
                Color::Black
            },
        )
    };
    let far: Vec<Anything> = (0..85).map(|number| board(number % 17)).collect();
    let near = far.iter().step_by(5).map(|Anything(pieces, to_move)| {
        let put = |at: usize| {
            let mut pieces = *pieces;
            pieces[at % 2][at % 6] ^= 1 << (at * 11 % 64);
            Anything(pieces, *to_move)
        };
        (0..20).map(put).collect()
    });
    let near: Vec<Vec<Anything>> = near.collect();
    for positions in std::iter::once(far).chain(near) {
        let mut values = vec![Evaluation::default(); positions.len()];
        network.evaluate_batch(&positions, &mut values, &mut Batch::new());
        assert_eq!(
            values,
            alone(network, &positions),
            "{}, {}",
            A::SPEC.name,
            network.level()
        );
    }
}

#[test]
fn impossible_positions_have_the_values_that_they_have_alone() {
    on_every_feature_set!(of_impossible_positions);
}
