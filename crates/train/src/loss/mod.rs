//! The loss of a position and its gradient.
//!
//! ```text
//!   score ──WinRate──► expected result ─┐ share
//!                                       ├──────► target p ─┐
//!   result of the game ─────────────────┘ 1 - share        ├─ Error ──► loss
//!   outputs ──Head, WinRate──────────► expected result q ──┘
//! ```
//!
//! With [`Loss::linear`], scores and values are compared as they are.
//!
//! Everything is from the first perspective. Losses are computed in `f64`: that costs little time, and
//! `1 - q` of a won position needs the precision.

mod error;
mod objective;
#[cfg(test)]
mod tests;
mod win_rate;

pub use error::Error;
pub use objective::{NamedLoss, Objective, Target, Wanted, of_policy};
pub use win_rate::{Expected, WinRate, resolve_mate};

use crate::network::{Head, Outputs, softmax};

/// Targets of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// its score, in the unit of [`Loss::score`]
    pub score: f64,
    /// the result of the game: 0, 0.5 or 1
    pub result: f64,
}

/// A loss.
///
/// ```
/// use nnue_train::loss::{Example, Loss};
/// use nnue_train::network::Head;
///
/// let loss = Loss::bullet(400.0);
/// let example = Example { score: 400.0, result: 1.0 };
/// let (loss, gradient) = loss.of(Head::Value { scale: 400.0 }, [0.0, 0.0, 0.0], example);
/// assert!((loss - 0.1873).abs() < 1e-4); // (0.5 - 0.9328)^2: a quarter of the target is sigmoid(1)
/// assert!(gradient[0] < 0.0); // a greater value would be better
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// from scores to expected results
    pub score: WinRate,
    /// from values to expected results, for a [`Head`] with a value
    pub output: WinRate,
    /// error function of the expected results
    pub error: Error,
    /// share of the score in the target; the rest is the result
    pub share: f64,
    /// what the share mixes
    pub blend: Blend,
    /// weight of a position
    pub weight: Weight,
}

/// How score and result are mixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blend {
    /// the target: `error(q, share * p + (1 - share) * result)`
    Targets,
    /// the losses: `share * error(q, p) + (1 - share) * error(q, result)`
    Losses,
}

/// The weight of a position in the mean loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// all positions equally
    Equal,
    /// `1 + (2^gain - 1) * ((p - 1/2)^2 * p * (1 - p))^exponent` for a score of expected result `p`: more
    /// weight between even and decided
    Contested {
        /// 0: all positions equally
        gain: f64,
        /// how sharply the weight falls
        exponent: f64,
    },
}

impl Loss {
    /// The loss of the examples of the trainer bullet: `(sigmoid(output) - target)^2`, with a target of 1/4
    /// score and 3/4 result. `scale`, mostly 400, is the value of an output of 1.0 and the unit of the
    /// scores.
    pub const fn bullet(scale: f64) -> Self {
        let sigmoid = WinRate::Sigmoid { scale };
        Self {
            score: sigmoid,
            output: sigmoid,
            error: Error::SQUARED,
            share: 0.25,
            blend: Blend::Targets,
            weight: Weight::Equal,
        }
    }

    /// The loss of nnue-pytorch: `|p - q|^2.5` of the score alone, with the WDL models of Stockfish.
    pub const fn nnue_pytorch() -> Self {
        Self {
            score: WinRate::Outcomes {
                offset: 270.0,
                scale: 380.0,
            },
            output: WinRate::Outcomes {
                offset: 270.0,
                scale: 340.0,
            },
            error: Error::Power {
                exponent: 2.5,
                asymmetry: 0.0,
            },
            share: 1.0,
            blend: Blend::Targets,
            weight: Weight::Equal,
        }
    }

    /// Plain regression: the squared error of `value / scale` and `score / scale`, without a curve.
    pub const fn linear(scale: f64) -> Self {
        let linear = WinRate::Linear { scale };
        Self {
            score: linear,
            output: linear,
            error: Error::SQUARED,
            share: 1.0,
            blend: Blend::Targets,
            weight: Weight::Equal,
        }
    }

    /// The loss of an example and its gradient with respect to the outputs.
    pub fn of(&self, head: Head, outputs: Outputs<f64>, example: Example) -> (f64, Outputs<f64>) {
        if let (Error::CrossEntropy, Head::Wdl { .. }) = (self.error, head) {
            return self.cross_entropy_of_outcomes(outputs, example);
        }
        let (expected, slopes) = self.expected(head, outputs);
        let score = self.score.expected(example.score).points;
        let (loss, slope) = match self.blend {
            Blend::Targets => self.error.of(
                expected,
                self.share * score + (1.0 - self.share) * example.result,
            ),
            Blend::Losses => {
                let [of_score, of_result] =
                    [score, example.result].map(|target| self.error.of(expected, target));
                let mix =
                    |score: f64, result: f64| self.share * score + (1.0 - self.share) * result;
                (mix(of_score.0, of_result.0), mix(of_score.1, of_result.1))
            }
        };
        (loss, slopes.map(|by_output| slope * by_output))
    }

    /// The weight of an example in the mean loss.
    pub fn weight_of(&self, example: Example) -> f64 {
        match self.weight {
            Weight::Equal => 1.0,
            Weight::Contested { gain, exponent } => {
                let p = self.score.expected(example.score).points;
                let contested = (p - 0.5).powi(2) * p * (1.0 - p);
                1.0 + (gain.exp2() - 1.0) * contested.powf(exponent)
            }
        }
    }

    /// The expected result with its slope, and the derivatives that the slope is multiplied by for each
    /// output. For WDL heads the slope is 1 and the derivatives are those of the expected result.
    fn expected(&self, head: Head, outputs: Outputs<f64>) -> (Expected, Outputs<f64>) {
        let of_curve = |curve: WinRate| (curve.expected(outputs[0]), [1.0, 0.0, 0.0]);
        match head {
            Head::Value { .. } => of_curve(self.output),
            Head::Sigmoid { .. } => of_curve(WinRate::Sigmoid { scale: 1.0 }),
            Head::Wdl { .. } => {
                let shares @ [loss, draw, win] = softmax(outputs);
                let points = win + draw / 2.0;
                let slope = |outcome: usize| shares[outcome] * (outcome as f64 / 2.0 - points);
                (
                    Expected {
                        points,
                        rest: loss + draw / 2.0,
                        slope: 1.0,
                    },
                    [slope(0), slope(1), slope(2)],
                )
            }
        }
    }

    /// `-sum of t * ln(share)` over loss, draw and win. It is linear in the target, so both blends are equal.
    fn cross_entropy_of_outcomes(
        &self,
        outputs: Outputs<f64>,
        example: Example,
    ) -> (f64, Outputs<f64>) {
        let (score, shares) = (self.score.outcomes(example.score), softmax(outputs));
        let target = [0, 1, 2].map(|outcome| {
            let happened = f64::from(example.result * 2.0 == outcome as f64);
            self.share * score[outcome] + (1.0 - self.share) * happened
        });
        let loss = (0..3)
            .map(|outcome| -target[outcome] * error::ln(shares[outcome]))
            .sum();
        (
            loss,
            [0, 1, 2].map(|outcome| shares[outcome] - target[outcome]),
        )
    }
}
