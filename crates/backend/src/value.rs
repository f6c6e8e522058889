//! Expected results from scores.

use nnue_spec::softmax;

/// The expected result of a score, -1 to 1: `2 / (1 + exp(-score / scale)) - 1`, bit-identical on every
/// processor. A score of `scale` means odds of `e` to 1.
///
/// ```
/// assert_eq!(nnue_backend::expected_score(0, 400.0), 0.0);
/// assert!((nnue_backend::expected_score(400, 400.0) - 0.462117).abs() < 1e-6);
/// ```
pub fn expected_score(score: i32, scale: f32) -> f32 {
    let mut chances = [score as f32 / scale, 0.0];
    softmax(&mut chances, 1.0);
    chances[0] - chances[1]
}
