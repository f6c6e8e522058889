//! Numbers that change during a run, such as the learning rate.

use fastrand::Rng;

use crate::initial::gaussian;

/// A number for each step; steps are counted from 0.
///
/// ```
/// use nnue_train::schedule::Schedule;
///
/// let cosine = Schedule::Cosine { start: 1e-3, end: 1e-5, steps: 101 };
/// let rates = [0, 50, 100, 1000].map(|step| cosine.at(step));
/// assert_eq!(rates, [1e-3, (1e-3 + 1e-5) / 2.0, 1e-5, 1e-5]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Schedule {
    /// the same number always
    Constant(f64),
    /// `start * factor^(step / every)`, the quotient rounded down
    Step {
        /// value at step 0
        start: f64,
        /// multiplied once every `every` steps
        factor: f64,
        /// steps between changes; at least 1
        every: u64,
    },
    /// linear from `start` to `end`, then constant
    Linear {
        /// value at the first step
        start: f64,
        /// value at the last step
        end: f64,
        /// number of steps, both ends included
        steps: u64,
    },
    /// half a cosine from `start` to `end`, then constant
    Cosine {
        /// value at the first step
        start: f64,
        /// value at the last step
        end: f64,
        /// number of steps, both ends included
        steps: u64,
    },
    /// one cycle: half a cosine up to `peak`, another down to `end`
    OneCycle {
        /// value at the first step
        start: f64,
        /// the greatest value
        peak: f64,
        /// value at the last step
        end: f64,
        /// fraction of the steps up to the peak, 0 to 1
        rise: f64,
        /// number of steps, both ends included
        steps: u64,
    },
    /// another schedule times `(step + 1) / steps`, at most 1
    WarmUp {
        /// steps of the warm-up; at least 1
        steps: u64,
        /// the other schedule
        then: Box<Schedule>,
    },
    /// another schedule plus `height * (1 - cos(2 pi part)) / 2`, where `part` is the fraction of `steps`
    /// done
    Bump {
        /// the greatest addition, in the middle
        height: f64,
        /// number of steps, both ends included
        steps: u64,
        /// the other schedule
        then: Box<Schedule>,
    },
    /// another schedule plus normally distributed noise, drawn for each step
    Jitter {
        /// standard deviation of the noise
        deviation: f64,
        /// the same seed and step give the same noise
        seed: u64,
        /// the other schedule
        then: Box<Schedule>,
    },
}

impl Schedule {
    /// The one-cycle schedule of nnue-pytorch: from `peak / 25` to the peak in the first fifth of the steps,
    /// then down to `peak / 50`.
    pub fn one_cycle(peak: f64, steps: u64) -> Self {
        Self::OneCycle {
            start: peak / 25.0,
            peak,
            end: peak / 50.0,
            rise: 0.2,
            steps,
        }
    }

    /// The value at a step.
    pub fn at(&self, step: u64) -> f64 {
        match *self {
            Self::Constant(number) => number,
            Self::Step {
                start,
                factor,
                every,
            } => start * factor.powf((step / every) as f64),
            Self::Linear { start, end, steps } => {
                start + (end - start) * part(step as f64, 0.0, last(steps))
            }
            Self::Cosine { start, end, steps } => {
                wave(start, end, part(step as f64, 0.0, last(steps)))
            }
            Self::OneCycle {
                start,
                peak,
                end,
                rise,
                steps,
            } => {
                let (step, top) = (step as f64, rise * last(steps));
                if step < top {
                    wave(start, peak, part(step, 0.0, top))
                } else {
                    wave(peak, end, part(step, top, last(steps)))
                }
            }
            Self::WarmUp { steps, ref then } => {
                then.at(step) * ((step + 1) as f64 / steps as f64).min(1.0)
            }
            Self::Bump {
                height,
                steps,
                ref then,
            } => {
                // Half a cosine up to the height, and another down to 0.
                let part = part(step as f64, 0.0, last(steps));
                then.at(step) + wave(0.0, height, 2.0 * part.min(1.0 - part))
            }
            Self::Jitter {
                deviation,
                seed,
                ref then,
            } => {
                let mut random = Rng::with_seed(seed ^ step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                then.at(step) + deviation * gaussian(&mut random)
            }
        }
    }
}

/// The index of the last step.
fn last(steps: u64) -> f64 {
    steps.saturating_sub(1) as f64
}

/// Fraction of the way from `from` to `to` at `step`: 0 to 1.
fn part(step: f64, from: f64, to: f64) -> f64 {
    if step >= to {
        1.0
    } else {
        (step - from) / (to - from)
    }
}

/// From `start` to `end` along half a cosine.
fn wave(start: f64, end: f64, part: f64) -> f64 {
    end + (start - end) * (1.0 + (std::f64::consts::PI * part).cos()) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: &[f64], expected: &[f64]) {
        let close = found
            .iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(
            close && found.len() == expected.len(),
            "{found:?}, not {expected:?}"
        );
    }

    fn numbers(schedule: &Schedule, steps: &[u64]) -> Vec<f64> {
        steps.iter().map(|&step| schedule.at(step)).collect()
    }

    #[test]
    fn steps_multiply() {
        let schedule = Schedule::Step {
            start: 8.0,
            factor: 0.5,
            every: 3,
        };
        assert_close(
            &numbers(&schedule, &[0, 2, 3, 5, 6, 9]),
            &[8.0, 8.0, 4.0, 4.0, 2.0, 1.0],
        );
        assert_close(&numbers(&Schedule::Constant(0.3), &[0, 99]), &[0.3, 0.3]);
    }

    #[test]
    fn lines_and_waves_go_from_the_first_step_to_the_last() {
        let line = Schedule::Linear {
            start: 1.0,
            end: 0.0,
            steps: 5,
        };
        assert_close(
            &numbers(&line, &[0, 1, 2, 4, 9]),
            &[1.0, 0.75, 0.5, 0.0, 0.0],
        );
        let wave = Schedule::Cosine {
            start: 1.0,
            end: 0.0,
            steps: 7,
        };
        assert_close(
            &numbers(&wave, &[0, 2, 3, 4, 6, 7]),
            &[1.0, 0.75, 0.5, 0.25, 0.0, 0.0],
        );
        for alone in [
            Schedule::Linear {
                start: 1.0,
                end: 0.2,
                steps: 1,
            },
            Schedule::Cosine {
                start: 1.0,
                end: 0.2,
                steps: 0,
            },
        ] {
            assert_close(&[alone.at(0)], &[0.2]);
        }
    }

    #[test]
    fn a_cycle_rises_and_falls_below_its_start() {
        let cycle = Schedule::one_cycle(100.0, 101);
        assert_close(
            &numbers(&cycle, &[0, 10, 20, 60, 100, 200]),
            &[4.0, 52.0, 100.0, 51.0, 2.0, 2.0],
        );
    }

    #[test]
    fn a_bump_is_highest_in_the_middle() {
        let schedule = Schedule::Bump {
            height: 0.2,
            steps: 9,
            then: Box::new(Schedule::Constant(0.5)),
        };
        assert_close(
            &numbers(&schedule, &[0, 2, 4, 6, 8, 20]),
            &[0.5, 0.6, 0.7, 0.6, 0.5, 0.5],
        );
    }

    #[test]
    fn jitter_has_its_deviation_and_is_the_same_for_the_same_step() {
        let schedule = Schedule::Jitter {
            deviation: 0.1,
            seed: 3,
            then: Box::new(Schedule::Constant(0.5)),
        };
        let found = numbers(&schedule, &(0..4000).collect::<Vec<_>>());
        let mean = found.iter().sum::<f64>() / 4000.0;
        let deviation = (found
            .iter()
            .map(|number| (number - mean).powi(2))
            .sum::<f64>()
            / 4000.0)
            .sqrt();
        assert!(
            (mean - 0.5).abs() < 0.01 && (deviation - 0.1).abs() < 0.005,
            "{mean} {deviation}"
        );
        assert_eq!(found[17], schedule.at(17));
        assert_ne!(found[17], found[18]);
    }

    #[test]
    fn a_warm_up_is_a_share_of_what_follows() {
        let then = Box::new(Schedule::Step {
            start: 8.0,
            factor: 0.5,
            every: 2,
        });
        let schedule = Schedule::WarmUp { steps: 4, then };
        assert_close(
            &numbers(&schedule, &[0, 1, 2, 3, 4]),
            &[2.0, 4.0, 3.0, 4.0, 2.0],
        );
    }
}
