//! Quantised probabilities.

/// Quantisation of probabilities.
///
/// ```text
///   Truncated   floor(2048 p), at most 2047     a third of the legal moves of chess become 0
///   Rounded     round(2048 p), at most 2047     a quarter
///   Root        round(255 sqrt p)               one in ninety: what is improbable keeps some probability
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Steps {
    /// steps of 1/2048, truncated; format of the first files of this kind
    Truncated,
    /// steps of 1/2048, rounded
    Rounded,
    /// steps of the square root
    #[default]
    Root,
}

impl Steps {
    /// All quantisations. Files store the index in this list.
    pub const ALL: [Self; 3] = [Self::Truncated, Self::Rounded, Self::Root];

    /// The name in options and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Rounded => "rounded",
            Self::Root => "root",
        }
    }

    /// The largest integer.
    pub const fn most(self) -> u16 {
        match self {
            Self::Truncated | Self::Rounded => 2047,
            Self::Root => 255,
        }
    }

    /// Quantises a probability. NaN and values below 0 count as 0, values above 1 as 1.
    pub fn number(self, p: f32) -> u16 {
        let p = if p > 0.0 { p.min(1.0) } else { 0.0 };
        let number = match self {
            Self::Truncated => (2048.0 * p) as i32,
            Self::Rounded => rounded(2048.0 * p),
            Self::Root => rounded(255.0 * p.sqrt()),
        };
        (number as u16).min(self.most())
    }

    /// Quantises as many probabilities as fit.
    pub(super) fn put_numbers(self, policy: &[f32], numbers: &mut [u16]) {
        // one loop for each, so that each can be vectorised
        let all = numbers.iter_mut().zip(policy);
        match self {
            Self::Truncated => all.for_each(|(number, &p)| *number = Self::Truncated.number(p)),
            Self::Rounded => all.for_each(|(number, &p)| *number = Self::Rounded.number(p)),
            Self::Root => all.for_each(|(number, &p)| *number = Self::Root.number(p)),
        }
    }

    /// The probability of an integer before normalisation. `u32` converts to floats faster than `u64`.
    fn weight(self, number: u16) -> u32 {
        let number = u32::from(number);
        match self {
            Self::Truncated | Self::Rounded => number,
            Self::Root => number * number,
        }
    }

    /// Dequantises and normalises: the sum is 1 again. If all are 0, all are equally probable.
    pub fn probabilities(self, numbers: &[u16], probabilities: &mut Vec<f32>) {
        let sum: u64 = numbers
            .iter()
            .map(|&number| u64::from(self.weight(number)))
            .sum();
        if sum == 0 {
            let each = 1.0 / numbers.len().max(1) as f64;
            return probabilities.extend(numbers.iter().map(|_| each as f32));
        }
        let unit = 1.0 / sum as f64;
        probabilities.extend(
            numbers
                .iter()
                .map(|&number| (f64::from(self.weight(number)) * unit) as f32),
        );
    }
}

/// Rounds a non-negative number far below 2^31 to nearest, halves up. `round` would be a call on processors
/// without SSE4.1.
#[inline]
fn rounded(number: f32) -> i32 {
    let whole = number as i32;
    whole + i32::from(number - whole as f32 >= 0.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_standard_library_does() {
        for bits in (0..=2048.0_f32.to_bits()).step_by(997) {
            let number = f32::from_bits(bits);
            assert_eq!(rounded(number), number.round() as i32, "{number}");
        }
        for number in [0.49999997, 0.5, 1.5, 2.5, 254.49998, 254.5] {
            assert_eq!(rounded(number), f32::round(number) as i32, "{number}");
        }
    }

    #[test]
    fn certainty_fits_and_nonsense_is_nothing() {
        for steps in [Steps::Truncated, Steps::Rounded, Steps::Root] {
            let most = steps.most();
            assert_eq!(
                [1.0, 7.0, f32::INFINITY].map(|p| steps.number(p)),
                [most; 3]
            );
            assert_eq!([0.0, -0.5, f32::NAN].map(|p| steps.number(p)), [0; 3]);
            let mut all = Vec::new();
            steps.probabilities(&[most, 0, 0], &mut all);
            steps.probabilities(&[0, 0], &mut all);
            assert_eq!(all, [1.0, 0.0, 0.0, 0.5, 0.5]);
        }
        assert_eq!(
            [Steps::Truncated, Steps::Rounded].map(|steps| steps.number(1.6 / 2048.0)),
            [1, 2]
        );
        assert_eq!(Steps::Root.number(0.0001), 3);
    }
}
