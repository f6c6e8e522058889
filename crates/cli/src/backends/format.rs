//! Formats the numbers of answers.

use nnue_backend::{Answer, Attributes};

pub(super) const NOTHING: &str = "-";

/// The draw probability, if the backend has it.
pub(super) fn draws(answer: &Answer<&[f32]>, attributes: &Attributes) -> String {
    if attributes.has_wdl {
        format!("{:.4}", answer.d)
    } else {
        NOTHING.into()
    }
}

/// Moves left, in plies, if the backend has it.
pub(super) fn left(answer: &Answer<&[f32]>, attributes: &Attributes) -> String {
    if attributes.has_moves_left {
        format!("{:.1}", answer.m)
    } else {
        NOTHING.into()
    }
}

/// The value in the units of the network, if there is one.
pub(super) fn score(answer: &Answer<&[f32]>) -> String {
    answer
        .score
        .map_or(NOTHING.into(), |score| score.to_string())
}

/// The moves of a policy with their indices, the most probable first.
pub(super) fn by_probability(policy: &[f32]) -> Vec<(usize, f32)> {
    let mut moves: Vec<(usize, f32)> = policy.iter().copied().enumerate().collect();
    moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    moves
}
