//! Losses of networks over a dense input.

use super::examples::Wanted;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loss {
    /// softmax cross entropy with a class
    CrossEntropy,
    /// mean squared error
    Squared,
}

impl Loss {
    /// The form of the targets.
    pub(super) const fn numbers(self, outputs: usize) -> Wanted {
        match self {
            Self::CrossEntropy => Wanted::Class(outputs),
            Self::Squared => Wanted::Numbers(outputs),
        }
    }

    /// The loss of an example and its gradient with respect to the outputs.
    pub(super) fn of(self, outputs: &[f32], wanted: &[f32]) -> (f64, Vec<f64>) {
        match self {
            Self::CrossEntropy => {
                let greatest = outputs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let powers: Vec<f64> = outputs
                    .iter()
                    .map(|output| f64::from(output - greatest).exp())
                    .collect();
                let sum: f64 = powers.iter().sum();
                let class = wanted[0] as usize;
                let mut slopes: Vec<f64> = powers.iter().map(|power| power / sum).collect();
                let loss = sum.ln() - f64::from(outputs[class] - greatest);
                slopes[class] -= 1.0;
                (loss, slopes)
            }
            Self::Squared => {
                let count = outputs.len() as f64;
                let off = outputs
                    .iter()
                    .zip(wanted)
                    .map(|(&output, &wanted)| f64::from(output) - f64::from(wanted));
                (
                    off.clone().map(|off| off * off / count).sum(),
                    off.map(|off| 2.0 * off / count).collect(),
                )
            }
        }
    }

    /// Whether the greatest output is that of the class; `None` without classes.
    pub(super) fn is_right(self, outputs: &[f32], wanted: &[f32]) -> Option<bool> {
        let best = (0..outputs.len()).max_by(|&a, &b| outputs[a].total_cmp(&outputs[b]));
        (self == Self::CrossEntropy).then(|| best == Some(wanted[0] as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_finite_differences() {
        let outputs = [0.5, -1.0, 2.0];
        for (loss, wanted) in [
            (Loss::CrossEntropy, &[1.0][..]),
            (Loss::Squared, &[1.0, 0.0, -1.0]),
        ] {
            let (value, slopes) = loss.of(&outputs, wanted);
            for index in 0..3 {
                let mut moved = outputs;
                moved[index] += 1e-3;
                let quotient = (loss.of(&moved, wanted).0 - value) / 1e-3;
                assert!(
                    (quotient - slopes[index]).abs() < 2e-3,
                    "{loss:?}: {quotient}, not {}",
                    slopes[index]
                );
            }
        }
        assert_eq!(Loss::CrossEntropy.is_right(&outputs, &[2.0]), Some(true));
        assert_eq!(Loss::CrossEntropy.is_right(&outputs, &[1.0]), Some(false));
    }
}
