//! Networks with a policy and other outputs.

use std::sync::Arc;

use nnue::{Evaluation, Network, softmax};
use nnue_backend::lc0::{Transform, index_of};
use nnue_backend::nnue::{Board, NnuePolicy, Outlook};
use nnue_backend::{Attributes, Backend, Batched, Chess, Sample, Wanted};
use nnue_data::{Move, Position};

use crate::value::positions;
use crate::{Tree, TreeMovesLeft, TreeWdl};

/// Moves by the numbers of lc0, results as the network says them.
struct AsTrained;

impl Outlook<Chess, Tree> for AsTrained {
    type Heads = (TreeWdl, TreeMovesLeft);

    fn attributes(&self) -> Attributes {
        Attributes {
            has_policy: true,
            has_score: true,
            has_wdl: true,
            has_moves_left: true,
            ..Attributes::VALUE
        }
    }

    fn answer(
        &self,
        _: &Evaluation,
        (TreeWdl(wdl), TreeMovesLeft(left)): &Self::Heads,
    ) -> [f32; 3] {
        let [loss, draw, win] = wdl.probabilities();
        [win - loss, draw, *left]
    }

    fn row(&self, position: &Position, mv: &Move) -> Option<usize> {
        index_of(position, *mv, Transform::NONE)
    }

    fn temperature(&self) -> f32 {
        1.5
    }
}

#[test]
fn all_outputs_are_those_of_the_network() {
    let network = Arc::new(Network::<Tree>::random(4));
    let positions = positions(9, 500);
    let moves: Vec<Vec<Move>> = positions
        .iter()
        .map(|position| position.legal_moves().expect("a position"))
        .collect();
    let samples: Vec<Sample<'_, Chess>> = positions
        .iter()
        .zip(&moves)
        .map(|(position, moves)| Sample {
            history: std::slice::from_ref(position),
            moves,
        })
        .collect();
    for threads in [1, 3] {
        let backend = Batched::new(
            "tree",
            NnuePolicy::new(Arc::clone(&network), threads, AsTrained),
        );
        let answers = backend.evaluate(&samples, Wanted::ALL).expect("answers");
        assert_eq!(answers.len(), positions.len());
        for ((position, moves), answer) in positions.iter().zip(&moves).zip(answers.iter()) {
            let rows: Vec<usize> = moves
                .iter()
                .map(|&mv| index_of(position, mv, Transform::NONE).expect("a number"))
                .collect();
            let (mut policy, mut stack) = (vec![0.0; rows.len()], nnue::AccumulatorStack::new());
            let (evaluation, (TreeWdl(wdl), TreeMovesLeft(left))) =
                network.policy(&Board(*position), &rows, &mut stack, &mut policy);
            softmax(&mut policy, 1.5);
            let [loss, draw, win] = wdl.probabilities();
            assert_eq!(answer.policy, policy);
            assert_eq!((answer.q, answer.d, answer.m), (win - loss, draw, left));
            assert_eq!(answer.score, Some(evaluation.value));
        }
        let values = backend.evaluate(&samples, Wanted::VALUE).expect("answers");
        assert!(
            values
                .iter()
                .zip(answers.iter())
                .all(|(value, all)| value.policy.is_empty() && value.q == all.q)
        );
    }
}
