//! Floats become whole numbers.

use nnue_spec::{ElementType, TensorDesc, TensorMut};

use super::{QuantizeError, Recipe};

/// How a number becomes whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// what stands behind the point is cut off: what bullet does unless told otherwise
    Truncate,
    /// to the nearest, halves away from zero: `SavedFormat::round` of bullet
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

/// What became of a tensor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rounded {
    /// by which it was multiplied
    pub factor: f64,
    /// weights, padding included
    pub weights: usize,
    /// weights that the type could not hold, and were clamped
    pub saturated: usize,
    /// greatest distance of a weight from the range of the type, in units of the tensor
    pub excess: f64,
    /// greatest rounding error of the other weights, in units of the tensor
    pub worst: f64,
    /// their mean rounding error
    pub mean: f64,
    /// the greatest weight without its sign, times the factor
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

/// The whole numbers, clamped to the range of the type, and what was lost.
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

/// The worst of the weights that do not fit, and a factor with which all would.
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
