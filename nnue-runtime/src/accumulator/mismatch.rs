//! The first difference between two accumulators that should be equal.

use core::fmt;

use crate::board::Color;
use crate::transform::Transform;

/// The first difference between the incremental accumulators and those built from the position alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// whose accumulator it is
    pub perspective: Color,
    /// true: a PSQT output; false: a neuron
    pub psqt: bool,
    /// its index; for separate perspectives the neurons of the second follow those of the first
    pub index: usize,
    /// the incrementally updated value
    pub incremental: i32,
    /// the value computed from the position
    pub refreshed: i32,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.psqt { "PSQT output" } else { "neuron" };
        let Self {
            perspective,
            index,
            incremental,
            refreshed,
            ..
        } = self;
        write!(
            f,
            "{perspective:?}'s accumulator is wrong: {what} {index} is {incremental} after the pushed changes, "
        )?;
        write!(f, "{refreshed} built from the position")
    }
}

impl core::error::Error for Mismatch {}

/// The first value in which two accumulators of `side` differ.
pub(crate) fn first_mismatch<T: Transform>(
    side: Color,
    incremental: &T::Accumulator,
    refreshed: &T::Accumulator,
) -> Result<(), Mismatch> {
    let mismatch = |psqt, index, incremental, refreshed| Mismatch {
        perspective: side,
        psqt,
        index,
        incremental,
        refreshed,
    };
    // Shared weights give the same slice twice; the first difference is reported.
    let neurons = T::values(incremental)
        .into_iter()
        .flatten()
        .zip(T::values(refreshed).into_iter().flatten());
    let neurons = neurons
        .enumerate()
        .map(|(at, (&a, &b))| mismatch(false, at, a.into(), b.into()));
    let outputs = T::psqt(incremental)
        .iter()
        .zip(T::psqt(refreshed))
        .enumerate();
    let outputs = outputs.map(|(at, (&a, &b))| mismatch(true, at, a, b));
    match neurons
        .chain(outputs)
        .find(|pair| pair.incremental != pair.refreshed)
    {
        Some(mismatch) => Err(mismatch),
        None => Ok(()),
    }
}
