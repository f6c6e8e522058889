//! Pools: one result of two values. Each has a file here with its formulas and its derivative.
//!
//! ```text
//!   halves        x[j], x[j + n/2]     n/2 results of n values
//!   neighbours    x[2j], x[2j + 1]     n/2 results of n values
//!   two values    x[j], y[j]           n results of twice n values
//! ```
//!
//! They read values of layers, as bytes or as floats. Those with an [`Operation`] also read accumulators:
//! they clip and pool them in one pass.

mod add;
pub(super) mod average;
pub(super) mod maximum;
pub(super) mod product;

use core::marker::PhantomData;

use super::{
    BUFFER_MAX, Curve, Formula, Operands, Operation, Pairs, PoolFormula, Real, RealFormula, Shift,
};
use crate::descriptor::Unit;

/// A function of two values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pool {
    /// the sum, clipped to 127 for bytes
    Add,
    /// the average, rounded up for bytes
    Average,
    /// the maximum
    Maximum,
    /// the product, shifted right by 7 for bytes
    Product,
}

impl Pool {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Add, Self::Average, Self::Maximum, Self::Product];

    /// Its definition.
    pub const fn definition(self) -> &'static Definition {
        match self {
            Self::Add => &add::POOL,
            Self::Average => &average::POOL,
            Self::Maximum => &maximum::POOL,
            Self::Product => &product::POOL,
        }
    }

    /// The result of two bytes.
    pub fn of_bytes(self, x: u8, y: u8) -> u8 {
        let (x, y) = (x.into(), y.into());
        (self.definition().bytes)(Operands {
            x,
            y,
            one: BUFFER_MAX as i64,
            shift: SHIFT,
        }) as u8
    }
}

/// Right shift of a product of bytes.
pub const SHIFT: u32 = 7;

/// The definition of a pool.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// the name as written in a declaration, of two values
    pub name: &'static str,
    /// on bytes, with `one` 127 and [`SHIFT`]; on accumulators, with theirs
    pub bytes: fn(Operands<i64>) -> i64,
    /// on floats, every operation rounded to f32
    pub floats: fn(x: f32, y: f32) -> f32,
    /// the formula in real numbers, with the derivative: `one` is 127 and the shift [`SHIFT`] for bytes,
    /// infinity and 0 for floats
    pub real: PoolFormula,
    /// conversion of a result to a real number, from that of the operands
    pub unit: fn(Unit) -> Unit,
}

impl Definition {
    const fn of<C: Curve>(
        name: &'static str,
        bytes: fn(Operands<i64>) -> i64,
        floats: fn(f32, f32) -> f32,
        unit: fn(Unit) -> Unit,
    ) -> Self {
        Self {
            name,
            bytes,
            floats,
            real: PoolFormula::of::<C>(),
            unit,
        }
    }

    /// The loops of the formula in real numbers.
    #[cfg(feature = "real")]
    pub fn loops<T: Real>(&self) -> super::PoolLoops<T> {
        T::pool_loops(&self.real)
    }

    /// The scale, or for floats the upper bound, and the shift.
    pub fn constants<T: Real>(is_float: bool) -> (T, u32) {
        if is_float {
            (T::of(f64::INFINITY), 0)
        } else {
            (T::of(BUFFER_MAX as f64), SHIFT)
        }
    }
}

/// A pool that reads and clips accumulators.
const fn of_accumulators(name: &'static str, pairs: Pairs, formula: Formula) -> Operation {
    Operation {
        name,
        pairs: Some(pairs),
        accumulators: Some(formula),
        whole: None,
        sums: None,
        floats: None,
    }
}

/// The formula of a pool of clipped accumulators without a shift.
const fn unshifted<C: Curve>(value: fn(Operands<i64>) -> i64) -> Formula {
    Formula {
        value,
        real: RealFormula::of::<Clipped<C>>(),
        greatest: |one, _| one,
        unit: |one, _| Unit { num: 1, den: one },
        degree: Some(1),
        shift: Shift::None,
        only_one: None,
    }
}

/// The operands, clipped to `0..=one`.
fn clamped(o: Operands<i64>) -> Operands<i64> {
    Operands {
        x: o.x.clamp(0, o.one),
        y: o.y.clamp(0, o.one),
        ..o
    }
}

/// The curve `C` of operands clipped to `0..=one`.
struct Clipped<C>(PhantomData<C>);

impl<C: Curve> Curve for Clipped<C> {
    fn value<T: Real>(o: Operands<T>) -> T {
        C::value(Operands {
            x: o.x.clip(o.one),
            y: o.y.clip(o.one),
            ..o
        })
    }

    fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
        let [by_x, by_y] = C::slopes(Operands {
            x: o.x.clip(o.one),
            y: o.y.clip(o.one),
            ..o
        });
        [by_x * o.within(o.x), by_y * o.within(o.y)]
    }
}
