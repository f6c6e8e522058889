//! Measures the forms of a layer.

use std::hint::black_box;

use nnue::AvailableLevel;
use nnue_runtime::form::{Form, Shape, Trial};

use super::super::timer::{Timer, median};
use crate::error::Error;

#[derive(Clone, Copy)]
pub(super) struct Meter {
    /// number of turns; the median counts
    pub(super) repetitions: usize,
    pub(super) timer: Timer,
}

/// Shortest duration of a turn, in nanoseconds.
const TURN: f64 = 15_000.0;

/// An integer layer and activations for it.
pub(super) struct Subject {
    pub(super) name: String,
    /// row by row; one row per output
    pub(super) weights: Vec<i8>,
    pub(super) bias: Vec<i32>,
    pub(super) greatest: u8,
    /// each as long as a row
    pub(super) inputs: Vec<Vec<u8>>,
}

/// Nanoseconds of each form, in the order of [`Form::ALL`]; infinite for forms that do not support the layer.
pub(super) type Measured = [f64; Form::ALL.len()];

impl Subject {
    /// The shape, which determines the cost of a form.
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

    /// The reference sums for one input vector.
    fn sums(&self, inputs: &[u8]) -> Vec<i32> {
        let add = |sum: i32, (&w, &x): (&i8, &u8)| sum.wrapping_add(i32::from(w) * i32::from(x));
        let rows = self.weights.chunks(inputs.len()).zip(&self.bias);
        rows.map(|(row, &bias)| row.iter().zip(inputs).fold(bias, add))
            .collect()
    }

    /// Prepares the layer in a form with all inputs, and checks the results.
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

    pub(super) fn measure(&self, meter: Meter, level: AvailableLevel) -> Result<Measured, Error> {
        let mut measured = [f64::INFINITY; Form::ALL.len()];
        measured.copy_from_slice(&self.measure_each(meter, level, &Form::ALL)?);
        Ok(measured)
    }

    /// Measures each form, and a second copy of form `again` in the same turns.
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

    /// Measures `candidates` in alternation, so that a slow period of the machine affects all of them.
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
                // the first turn warms the caches and determines the number of rounds
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
