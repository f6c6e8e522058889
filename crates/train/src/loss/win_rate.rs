//! Win rate models: expected results of scores and values.

/// A curve from a score or a value to the expected result, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WinRate {
    /// `s(x / scale)` with `s(x) = 1 / (1 + exp(-x))`
    Sigmoid {
        /// the score of an expected result of 73 %
        scale: f64,
    },
    /// A win has the probability `s((x - offset) / scale)`, a loss that of the opposite score, a draw the
    /// rest. The expected result is `(1 + s((x - offset) / scale) - s((-x - offset) / scale)) / 2`.
    Outcomes {
        /// the score with a win probability of 1/2
        offset: f64,
        /// width of the transition
        scale: f64,
    },
    /// `x / scale`: no probability, for regression. The error must not be the cross entropy, nor the weight
    /// [`Contested`](super::Weight::Contested).
    Linear {
        /// the score that counts 1
        scale: f64,
    },
}

/// An expected result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    /// the expected points, 0 to 1 except for [`WinRate::Linear`]
    pub points: f64,
    /// `1 - points`, without cancellation
    pub rest: f64,
    /// derivative of `points`
    pub slope: f64,
}

impl WinRate {
    /// The expected result at a score.
    pub fn expected(self, score: f64) -> Expected {
        match self {
            Self::Sigmoid { scale } => logistic(score / scale, scale),
            Self::Linear { scale } => Expected {
                points: score / scale,
                rest: 1.0 - score / scale,
                slope: 1.0 / scale,
            },
            Self::Outcomes { offset, scale } => {
                // 1 - s(-x) is s(x): the mean of the probabilities of a win and of no loss.
                let [win, held] =
                    [-offset, offset].map(|offset| logistic((score + offset) / scale, scale));
                let mean = |a: f64, b: f64| (a + b) / 2.0;
                Expected {
                    points: mean(win.points, held.points),
                    rest: mean(win.rest, held.rest),
                    slope: mean(win.slope, held.slope),
                }
            }
        }
    }

    /// The probabilities of loss, draw and win at a score; draws only with [`Self::Outcomes`].
    pub fn outcomes(self, score: f64) -> [f64; 3] {
        let (offset, scale) = match self {
            Self::Sigmoid { scale } => (0.0, scale),
            Self::Outcomes { offset, scale } => (offset, scale),
            Self::Linear { scale } => {
                let win = (score / scale).clamp(0.0, 1.0);
                return [1.0 - win, 0.0, win];
            }
        };
        let [loss, win] =
            [-score, score].map(|score| logistic((score - offset) / scale, scale).points);
        [loss, 1.0 - loss - win, win]
    }
}

/// `s(x)`, `s(-x)` and the derivative of `s(x / scale)` with respect to x.
fn logistic(x: f64, scale: f64) -> Expected {
    let [points, rest] = [x, -x].map(|x| 1.0 / (1.0 + (-x).exp()));
    Expected {
        points,
        rest,
        slope: points * rest / scale,
    }
}

/// Compresses Stockfish's mate scores: a mate in n plies, `32000 - n` for up to 245 plies, becomes
/// `4000 + 4000 * 0.85^n`. So the nearest mate is worth twice the farthest, and none is far from other
/// scores.
pub fn resolve_mate(score: f64) -> f64 {
    const MATE: f64 = 32_000.0;
    const FARTHEST: f64 = 245.0;
    let plies = MATE - score.abs();
    if plies > FARTHEST {
        score
    } else {
        (4000.0 + 4000.0 * 0.85_f64.powf(plies)).copysign(score)
    }
}
