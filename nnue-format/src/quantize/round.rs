//! Rounding of floats to integers.

use nnue_spec::{ElementType, TensorDesc, TensorMut};

use super::{QuantizeError, Recipe};

/// How a number is rounded to an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// toward zero: bullet's default
    Truncate,
    /// to the nearest integer, halves away from zero: `SavedFormat::round` of bullet
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
    /// the factor by which it was multiplied
    pub factor: f64,
    /// the number of weights, padding included
    pub weights: usize,
    /// the number of weights that the type could not hold, which were clamped
    pub saturated: usize,
    /// the greatest distance of a weight from the range of the type, in units of the tensor
    pub excess: f64,
    /// the greatest rounding error of the other weights, in units of the tensor
    pub worst: f64,
    /// the mean rounding error of the other weights
    pub mean: f64,
    /// the greatest absolute value of a weight, times the factor
    pub largest: f64,
}

/// Fills `out` with the floats times `factor`.
pub(super) fn round(
    desc: &TensorDesc<'_>,
    source: &str,
    floats: &[f32],
    factor: f64,
    recipe: &Recipe,
    out: TensorMut<'_>,
) -> Result<Rounded, QuantizeError> {
    if let Some(index) = floats.iter().position(|weight| !weight.is_finite()) {
        let (source, weight) = (source.to_owned(), floats[index]);
        return Err(QuantizeError::NotFinite { tensor: desc.name.to_owned(), source, index, weight });
    }
    let mut rounded =
        Rounded { factor, weights: floats.len(), saturated: 0, excess: 0.0, worst: 0.0, mean: 0.0, largest: 0.0 };
    if let TensorMut::F32(out) = out {
        out.iter_mut().zip(floats).for_each(|(out, &weight)| *out = (f64::from(weight) * factor) as f32);
        if let Some(index) = out.iter().position(|weight| !weight.is_finite()) {
            let (tensor, source, weight) = (desc.name.to_owned(), source.to_owned(), floats[index]);
            return Err(QuantizeError::Infinite { tensor, source, index, weight, factor });
        }
        rounded.largest = floats.iter().map(|&weight| (f64::from(weight) * factor).abs()).fold(0.0, f64::max);
        return Ok(rounded);
    }
    let whole = whole(desc.element, floats, recipe.rounding, &mut rounded);
    if rounded.saturated > 0 && !recipe.saturate {
        return Err(refuse(desc, source, floats, &rounded));
    }
    match out {
        TensorMut::I8(out) => out.iter_mut().zip(whole).for_each(|(out, whole)| *out = whole as i8),
        TensorMut::I16(out) => out.iter_mut().zip(whole).for_each(|(out, whole)| *out = whole as i16),
        TensorMut::I32(out) => out.iter_mut().zip(whole).for_each(|(out, whole)| *out = whole as i32),
        TensorMut::F32(_) => {}
    }
    Ok(rounded)
}

/// The rounded numbers, clamped to the range of the type; fills in the statistics of `rounded`.
fn whole(element: ElementType, floats: &[f32], rounding: Rounding, rounded: &mut Rounded) -> Vec<i64> {
    let (min, max) = element.range();
    let mut total = 0.0;
    let whole = floats.iter().map(|&weight| {
        let exact = rounded.factor * f64::from(weight);
        let found = rounding.apply(exact);
        let held = found.clamp(min as f64, max as f64);
        rounded.largest = rounded.largest.max(exact.abs());
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
    rounded.mean = total / (floats.len() - rounded.saturated).max(1) as f64;
    whole
}

/// The error for weights that do not fit, which names the worst one.
fn refuse(desc: &TensorDesc<'_>, source: &str, floats: &[f32], rounded: &Rounded) -> QuantizeError {
    let range = desc.element.range();
    let outside = |weight: f32| {
        let exact = rounded.factor * f64::from(weight);
        (exact - range.1 as f64).max(range.0 as f64 - exact)
    };
    let worst = (0..floats.len()).max_by(|&a, &b| outside(floats[a]).total_cmp(&outside(floats[b]))).unwrap_or(0);
    QuantizeError::Range {
        tensor: desc.name.to_owned(),
        source: source.to_owned(),
        index: worst,
        weight: floats[worst],
        factor: rounded.factor,
        element: desc.element,
        count: rounded.saturated,
    }
}
