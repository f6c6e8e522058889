//! The common part of gated linear units: the lower half of the operands times a curve of the upper half.

use core::marker::PhantomData;

use super::{Curve, Operands, Real};

/// `x * f(y)` for a curve `C` of one operand.
pub(super) struct Gate<C>(PhantomData<C>);

impl<C: Curve> Curve for Gate<C> {
    fn value<T: Real>(o: Operands<T>) -> T {
        o.x * C::value(Operands { x: o.y, ..o })
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let gate = Operands { x: o.y, ..o };
        let [slope, _] = C::slopes(gate);
        [C::value(gate), o.x * slope]
    }
}
