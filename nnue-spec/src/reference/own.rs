//! Activations that are functions of the program: the interpreter is given them by the paths that a declaration names them with.

use alloc::vec::Vec;

/// A function of the program, of one of the kinds that activate.
#[derive(Clone, Copy)]
pub enum OwnActivation<'a> {
    /// of accumulators, for layers of 8-bit weights
    Accumulators(&'a dyn Fn(i16) -> u8),
    /// of the sums of a layer of 8-bit weights
    Sums(&'a dyn Fn(i32) -> u8),
    /// of accumulators, for layers of floats
    FloatInputs(&'a dyn Fn(i16) -> f32),
    /// of the sums of a layer, for layers of floats
    Floats(&'a dyn Fn(f32) -> f32),
}

/// The functions of a network, each with its path as the declaration has it.
pub type OwnActivations<'a> = &'a [(&'a str, OwnActivation<'a>)];

/// The function that `kind` finds under `path`.
///
/// # Panics
///
/// If there is none.
pub(super) fn find<'a, F>(own: OwnActivations<'a>, path: &str, kind: impl Fn(OwnActivation<'a>) -> Option<F>) -> F {
    let found = own.iter().filter(|(name, _)| *name == path).find_map(|(_, function)| kind(*function));
    found.unwrap_or_else(|| panic!("`{path}` is a function of the program, and is not given, or is of another kind"))
}

/// A function that [`find`] asks for.
macro_rules! kind {
    ($kind:ident) => {
        |function| match function {
            OwnActivation::$kind(function) => Some(function),
            _ => None,
        }
    };
}

/// `min(f(value), max)` of accumulators.
pub(super) fn of_accumulators(own: OwnActivations<'_>, path: &str, max: i64, values: &[i16]) -> Vec<u8> {
    let function = find(own, path, kind!(Accumulators));
    values.iter().map(|&value| held(function(value), max)).collect()
}

/// `min(f(sum), max)` of sums.
pub(super) fn of_sums(own: OwnActivations<'_>, path: &str, max: i64, sums: &[i32]) -> Vec<u8> {
    let function = find(own, path, kind!(Sums));
    sums.iter().map(|&sum| held(function(sum), max)).collect()
}

/// `f(value)` of accumulators.
pub(super) fn float_inputs(own: OwnActivations<'_>, path: &str, values: &[i16]) -> Vec<f32> {
    values.iter().copied().map(find(own, path, kind!(FloatInputs))).collect()
}

/// `f(sum)` of sums.
pub(super) fn of_floats(own: OwnActivations<'_>, path: &str, sums: &[f32]) -> Vec<f32> {
    sums.iter().copied().map(find(own, path, kind!(Floats))).collect()
}

fn held(value: u8, max: i64) -> u8 {
    i64::from(value).min(max) as u8
}
