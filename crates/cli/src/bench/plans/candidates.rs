//! What the forms of a layer take.

use std::hint::black_box;

use nnue::AvailableLevel;
use nnue_runtime::form::{Form, Shape, Trial};

use super::super::timer::{Timer, median};
use crate::error::Error;

/// How everything is measured.
#[derive(Clone, Copy)]
pub(super) struct Meter {
    /// how often forms take turns; the median counts
    pub(super) repetitions: usize,
    pub(super) timer: Timer,
}

/// What a turn takes at least, in nanoseconds.
const TURN: f64 = 15_000.0;

/// A layer of whole numbers, and activations that it reads.
pub(super) struct Subject {
    /// for messages
    pub(super) name: String,
    /// the row of an output after the other
    pub(super) weights: Vec<i8>,
    pub(super) bias: Vec<i32>,
    /// the greatest activation
    pub(super) greatest: u8,
    /// each as long as a row
    pub(super) inputs: Vec<Vec<u8>>,
}

/// What the forms of a layer take, in nanoseconds, in the order of [`Form::ALL`]; those that do not take it, for ever.
pub(super) type Measured = [f64; Form::ALL.len()];

impl Subject {
    /// What a form costs depends on this.
    pub(super) fn shape(&self) -> Shape {
        let inputs = (self.weights.len() / self.bias.len()).next_multiple_of(64);
        let blocks = self.inputs.iter().flat_map(|inputs| inputs.chunks(4));
        let active = blocks.filter(|block| block.iter().any(|&x| x > 0)).count();
        let values = self.inputs.iter().flatten().filter(|&&x| x > 0).count();
        let all = (inputs * self.inputs.len()).max(1);
        Shape {
            inputs,
            outputs: self.bias.len(),
            blocks: 4000 * active / all,
            values: 1000 * values / all,
        }
    }

    /// The sums for some inputs, as defined.
    fn sums(&self, inputs: &[u8]) -> Vec<i32> {
        let add = |sum: i32, (&w, &x): (&i8, &u8)| sum.wrapping_add(i32::from(w) * i32::from(x));
        let rows = self.weights.chunks(inputs.len()).zip(&self.bias);
        rows.map(|(row, &bias)| row.iter().zip(inputs).fold(bias, add))
            .collect()
    }

    /// The layer in a form, with all inputs, checked.
    fn trial(&self, level: AvailableLevel, form: Form) -> Result<Trial, Error> {
        let mut trial = Trial::new(level, form, &self.weights, &self.bias, self.greatest);
        for (index, inputs) in self.inputs.iter().enumerate() {
            trial.add_inputs(inputs);
            trial.run(index);
            if trial.sums() != self.sums(inputs) {
                return Err(Error::Mismatch(format!(
                    "{level}: {} by {form} differs from its definition",
                    self.name
                )));
            }
        }
        Ok(trial)
    }

    /// What each form takes.
    pub(super) fn measure(&self, meter: Meter, level: AvailableLevel) -> Result<Measured, Error> {
        let mut measured = [f64::INFINITY; Form::ALL.len()];
        measured.copy_from_slice(&self.measure_each(meter, level, &Form::ALL)?);
        Ok(measured)
    }

    /// What each form takes, and `again` what one of them takes by itself once more: another copy of it, in the same turns.
    pub(super) fn measure_twice(
        &self,
        meter: Meter,
        level: AvailableLevel,
        again: Form,
    ) -> Result<(Measured, f64), Error> {
        let mut candidates = [again; Form::ALL.len() + 1];
        candidates[..Form::ALL.len()].copy_from_slice(&Form::ALL);
        let all = self.measure_each(meter, level, &candidates)?;
        let mut measured = [f64::INFINITY; Form::ALL.len()];
        measured.copy_from_slice(&all[..Form::ALL.len()]);
        Ok((measured, all[Form::ALL.len()]))
    }

    /// The times of `candidates`. They take turns, so that a machine that becomes slower for a while does so for all of them.
    fn measure_each(
        &self,
        meter: Meter,
        level: AvailableLevel,
        candidates: &[Form],
    ) -> Result<Vec<f64>, Error> {
        let mut forms = Vec::new();
        for &form in candidates {
            let trial = form
                .takes(level.level(), self.bias.len())
                .then(|| self.trial(level, form))
                .transpose()?;
            forms.push((trial, 1, Vec::new()));
        }
        for turn in 0..=meter.repetitions {
            for (trial, rounds, times) in &mut forms {
                let Some(trial) = trial else { continue };
                let run = || {
                    for _ in 0..*rounds {
                        (0..self.inputs.len()).for_each(|index| black_box(&mut *trial).run(index));
                    }
                };
                let ns = meter.timer.time(run);
                // the first turn warms the caches, and says how often to repeat
                if turn == 0 {
                    *rounds = (TURN / ns.max(100.0)).ceil() as usize;
                } else {
                    times.push(ns / (*rounds * self.inputs.len()) as f64);
                }
            }
        }
        let time = |(trial, _, times): &mut (Option<Trial>, usize, Vec<f64>)| {
            if trial.is_some() {
                median(times)
            } else {
                f64::INFINITY
            }
        };
        Ok(forms.iter_mut().map(time).collect())
    }
}
