//! Activations in real numbers, with derivatives, for training.
//!
//! Each activation's file has its formula and derivative once, as a [`Curve`], for 32-bit and 64-bit floats.
//! Training uses the former; [`evaluate_real`](crate::reference::evaluate_real) and tests that compare
//! derivatives with finite differences use the latter.
//!
//! Without the feature `real`, which evaluation does not need, only the names exist.
#![cfg_attr(
    not(feature = "real"),
    allow(dead_code, unused_imports, reason = "what computes in real numbers")
)]

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::operands::Operands;
use super::pairs::{Pairs, Strided};

/// The float type: `f32` for training, or `f64`.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + AddAssign
    + Mul<Output = Self>
    + Neg<Output = Self>
    + Sub<Output = Self>
    + 'static
{
    /// 0
    const ZERO: Self;
    /// 1
    const ONE: Self;

    /// Rounds a 64-bit float to this type.
    fn of(value: f64) -> Self;

    /// The exact value as a 64-bit float.
    fn get(self) -> f64;

    /// The loops of a formula for this type.
    #[cfg(feature = "real")]
    fn loops(formula: &RealFormula) -> Loops<Self>;

    /// The loops of a pool for this type.
    #[cfg(feature = "real")]
    fn pool_loops(formula: &PoolFormula) -> PoolLoops<Self>;

    /// Clamps to `0..=greatest`; NaN stays.
    #[inline(always)]
    fn clip(self, greatest: Self) -> Self {
        let x = if self < Self::ZERO { Self::ZERO } else { self };
        x.at_most(greatest)
    }

    /// The minimum; NaN stays.
    #[inline(always)]
    fn at_most(self, greatest: Self) -> Self {
        if self > greatest { greatest } else { self }
    }
}

macro_rules! real {
    ($float:ident) => {
        impl Real for $float {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            #[inline(always)]
            fn of(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn get(self) -> f64 {
                self.into()
            }

            #[cfg(feature = "real")]
            fn loops(formula: &RealFormula) -> Loops<Self> {
                formula.$float
            }

            #[cfg(feature = "real")]
            fn pool_loops(formula: &PoolFormula) -> PoolLoops<Self> {
                formula.$float
            }
        }
    };
}

real!(f32);
real!(f64);

/// An activation in real numbers, in the units of the integers.
pub(super) trait Curve {
    /// The result without any rounding of operands or shifts.
    fn value<T: Real>(operands: Operands<T>) -> T;

    /// The partial derivatives by `x` and by `y`, as training uses them: with a choice at kinks, or of a
    /// smoother function. If `y` is `x` again, the derivative is their sum.
    fn slopes<T: Real>(operands: Operands<T>) -> [T; 2];
}

/// A formula in real numbers with its derivative.
#[derive(Clone, Copy, Debug)]
pub struct RealFormula {
    /// the result without any rounding of operands or shifts
    #[cfg(feature = "real")]
    pub value: fn(Operands<f64>) -> f64,
    /// partial derivatives by `x` and by `y`; if `y` is `x` again, the derivative is their sum
    #[cfg(feature = "real")]
    pub slopes: fn(Operands<f64>) -> [f64; 2],
    #[cfg(feature = "real")]
    f32: Loops<f32>,
    #[cfg(feature = "real")]
    f64: Loops<f64>,
}

impl RealFormula {
    /// The formula of a [`Curve`].
    pub(super) const fn of<C: Curve>() -> Self {
        Self {
            #[cfg(feature = "real")]
            value: C::value,
            #[cfg(feature = "real")]
            slopes: C::slopes,
            #[cfg(feature = "real")]
            f32: Loops::of::<C>(),
            #[cfg(feature = "real")]
            f64: Loops::of::<C>(),
        }
    }
}

/// The constants of a loop over operands.
#[derive(Clone, Copy, Debug)]
pub struct Constants<T> {
    /// [`Operation::pairs`](super::Operation::pairs)
    pub pairs: Option<Pairs>,
    /// scale of the operands
    pub one: T,
    /// right shift: real numbers are divided by `2^shift`
    pub shift: u32,
}

/// Forward and backward loops of a formula, over all accumulators of a perspective or all sums of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Loops<T> {
    /// forward pass
    pub values: Values<T>,
    /// backward pass
    pub gradients: Gradients<T>,
}

/// Forward pass: computes `results` from `operands`.
pub type Values<T> = fn(constants: Constants<T>, operands: &[T], results: &mut [T]);

/// Backward pass: adds the gradients of the operands to `of_operands`, from the gradients `of_results`.
pub type Gradients<T> =
    fn(constants: Constants<T>, operands: &[T], of_results: &[T], of_operands: &mut [T]);

impl<T: Real> Loops<T> {
    const fn of<C: Curve>() -> Self {
        Self {
            values: values::<C, T>,
            gradients: gradients::<C, T>,
        }
    }
}

fn values<C: Curve, T: Real>(
    Constants { pairs, one, shift }: Constants<T>,
    operands: &[T],
    results: &mut [T],
) {
    let (first, second) = match pairs {
        None => (operands, operands),
        Some(Pairs::Halves) => operands.split_at(operands.len() / 2),
        Some(Pairs::Neighbours) => {
            for (&[x, y], result) in operands.as_chunks().0.iter().zip(results) {
                *result = C::value(Operands { x, y, one, shift });
            }
            return;
        }
    };
    for ((&x, &y), result) in first.iter().zip(second).zip(results) {
        *result = C::value(Operands { x, y, one, shift });
    }
}

fn gradients<C: Curve, T: Real>(
    Constants { pairs, one, shift }: Constants<T>,
    operands: &[T],
    of_results: &[T],
    of_operands: &mut [T],
) {
    match pairs {
        None => {
            for ((&x, &gradient), of_x) in operands.iter().zip(of_results).zip(of_operands) {
                let [by_x, by_y] = C::slopes(Operands {
                    x,
                    y: x,
                    one,
                    shift,
                });
                *of_x += gradient * (by_x + by_y);
            }
        }
        Some(Pairs::Halves) => {
            let (first, second) = operands.split_at(operands.len() / 2);
            let (of_first, of_second) = of_operands.split_at_mut(first.len());
            let of_both = of_first.iter_mut().zip(of_second);
            for (((&x, &y), &gradient), (of_x, of_y)) in
                first.iter().zip(second).zip(of_results).zip(of_both)
            {
                let [by_x, by_y] = C::slopes(Operands { x, y, one, shift });
                *of_x += gradient * by_x;
                *of_y += gradient * by_y;
            }
        }
        Some(Pairs::Neighbours) => {
            let of_operands = of_operands.as_chunks_mut().0;
            for ((&[x, y], &gradient), [of_x, of_y]) in operands
                .as_chunks()
                .0
                .iter()
                .zip(of_results)
                .zip(of_operands)
            {
                let [by_x, by_y] = C::slopes(Operands { x, y, one, shift });
                *of_x += gradient * by_x;
                *of_y += gradient * by_y;
            }
        }
    }
}

/// A pool in real numbers with its derivative.
#[derive(Clone, Copy, Debug)]
pub struct PoolFormula {
    /// the formula of one result
    pub one: RealFormula,
    #[cfg(feature = "real")]
    f32: PoolLoops<f32>,
    #[cfg(feature = "real")]
    f64: PoolLoops<f64>,
}

impl PoolFormula {
    /// The formula of a [`Curve`].
    pub(super) const fn of<C: Curve>() -> Self {
        Self {
            one: RealFormula::of::<C>(),
            #[cfg(feature = "real")]
            f32: PoolLoops::of::<C>(),
            #[cfg(feature = "real")]
            f64: PoolLoops::of::<C>(),
        }
    }
}

/// Forward and backward loops of a pool. Bytes and floats differ in [the
/// constants](super::pool::Definition::constants).
#[derive(Clone, Copy, Debug)]
pub struct PoolLoops<T> {
    /// forward pass
    pub values: PoolValues<T>,
    /// backward pass
    pub gradients: PoolGradients<T>,
}

/// Forward pass: computes `results` from the `values` at `places`. The constants are the scale and the shift.
pub type PoolValues<T> = fn(constants: (T, u32), places: Strided, values: &[T], results: &mut [T]);

/// Backward pass: adds the gradients of the values to `of_values`, from the gradients `of_results`.
pub type PoolGradients<T> =
    fn(constants: (T, u32), places: Strided, values: &[T], of_results: &[T], of_values: &mut [T]);

impl<T: Real> PoolLoops<T> {
    const fn of<C: Curve>() -> Self {
        Self {
            values: pooled::<C, T>,
            gradients: pooled_gradients::<C, T>,
        }
    }
}

fn pooled<C: Curve, T: Real>(
    (one, shift): (T, u32),
    places: Strided,
    values: &[T],
    results: &mut [T],
) {
    let Strided {
        starts: [first, second],
        stride,
    } = places;
    for (j, result) in results.iter_mut().enumerate() {
        let [x, y] = [first, second].map(|start| values[start + stride * j]);
        *result = C::value(Operands { x, y, one, shift });
    }
}

fn pooled_gradients<C: Curve, T: Real>(
    (one, shift): (T, u32),
    places: Strided,
    values: &[T],
    of_results: &[T],
    of_values: &mut [T],
) {
    let Strided {
        starts: [first, second],
        stride,
    } = places;
    for (j, &gradient) in of_results.iter().enumerate() {
        let [at_x, at_y] = [first, second].map(|start| start + stride * j);
        let [by_x, by_y] = C::slopes(Operands {
            x: values[at_x],
            y: values[at_y],
            one,
            shift,
        });
        of_values[at_x] += gradient * by_x;
        of_values[at_y] += gradient * by_y;
    }
}

impl<T: Real> Operands<T> {
    /// The operands of a float layer: scale 1, no shift.
    pub fn floats(x: T, y: T) -> Self {
        Self {
            x,
            y,
            one: T::ONE,
            shift: 0,
        }
    }

    /// The factor of a right shift: `2^-shift`.
    #[inline(always)]
    pub(super) fn shifted(&self) -> T {
        T::of(1.0 / (1_u64 << self.shift) as f64)
    }

    /// The slope of a clipped number: 1 where `0 < x < one`, 0 elsewhere.
    #[inline(always)]
    pub(super) fn within(&self, x: T) -> T {
        if x > T::ZERO && x < self.one {
            T::ONE
        } else {
            T::ZERO
        }
    }
}
