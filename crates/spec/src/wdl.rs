//! Logits and probabilities of loss, draw and win.
//!
//! Probabilities are the same on every level and processor: they use 64-bit additions, multiplications and
//! divisions only, and are rounded to 32 bits.

/// Three outputs (loss, draw, win) for the side to move, before the softmax.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// outputs of the last layer: loss, draw, win
    logits: [f32; 3],
}

impl Wdl {
    /// The outputs for a loss, a draw and a win.
    pub const fn new(logits: [f32; 3]) -> Self {
        Self { logits }
    }

    /// The logits of loss, draw and win.
    pub const fn logits(self) -> [f32; 3] {
        self.logits
    }

    /// The probabilities of a loss, a draw and a win: the softmax of the outputs. NaNs if an output is NaN or
    /// positive infinity.
    pub fn probabilities(self) -> [f32; 3] {
        let greatest = self.logits.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let shares = self
            .logits
            .map(|logit| exp(f64::from(logit) - f64::from(greatest)));
        let sum = shares[0] + shares[1] + shares[2];
        shares.map(|share| (share / sum) as f32)
    }

    /// Expected score of the game, from 0 to 1: `win + draw / 2`.
    pub fn expected_score(self) -> f32 {
        let [_, draw, win] = self.probabilities();
        win + draw * 0.5
    }
}

/// Softmax with a temperature: `exp(y / temperature)` of each logit, divided by their sum. A temperature
/// above 1 flattens the distribution.
///
/// The sum is taken in order, in 64-bit floats, so that results are the same on every processor. NaNs if a
/// logit is NaN or positive infinity, or if the temperature is not positive.
///
/// ```
/// let mut logits = [1.0, 1.0, f32::NEG_INFINITY];
/// nnue_spec::softmax(&mut logits, 1.0);
/// assert_eq!(logits, [0.5, 0.5, 0.0]);
/// ```
pub fn softmax(logits: &mut [f32], temperature: f32) {
    let greatest = logits
        .iter()
        .fold(f32::NEG_INFINITY, |greatest, &logit| greatest.max(logit));
    let factor = if temperature > 0.0 {
        1.0 / f64::from(temperature)
    } else {
        f64::NAN
    };
    let share = |logit: f32| exp((f64::from(logit) - f64::from(greatest)) * factor);
    let mut kept = [0.0; KEPT];
    if let Some(shares) = kept.get_mut(..logits.len()) {
        shares
            .iter_mut()
            .zip(&*logits)
            .for_each(|(kept, &logit)| *kept = share(logit));
        let sum: f64 = shares.iter().sum();
        logits
            .iter_mut()
            .zip(shares)
            .for_each(|(logit, kept)| *logit = (*kept / sum) as f32);
    } else {
        let sum: f64 = logits.iter().map(|&logit| share(logit)).sum();
        logits
            .iter_mut()
            .for_each(|logit| *logit = (share(*logit) / sum) as f32);
    }
}

/// Number of exponentials kept between their sum and the division. With more logits, each is computed twice.
const KEPT: usize = 64;

/// `1 / (1 + exp(-y))`
pub(crate) fn sigmoid(y: f32) -> f32 {
    (1.0 / (1.0 + exp(-f64::from(y)))) as f32
}

/// e^x, with a relative error below 2^-50.
///
/// `x = k ln 2 + r` with |r| at most half of ln 2: the series of `exp(r)` up to r^13, with `k` added to the
/// exponent. `x` is clamped to +-700, where f32 has long been 0 or infinite.
pub(crate) fn exp(x: f64) -> f64 {
    /// ln 2 in two parts; products of the first with integers up to 2^11 are exact.
    const LN_2: [f64; 2] = [
        f64::from_bits(0x3FE6_2E42_FEE0_0000),
        f64::from_bits(0x3DEA_39EF_3579_3C76),
    ];
    let x = x.clamp(-700.0, 700.0);
    let scaled = x * core::f64::consts::LOG2_E;
    let k = (scaled + if scaled < 0.0 { -0.5 } else { 0.5 }) as i64;
    let r = (x - k as f64 * LN_2[0]) - k as f64 * LN_2[1];
    let series = (1..=13)
        .rev()
        .fold(1.0, |sum, n| 1.0 + r / f64::from(n) * sum);
    let power = f64::from_bits(((k + 1023) as u64) << 52);
    series * power
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The last logit is negative infinity, so it has no share.
    #[test]
    fn shares_that_are_kept_are_those_that_are_not() {
        let logit = |index: usize| (index * 37 % KEPT) as f32 / 7.0;
        let mut few: [f32; KEPT] = core::array::from_fn(logit);
        let mut many = [f32::NEG_INFINITY; KEPT + 1];
        many[..KEPT].copy_from_slice(&few);
        softmax(&mut few, 1.5);
        softmax(&mut many, 1.5);
        assert_eq!(many[..KEPT], few);
        assert_eq!(many[KEPT], 0.0);
    }

    #[test]
    fn the_exponential_is_the_one_of_the_library() {
        for i in -70_000..=70_000 {
            let x = f64::from(i) / 100.0;
            let error = (exp(x) / x.exp() - 1.0).abs();
            assert!(error < 1e-15 * 3.0, "{x}: {error:e}");
        }
        assert_eq!(
            (exp(0.0), exp(f64::NEG_INFINITY), exp(800.0)),
            (1.0, exp(-700.0), exp(700.0))
        );
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn probabilities_are_shares() {
        let certain = Wdl::new([0.0, 0.0, 200.0]);
        assert_eq!(
            (certain.probabilities(), certain.expected_score()),
            ([0.0, 0.0, 1.0], 1.0)
        );
        let even = Wdl::new([5.0; 3]);
        assert_eq!(
            (even.probabilities(), even.expected_score()),
            ([1.0 / 3.0; 3], 0.5)
        );
        let [loss, draw, win] = Wdl::new([-1.0, 0.5, 0.25]).probabilities();
        assert!((f64::from(loss) + f64::from(draw) + f64::from(win) - 1.0).abs() < 1e-7);
        let ratio = f64::from(draw) / f64::from(win);
        assert!((ratio - 0.25_f64.exp()).abs() < 1e-6, "{ratio}");
        assert!(Wdl::new([f32::NAN, 0.0, 0.0]).expected_score().is_nan());
    }

    #[test]
    fn softmax_of_three_is_that_of_a_result() {
        let logits = [-1.0, 0.5, 0.25];
        let (mut even, mut three) = (logits, logits);
        softmax(&mut three, 1.0);
        assert_eq!(three, Wdl::new(logits).probabilities());
        softmax(&mut even, 1e9);
        assert!(
            even.iter().all(|share| (share - 1.0 / 3.0).abs() < 1e-6),
            "{even:?}"
        );
        for wrong in [0.0, -1.0, f32::NAN] {
            let mut shares = logits;
            softmax(&mut shares, wrong);
            assert!(shares.iter().all(|share| share.is_nan()));
        }
        softmax(&mut [], 1.0);
    }

    #[test]
    fn sigmoids_are_symmetric() {
        assert_eq!(
            (
                sigmoid(0.0),
                sigmoid(f32::INFINITY),
                sigmoid(f32::NEG_INFINITY)
            ),
            (0.5, 1.0, 0.0)
        );
        for i in 0..1000 {
            let y = i as f32 / 50.0;
            let exact = 1.0 / (1.0 + f64::from(-y).exp());
            assert!((f64::from(sigmoid(y)) - exact).abs() <= 6e-8, "{y}");
            assert!((sigmoid(y) + sigmoid(-y) - 1.0).abs() < 1.2e-7, "{y}");
        }
    }
}
