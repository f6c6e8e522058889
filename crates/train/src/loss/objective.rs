//! The loss of all outputs: the weighted sum of the losses of value, named outputs and policy.
//!
//! | output | loss |
//! |---|---|
//! | value | a [`Loss`] |
//! | loss, draw and win | `-sum of t * ln(softmax)`, `t` of the score and of the result as in [`Loss`] |
//! | a number | `(number - target)^2` |
//! | policy | `-sum of t * ln(softmax of the listed logits)`, `t` the shares of the moves |
//!
//! Targets that a position lacks, such as moves, add nothing.

use nnue_spec::op::Real;

use super::{Example, Loss, error};
use crate::network::{Meaning, Named, Others, Outputs};

/// The training objective.
#[derive(Clone, Debug, PartialEq)]
pub struct Objective {
    /// the loss of the value; its score curve and share also define other targets, and its weights those of
    /// positions
    pub loss: Loss,
    /// weight of the value
    pub value: f64,
    /// losses of the named outputs, in the order of [`Meaning::named`]; missing ones have weight 0
    pub named: Vec<NamedLoss>,
    /// weight of the policy
    pub policy: f64,
}

/// The loss of a named output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedLoss {
    /// its weight
    pub weight: f64,
    /// its target
    pub target: Target,
}

/// The target of a named output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    /// loss, draw and win
    Outcomes,
    /// the expected result from 0 to 1, mixed from score and result as in [`Loss`]
    Expected,
    /// the score divided by `scale`
    Score {
        /// the score that an output of 1.0 represents
        scale: f64,
    },
    /// remaining moves of the game (half the plies) divided by `scale`
    MovesLeft {
        /// the number of moves that an output of 1.0 represents
        scale: f64,
    },
}

impl From<Loss> for Objective {
    /// The loss of the value alone, or of the policy in networks without a value, with weight 1.
    fn from(loss: Loss) -> Self {
        Self {
            loss,
            value: 1.0,
            named: Vec::new(),
            policy: 1.0,
        }
    }
}

/// The targets of an example.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// score and result
    pub example: Example,
    /// target shares of the listed policy rows; empty if unknown
    pub shares: &'a [f32],
    /// plies to the end of the game, if known
    pub left: Option<u32>,
}

impl Objective {
    /// The loss of a position, and `share` times its gradient with respect to the outputs; overwrites
    /// `others` with their gradient.
    pub fn of<T: Real>(
        &self,
        meaning: Meaning<'_>,
        (outputs, others): (Outputs<T>, &mut Others<T>),
        wanted: Wanted<'_>,
        share: f64,
    ) -> (f64, Outputs<T>) {
        let (mut sum, mut of_outputs) = (0.0, Outputs::default());
        if let Some(head) = meaning.value.filter(|_| self.value > 0.0) {
            let (loss, slopes) = self.loss.of(head, outputs.map(T::get), wanted.example);
            sum += self.value * loss;
            of_outputs = slopes.map(|slope| T::of(self.value * slope * share));
        }
        for (index, output) in meaning.named.iter().enumerate() {
            if let Some(numbers) = others.numbers.get_mut(output.numbers.clone()) {
                sum += self.of_named((index, output), numbers, wanted, share);
            }
        }
        sum += self.policy * of_policy(&mut others.logits, wanted.shares, self.policy * share);
        (sum, of_outputs)
    }

    /// The weighted loss of a named output. Overwrites `numbers` with `share` times the gradient.
    fn of_named<T: Real>(
        &self,
        (index, output): (usize, &Named),
        numbers: &mut [T],
        wanted: Wanted<'_>,
        share: f64,
    ) -> f64 {
        let known = |loss: &&NamedLoss| {
            wanted.left.is_some() || !matches!(loss.target, Target::MovesLeft { .. })
        };
        let Some(&NamedLoss { weight, target }) = self.named.get(index).filter(known) else {
            numbers.fill(T::ZERO);
            return 0.0;
        };
        let example = wanted.example;
        let (loss, slopes) = match *numbers {
            [loss, draw, win] if output.is_wdl => {
                let (loss, slopes) = self
                    .loss
                    .cross_entropy_of_outcomes([loss, draw, win].map(T::get), example);
                (loss, slopes.to_vec())
            }
            _ => {
                let target = self.target(target, wanted);
                let off = numbers.iter().map(|number| number.get() - target);
                (
                    off.clone().map(|off| off * off).sum(),
                    off.map(|off| 2.0 * off).collect(),
                )
            }
        };
        numbers
            .iter_mut()
            .zip(slopes)
            .for_each(|(number, slope)| *number = T::of(weight * share * slope));
        weight * loss
    }

    fn target(&self, target: Target, Wanted { example, left, .. }: Wanted<'_>) -> f64 {
        match target {
            Target::MovesLeft { scale } => f64::from(left.unwrap_or(0)) / 2.0 / scale,
            Target::Score { scale } => example.score / scale,
            Target::Expected | Target::Outcomes => {
                let score = self.loss.score.expected(example.score).points;
                self.loss.share * score + (1.0 - self.loss.share) * example.result
            }
        }
    }
}

/// The cross entropy of a policy. Overwrites the logits with `weight` times the gradient, or with zeros if
/// there are no shares.
pub fn of_policy<T: Real>(logits: &mut [T], shares: &[f32], weight: f64) -> f64 {
    if shares.is_empty() {
        logits.fill(T::ZERO);
        return 0.0;
    }
    let greatest = logits
        .iter()
        .fold(f64::NEG_INFINITY, |most, logit| most.max(logit.get()));
    let sum: f64 = logits
        .iter()
        .map(|logit| (logit.get() - greatest).exp())
        .sum();
    let all: f64 = shares.iter().map(|&share| f64::from(share)).sum();
    let (mut loss, ln_sum) = (0.0, error::ln(sum));
    for (logit, &share) in logits.iter_mut().zip(shares) {
        let (above, share) = (logit.get() - greatest, f64::from(share));
        loss += share * (ln_sum - above);
        *logit = T::of(weight * (all * above.exp() / sum - share));
    }
    loss
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_of_a_policy_is_a_finite_difference() {
        let (logits, shares) = ([0.3, -1.2, 2.0, 0.0], [0.5, 0.0, 0.25, 0.25]);
        let mut slopes = logits;
        let loss = of_policy(&mut slopes, &shares, 1.0);
        for index in 0..4 {
            let mut moved = logits;
            moved[index] += 1e-6;
            let quotient = (of_policy(&mut moved, &shares, 1.0) - loss) / 1e-6;
            assert!(
                (quotient - slopes[index]).abs() < 1e-5,
                "{quotient}, not {}",
                slopes[index]
            );
        }
        assert!(slopes.iter().sum::<f64>().abs() < 1e-12);
    }

    #[test]
    fn the_loss_of_a_certain_policy_is_that_of_its_move() {
        let mut logits = [0.0_f64, 0.0, 2.0_f64.ln(), -1e9];
        let loss = of_policy(&mut logits, &[0.0, 0.0, 1.0, 0.0], 3.0);
        assert!((loss - 2.0_f64.ln()).abs() < 1e-12);
        assert_eq!(
            logits.map(|slope| (slope * 1e9).round() / 1e9),
            [0.75, 0.75, -1.5, 0.0]
        );
        assert_eq!(of_policy(&mut logits, &[], 1.0), 0.0);
        assert_eq!(logits, [0.0; 4]);
    }
}
