//! Numbers of answers as text.

use nnue_backend::{Answer, Attributes};

/// What is written where there is no number.
pub(super) const NOTHING: &str = "-";

/// The share of draws, if the backend has it.
pub(super) fn draws(answer: &Answer<&[f32]>, attributes: &Attributes) -> String {
    if attributes.has_wdl {
        format!("{:.4}", answer.d)
    } else {
        NOTHING.into()
    }
}

/// The plies that are left, if the backend has them.
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

/// The moves of a policy with their places, the most probable first.
pub(super) fn by_probability(policy: &[f32]) -> Vec<(usize, f32)> {
    let mut moves: Vec<(usize, f32)> = policy.iter().copied().enumerate().collect();
    moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    moves
}
