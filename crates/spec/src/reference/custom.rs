//! Activations that are functions of the program, passed to the interpreter by their declared paths.

use alloc::vec::Vec;

use super::Parameters;
use crate::descriptor::Activation;

/// A function of the program, by its kind of operand and result.
#[derive(Clone, Copy)]
pub enum CustomActivation<'a> {
    /// of accumulators, for layers of 8-bit weights
    Accumulators(&'a dyn Fn(i16) -> u8),
    /// of the sums of a layer of 8-bit weights
    Sums(&'a dyn Fn(i32) -> u8),
    /// of accumulators, for layers of floats
    FloatInputs(&'a dyn Fn(i16) -> f32),
    /// of the sums of a layer, for layers of floats
    Floats(&'a dyn Fn(f32) -> f32),
}

/// The functions of a network, each with its declared path.
pub type CustomActivations<'a> = &'a [(&'a str, CustomActivation<'a>)];

/// The function of an activation, if it is of the kind that `kind` accepts.
///
/// # Panics
///
/// If there is none.
fn find<'a, F>(
    parameters: &Parameters<'a>,
    activation: Activation,
    kind: impl Fn(CustomActivation<'a>) -> Option<F>,
) -> F {
    let path = parameters.net.activation_name(activation);
    let mut functions = parameters.custom.iter().filter(|(name, _)| *name == path);
    let found = functions.find_map(|(_, function)| kind(*function));
    found.unwrap_or_else(|| {
        panic!("`{path}` is a function of the program, and is not given, or is of another kind")
    })
}

/// The `kind` argument of [`find`].
macro_rules! kind {
    ($kind:ident) => {
        |function| match function {
            CustomActivation::$kind(function) => Some(function),
            _ => None,
        }
    };
}

/// `min(f(value), max)` of accumulators.
pub(super) fn of_accumulators(
    p: &Parameters<'_>,
    activation: Activation,
    max: i64,
    values: &[i16],
) -> Vec<u8> {
    let function = find(p, activation, kind!(Accumulators));
    values
        .iter()
        .map(|&value| held(function(value), max))
        .collect()
}

/// `min(f(sum), max)` of sums.
pub(super) fn of_sums(
    p: &Parameters<'_>,
    activation: Activation,
    max: i64,
    sums: &[i32],
) -> Vec<u8> {
    let function = find(p, activation, kind!(Sums));
    sums.iter().map(|&sum| held(function(sum), max)).collect()
}

/// `f(value)` of accumulators.
pub(super) fn float_inputs(p: &Parameters<'_>, activation: Activation, values: &[i16]) -> Vec<f32> {
    values
        .iter()
        .copied()
        .map(find(p, activation, kind!(FloatInputs)))
        .collect()
}

/// `f(sum)` of sums.
pub(super) fn of_floats(p: &Parameters<'_>, activation: Activation, sums: &[f32]) -> Vec<f32> {
    sums.iter()
        .copied()
        .map(find(p, activation, kind!(Floats)))
        .collect()
}

fn held(value: u8, max: i64) -> u8 {
    i64::from(value).min(max) as u8
}
