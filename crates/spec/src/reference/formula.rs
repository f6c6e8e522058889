//! The formulas of activations, as the steps apply them.

use alloc::vec::Vec;

use crate::descriptor::{Activation, NetDesc};
use crate::op::Formula;

/// The formula of an activation; panics if a step applies it where it is not defined.
pub(super) fn defined<T>(formula: Option<T>, name: &str) -> T {
    formula.unwrap_or_else(|| panic!("`{name}` is not defined for what a step applies it to"))
}

/// The activated values of one accumulator, as exact integers.
pub(super) fn whole(net: &NetDesc<'_>, activation: Activation, half: &[i16]) -> Vec<i64> {
    let name = net.activation_name(activation);
    let operation = defined(activation.operation(), name);
    let values: Vec<i64> = half.iter().map(|&value| value.into()).collect();
    let formula = defined(operation.whole, name);
    Formula::apply(
        formula.value,
        operation.pairs,
        &values,
        (net.accumulator.one.into(), 0),
    )
    .collect()
}
