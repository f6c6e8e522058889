//! Passes over the outputs of a layer in the form `Whole`: each has as many outputs as a vector has
//! sums, the last one the rest.

/// Passes of `lanes` outputs before the last one.
pub(crate) const fn full_passes(outputs: usize, lanes: usize) -> usize {
    (outputs - 1) / lanes
}

/// Outputs of the last pass: the rest, rounded up to a power of two.
pub(crate) const fn last_pass(outputs: usize, lanes: usize) -> usize {
    (outputs - full_passes(outputs, lanes) * lanes).next_power_of_two()
}
