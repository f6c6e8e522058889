//! Rounding of floats to integers.

use nnue_spec::{TensorDesc, TensorMut};

use super::{QuantizeError, Recipe};

/// How a number is rounded to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// toward zero: bullet's default
    Truncate,
    /// to nearest, halves away from zero: bullet's `SavedFormat::round`
    HalfAwayFromZero,
}

impl Rounding {
    fn apply(self, value: f64) -> f64 {
        match self {
            Self::Truncate => value.trunc(),
            Self::HalfAwayFromZero => value.round(),
        }
    }
}

/// The effect of rounding on a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded {
    /// the factor of the tensor, times the gain of its first column
    pub factor: f64,
    /// number of weights, with padding
    pub weights: usize,
    /// number of weights that the type could not hold and that were clamped
    pub saturated: usize,
    /// the greatest distance of a weight from the range of the type, after scaling
    pub excess: f64,
    /// the greatest rounding error of the other weights, after scaling
    pub worst: f64,
    /// the mean rounding error of the other weights, after scaling
    pub mean: f64,
    /// the greatest magnitude of a scaled weight
    pub largest: f64,
}

pub(super) struct Weights<'w> {
    pub(super) desc: &'w TensorDesc<'w>,
    /// its name in the source
    pub(super) source: &'w str,
    /// the original weights
    pub(super) floats: &'w [f32],
    pub(super) factor: f64,
    /// the weights times the factor
    pub(super) scaled: &'w [f64],
    /// additional factors of the columns
    pub(super) gains: Option<&'w Vec<f64>>,
}

impl Weights<'_> {
    /// Fills `out` with the rounded weights.
    pub(super) fn round(
        &self,
        recipe: &Recipe,
        out: TensorMut<'_>,
    ) -> Result<Rounded, QuantizeError> {
        if let Some(index) = self.floats.iter().position(|weight| !weight.is_finite()) {
            let (tensor, source, weight) = (
                self.desc.name.to_owned(),
                self.source.to_owned(),
                self.floats[index],
            );
            return Err(QuantizeError::NotFinite {
                tensor,
                source,
                index,
                weight,
            });
        }
        let mut rounded = Rounded {
            factor: self.factor * self.gain(0),
            weights: self.scaled.len(),
            saturated: 0,
            excess: 0.0,
            worst: 0.0,
            mean: 0.0,
            largest: self.exact().map(f64::abs).fold(0.0, f64::max),
        };
        if let TensorMut::F32(out) = out {
            out.iter_mut()
                .zip(self.exact())
                .for_each(|(out, exact)| *out = exact as f32);
            if let Some(index) = out.iter().position(|weight| !weight.is_finite()) {
                let (tensor, source, weight) = (
                    self.desc.name.to_owned(),
                    self.source.to_owned(),
                    self.floats[index],
                );
                return Err(QuantizeError::Infinite {
                    tensor,
                    source,
                    index,
                    weight,
                    factor: rounded.factor,
                });
            }
            return Ok(rounded);
        }
        let whole = self.whole(recipe.rounding, &mut rounded);
        if rounded.saturated > 0 && !recipe.saturate {
            return Err(self.refuse(&rounded));
        }
        match out {
            TensorMut::I8(out) => out
                .iter_mut()
                .zip(whole)
                .for_each(|(out, whole)| *out = whole as i8),
            TensorMut::I16(out) => out
                .iter_mut()
                .zip(whole)
                .for_each(|(out, whole)| *out = whole as i16),
            TensorMut::I32(out) => out
                .iter_mut()
                .zip(whole)
                .for_each(|(out, whole)| *out = whole as i32),
            TensorMut::F32(_) => {}
        }
        Ok(rounded)
    }

    fn gain(&self, index: usize) -> f64 {
        self.gains
            .map_or(1.0, |gains| gains[index % self.desc.cols])
    }

    /// The values to be rounded.
    fn exact(&self) -> impl Iterator<Item = f64> {
        self.scaled
            .iter()
            .enumerate()
            .map(|(index, weight)| weight * self.gain(index))
    }

    /// Rounds, clamps to the range of the type, and fills in the statistics of `rounded`.
    fn whole(&self, rounding: Rounding, rounded: &mut Rounded) -> Vec<i64> {
        let (min, max) = self.desc.element.range();
        let mut total = 0.0;
        let whole = self.exact().map(|exact| {
            let found = rounding.apply(exact);
            let held = found.clamp(min as f64, max as f64);
            if held == found {
                rounded.worst = rounded.worst.max((found - exact).abs());
                total += (found - exact).abs();
            } else {
                rounded.saturated += 1;
                rounded.excess = rounded.excess.max((found - held).abs());
            }
            held as i64
        });
        let whole = whole.collect();
        rounded.mean = total / (self.scaled.len() - rounded.saturated).max(1) as f64;
        whole
    }

    /// The error for weights that do not fit; it names the worst one.
    fn refuse(&self, rounded: &Rounded) -> QuantizeError {
        let range = self.desc.element.range();
        let outside = |exact: f64| (exact - range.1 as f64).max(range.0 as f64 - exact);
        let worst = self
            .exact()
            .enumerate()
            .max_by(|(_, one), (_, other)| outside(*one).total_cmp(&outside(*other)));
        let (worst, _) = worst.unwrap_or_default();
        QuantizeError::Range {
            tensor: self.desc.name.to_owned(),
            source: self.source.to_owned(),
            index: worst,
            weight: self.floats[worst],
            factor: self.factor * self.gain(worst),
            element: self.desc.element,
            count: rounded.saturated,
        }
    }
}
