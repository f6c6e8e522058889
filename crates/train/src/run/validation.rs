//! Validation on held-out positions: in floating point and quantised.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

use crate::batch::Batch;
use crate::features::Encode;
use crate::loss::{Example, Objective, Wanted, of_policy};
use crate::network::{Network, Others, Parameters, Position};
use crate::quantized::Quantized;
use nnue_spec::NetDesc;
use nnue_tools::bounds;
use nnue_tools::order::{self, Activity};
use nnue_tools::quantize::QuantizeError;

use super::epochs::Failure;
use super::neurons::{Idle, Neurons};

/// Most positions for the search of a neuron order: more take longer and change little.
const SEARCHED: usize = 4096;

/// The held-out positions.
pub(crate) struct HeldOut {
    batch: Batch,
    threads: NonZeroUsize,
}

/// Validation metrics.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// mean loss of all outputs in floating point
    pub(crate) loss: f64,
    /// mean loss of all outputs of the quantised network
    pub(crate) integer_loss: f64,
    /// mean and greatest difference between the two values
    pub(crate) drift: [f64; 2],
    /// correlation of the quantised values with the scores
    pub(crate) correlation: f64,
    pub(crate) idle: Idle,
    /// what can overflow in some position; `None` if no overflow is possible
    pub(crate) overflow: Option<String>,
    /// metrics of the policy, over the positions with known moves
    pub(crate) policy: Option<PolicyVerdict>,
}

/// Metrics of a policy, in floating point and quantised.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PolicyVerdict {
    pub(crate) loss: [f64; 2],
    /// share of positions in which the move with the greatest logit has the most visits
    pub(crate) agreement: [f64; 2],
    /// positions with known moves
    positions: f64,
}

impl PolicyVerdict {
    fn add(&mut self, [real, quantized]: [&[f64]; 2], shares: &[f32]) {
        if shares.is_empty() {
            return;
        }
        self.positions += 1.0;
        for (index, logits) in [real, quantized].into_iter().enumerate() {
            let first = |numbers: &mut dyn Iterator<Item = f64>| {
                let all = numbers
                    .enumerate()
                    .reduce(|best, next| if next.1 > best.1 { next } else { best });
                all.map(|(place, _)| place)
            };
            let best = first(&mut logits.iter().copied());
            self.agreement[index] +=
                f64::from(best == first(&mut shares.iter().map(|&share| share.into())));
            self.loss[index] += of_policy(&mut logits.to_vec(), shares, 1.0);
        }
    }

    fn merge(self, other: Self) -> Self {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            loss: add(self.loss, other.loss),
            agreement: add(self.agreement, other.agreement),
            positions: self.positions + other.positions,
        }
    }

    fn mean(self) -> Option<Self> {
        let mean = |sums: [f64; 2]| sums.map(|sum| sum / self.positions);
        (self.positions > 0.0).then(|| Self {
            loss: mean(self.loss),
            agreement: mean(self.agreement),
            ..self
        })
    }
}

/// Running sums of the metrics.
struct Tally {
    weight: f64,
    loss: f64,
    integer_loss: f64,
    drift: f64,
    worst: f64,
    moments: Moments,
    neurons: Neurons,
    policy: PolicyVerdict,
}

/// Shared inputs of the threads.
struct Task<'t> {
    net: &'t NetDesc<'t>,
    network: &'t Network<f32>,
    parameters: &'t Parameters<f32>,
    quantized: &'t Quantized<'t>,
    objective: &'t Objective,
    held_out: &'t HeldOut,
}

impl HeldOut {
    /// Encodes up to `most` positions.
    pub(crate) fn read<F: Encode>(
        records: impl Iterator<Item = Result<F::Record, Failure>>,
        encoder: &F,
        most: usize,
        threads: NonZeroUsize,
    ) -> Result<Self, Failure> {
        let (mut batch, mut scratch) = (Batch::new(encoder.perspectives()), F::Scratch::default());
        let has_target = |next: &Result<F::Record, _>| next.as_ref().map_or(true, F::has_target);
        for found in records.filter(has_target).take(most) {
            encoder.push(&found?, &mut scratch, &mut batch);
        }
        Ok(Self { batch, threads })
    }

    pub(crate) const fn len(&self) -> usize {
        self.batch.len()
    }

    /// The order of neurons with which inference skips most blocks of zeros in these positions; `None` if no
    /// order gains anything.
    pub(crate) fn order(&self, net: &NetDesc<'_>, quantized: &Quantized<'_>) -> Option<Vec<usize>> {
        let positions = self.len().min(SEARCHED);
        let mut activity = Activity::new(net, positions).ok()?;
        for index in 0..positions {
            let evaluation = quantized.evaluate(self.position(index * self.len() / positions));
            let read = &evaluation.accumulators[..net.accumulator.perspectives];
            read.iter()
                .for_each(|accumulator| activity.observe(accumulator));
        }
        Some(order::find(&activity, || ()))
    }

    /// The rows of up to `most` of the positions, far from each other: of the first and the second perspective.
    pub(crate) fn some_rows(&self, most: usize) -> impl Iterator<Item = [&[i32]; 2]> {
        let count = most.min(self.len());
        (0..count).map(move |index| self.position(index * self.len() / count).rows)
    }

    fn position(&self, index: usize) -> Position<'_> {
        let rows = [0, 1].map(|side| {
            if side < self.batch.perspectives() {
                self.batch.rows(index, side)
            } else {
                &[]
            }
        });
        Position {
            rows,
            stack: self.batch.stacks()[index].into(),
            listed: self.batch.moves(index).0,
        }
    }

    pub(crate) fn judge(
        &self,
        net: &NetDesc<'_>,
        network: &Network<f32>,
        parameters: &Parameters<f32>,
        objective: &Objective,
    ) -> Result<Verdict, QuantizeError> {
        let quantized = &Quantized::new(net, parameters)?;
        let task = &Task {
            net,
            network,
            parameters,
            quantized,
            objective,
            held_out: self,
        };
        let (parts, positions) = (self.threads.get(), self.batch.len());
        let part = |number: usize| number * positions / parts..(number + 1) * positions / parts;
        let tallies: Vec<Tally> = thread::scope(|scope| {
            let threads: Vec<_> = (0..parts)
                .map(|number| scope.spawn(move || task.run(part(number))))
                .collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("evaluations do not panic"))
                .collect()
        });
        let bounds = bounds::prove(net, &quantized.tensors().refs());
        let overflow = bounds
            .require_no_wrapping()
            .err()
            .map(|error| error.to_string());
        let tally = tallies
            .into_iter()
            .reduce(Tally::merge)
            .expect("one thread or more");
        Ok(tally.verdict(positions, overflow))
    }
}

impl Task<'_> {
    fn run(&self, positions: Range<usize>) -> Tally {
        let mut tally = Tally {
            weight: 0.0,
            loss: 0.0,
            integer_loss: 0.0,
            drift: 0.0,
            worst: 0.0,
            moments: Moments::default(),
            neurons: Neurons::new(self.net),
            policy: PolicyVerdict::default(),
        };
        let (mut workspace, mut others) = (self.network.workspace(), Others::default());
        for index in positions {
            let (position, batch) = (self.held_out.position(index), &self.held_out.batch);
            let shares = batch.moves(index).1;
            let outputs =
                self.network
                    .forward_others(self.parameters, position, &mut workspace, &mut others);
            let mut evaluation = self.quantized.evaluate(position);
            let logits: Vec<f64> = others.logits.iter().map(|&logit| logit.into()).collect();
            tally
                .policy
                .add([&logits, &evaluation.others.logits], shares);
            let score = batch.scores()[index].into();
            let example = Example {
                score,
                result: batch.results()[index].into(),
            };
            let (head, weight) = (
                self.network.head(),
                self.objective.loss.weight_of(example) * f64::from(batch.weights()[index]),
            );
            let wanted = Wanted {
                example,
                shares,
                left: batch.left()[index],
            };
            tally.weight += weight;
            tally.loss += weight
                * self
                    .objective
                    .of(self.network.meaning(), (outputs, &mut others), wanted, 1.0)
                    .0;
            let quantized = (evaluation.outputs, &mut evaluation.others);
            tally.integer_loss += weight
                * self
                    .objective
                    .of(self.network.meaning(), quantized, wanted, 1.0)
                    .0;
            let difference = (head.value(outputs) - f64::from(evaluation.value)).abs();
            tally.drift += difference;
            tally.worst = tally.worst.max(difference);
            tally.moments.add(evaluation.value.into(), score);
            tally.neurons.add(self.net, position.stack, &evaluation);
        }
        tally
    }
}

impl Tally {
    fn merge(mut self, other: Self) -> Self {
        self.neurons.merge(&other.neurons);
        Self {
            weight: self.weight + other.weight,
            loss: self.loss + other.loss,
            integer_loss: self.integer_loss + other.integer_loss,
            drift: self.drift + other.drift,
            worst: self.worst.max(other.worst),
            moments: self.moments.merge(other.moments),
            neurons: self.neurons,
            policy: self.policy.merge(other.policy),
        }
    }

    fn verdict(&self, positions: usize, overflow: Option<String>) -> Verdict {
        Verdict {
            loss: self.loss / self.weight,
            integer_loss: self.integer_loss / self.weight,
            drift: [self.drift / positions as f64, self.worst],
            correlation: self.moments.correlation(),
            idle: self.neurons.idle(),
            overflow,
            policy: self.policy.mean(),
        }
    }
}

/// Sums over pairs of numbers.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    sums: [f64; 2],
    squares: [f64; 2],
    products: f64,
}

impl Moments {
    fn add(&mut self, x: f64, y: f64) {
        let one = Self {
            count: 1.0,
            sums: [x, y],
            squares: [x * x, y * y],
            products: x * y,
        };
        *self = self.merge(one);
    }

    fn merge(self, other: Self) -> Self {
        let add = |a: [f64; 2], b: [f64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            count: self.count + other.count,
            sums: add(self.sums, other.sums),
            squares: add(self.squares, other.squares),
            products: self.products + other.products,
        }
    }

    /// Pearson correlation; 0 if one of the numbers is constant.
    fn correlation(&self) -> f64 {
        let Self {
            count,
            sums: [x, y],
            squares: [xx, yy],
            products,
        } = *self;
        let spread = ((count * xx - x * x) * (count * yy - y * y)).sqrt();
        if spread > 0.0 {
            (count * products - x * y) / spread
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_rise_together_correlate() {
        let of = |pairs: &[(f64, f64)]| {
            let mut moments = Moments::default();
            pairs.iter().for_each(|&(x, y)| moments.add(x, y));
            moments.correlation()
        };
        assert!((of(&[(1.0, 10.0), (2.0, 20.0), (3.0, 30.0)]) - 1.0).abs() < 1e-12);
        assert!((of(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]) + 1.0).abs() < 1e-12);
        assert_eq!(of(&[(1.0, 5.0), (2.0, 5.0)]), 0.0);
    }
}
