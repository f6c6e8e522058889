//! Clipped ReLU.
//!
//! ```text
//!   accumulators                    clamp(a, 0, one) >> shift   up to 127; the shift is 0 unless it is written
//!   accumulators, whole             clamp(a, 0, one)
//!   sums                            clamp(y >> shift, 0, 127)
//!   floats                          clamp(y, 0, 1)              0 for NaN
//! ```
//!
//! # Derivative
//!
//! With 1.0 as one: 1 where `0 < y < 1`, 0 elsewhere.

use super::{
    Curve, FloatFormula, Formula, Operands, Operation, Real, RealFormula, Shift, float,
    unit_of_sums,
};
use crate::descriptor::Unit;
use crate::quant;

struct Crelu;

impl Curve for Crelu {
    fn value<T: Real>(o: Operands<T>) -> T {
        (o.x * o.shifted()).clip(o.one)
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [o.within(o.x * o.shifted()) * o.shifted(), T::ZERO]
    }
}

const REAL: RealFormula = RealFormula::of::<Crelu>();

/// Clipped before the shift.
struct OfAccumulator;

impl Curve for OfAccumulator {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x.clip(o.one) * o.shifted()
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        [o.within(o.x) * o.shifted(), T::ZERO]
    }
}

const OF_ACCUMULATORS: Formula = Formula {
    value: |o| o.x.clamp(0, o.one) >> o.shift,
    real: RealFormula::of::<OfAccumulator>(),
    greatest: |one, shift| one >> shift,
    unit: |one, shift| Unit {
        num: 1 << shift,
        den: one,
    },
    degree: Some(1),
    shift: Shift::Clipped,
    only_one: None,
};

const OF_SUMS: Formula = Formula {
    value: |o| (o.x >> o.shift).clamp(0, o.one),
    real: REAL,
    greatest: |one, _| one,
    unit: unit_of_sums,
    degree: Some(1),
    shift: Shift::Sum {
        default: quant::crelu_shift,
        most: 31,
    },
    only_one: None,
};

pub(super) const OPERATION: Operation = Operation {
    name: "crelu",
    pairs: None,
    accumulators: Some(OF_ACCUMULATORS),
    whole: Some(Formula {
        shift: Shift::None,
        ..OF_ACCUMULATORS
    }),
    sums: Some(OF_SUMS),
    floats: Some(FloatFormula {
        value: |y, _| float::clipped(y),
        real: REAL,
    }),
};
