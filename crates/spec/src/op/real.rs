//! Activations in real numbers: what training computes, and how it changes with the operands.
//!
//! Each file of an activation has its formula and the derivative of the formula once, as a [`Curve`], for 32-bit and 64-bit floats.
//! Training computes in the former; the latter are for [`evaluate_real`](crate::reference::evaluate_real) and for tests that compare
//! derivatives with finite differences.
//!
//! Without the feature `real`, which no evaluation needs, there are the names and none of the formulas.
#![cfg_attr(
    not(feature = "real"),
    allow(dead_code, unused_imports, reason = "what computes in real numbers")
)]

use core::fmt::Debug;
use core::ops::{Add, AddAssign, Mul, Neg, Sub};

use super::operands::Operands;
use super::pairs::{Pairs, Strided};

/// The numbers of training: `f32` or `f64`.
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

    /// The nearest of these numbers.
    fn of(value: f64) -> Self;

    /// The number as a 64-bit float, exactly.
    fn get(self) -> f64;

    /// The loops of a formula over these numbers.
    #[cfg(feature = "real")]
    fn loops(formula: &RealFormula) -> Loops<Self>;

    /// The loops of a pool over these numbers.
    #[cfg(feature = "real")]
    fn pool_loops(formula: &PoolFormula) -> PoolLoops<Self>;

    /// The number held to `0..=greatest`; NaN stays.
    #[inline(always)]
    fn clip(self, greatest: Self) -> Self {
        let x = if self < Self::ZERO { Self::ZERO } else { self };
        x.at_most(greatest)
    }

    /// The lesser of the two; NaN stays.
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

/// An activation in real numbers, which stand in the units of its whole numbers.
pub(super) trait Curve {
    /// The result if neither operands nor shifts were rounded.
    fn value<T: Real>(operands: Operands<T>) -> T;

    /// The partial derivatives by `x` and by `y`: what training takes for them, where the function has a kink or is replaced by a
    /// smoother one. Where `y` is `x` again, the derivative is their sum.
    fn slopes<T: Real>(operands: Operands<T>) -> [T; 2];
}

/// A formula in real numbers with its derivative.
#[derive(Clone, Copy, Debug)]
pub struct RealFormula {
    /// the result if neither operands nor shifts were rounded
    #[cfg(feature = "real")]
    pub value: fn(Operands<f64>) -> f64,
    /// its partial derivatives by `x` and by `y`; where `y` is `x` again, the derivative is their sum
    #[cfg(feature = "real")]
    pub slopes: fn(Operands<f64>) -> [f64; 2],
    #[cfg(feature = "real")]
    f32: Loops<f32>,
    #[cfg(feature = "real")]
    f64: Loops<f64>,
}

impl RealFormula {
    /// The formula of a curve.
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

/// What is the same for all operands.
#[derive(Clone, Copy, Debug)]
pub struct Constants<T> {
    /// [`Operation::pairs`](super::Operation::pairs)
    pub pairs: Option<Pairs>,
    /// what 1.0 is in the operands
    pub one: T,
    /// bits of the shift, by which real numbers are divided
    pub shift: u32,
}

/// A formula and its derivative for many operands at once: a whole half of accumulators, or all sums of a layer.
#[derive(Clone, Copy, Debug)]
pub struct Loops<T> {
    /// writes the results of operands
    pub values: Values<T>,
    /// adds to the gradient of the operands what follows from that of the results
    pub gradients: Gradients<T>,
}

/// The loop of the results: `operands` gives `results`.
pub type Values<T> = fn(constants: Constants<T>, operands: &[T], results: &mut [T]);

/// The loop of the gradient: what follows from the gradient `of_results` is added to `of_operands`.
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
    /// one result
    pub one: RealFormula,
    #[cfg(feature = "real")]
    f32: PoolLoops<f32>,
    #[cfg(feature = "real")]
    f64: PoolLoops<f64>,
}

impl PoolFormula {
    /// The formula of a curve.
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

/// A pool and its derivative for many results at once. Bytes and floats differ in [the constants](super::pool::Definition::constants).
#[derive(Clone, Copy, Debug)]
pub struct PoolLoops<T> {
    /// writes the results of values
    pub values: PoolValues<T>,
    /// adds to the gradient of values what follows from that of the results
    pub gradients: PoolGradients<T>,
}

/// The loop of the results: the `values` that stand at `places` give `results`. The constants are what 1.0 is and the shift.
pub type PoolValues<T> = fn(constants: (T, u32), places: Strided, values: &[T], results: &mut [T]);

/// The loop of the gradient: what follows from the gradient `of_results` is added to `of_values`.
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
    /// The two operands, where nothing is shifted and 1.0 is one: those of a layer of floats.
    pub fn floats(x: T, y: T) -> Self {
        Self {
            x,
            y,
            one: T::ONE,
            shift: 0,
        }
    }

    /// What a shift to the right multiplies a real number by: `2^-shift`.
    #[inline(always)]
    pub(super) fn shifted(&self) -> T {
        T::of(1.0 / (1_u64 << self.shift) as f64)
    }

    /// 1 where `0 < x < one`, 0 elsewhere: the slope of a clipped number.
    #[inline(always)]
    pub(super) fn within(&self, x: T) -> T {
        if x > T::ZERO && x < self.one {
            T::ONE
        } else {
            T::ZERO
        }
    }
}
