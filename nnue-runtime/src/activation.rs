//! User-defined activations: a plain function, or a kernel written with the operations of a SIMD
//! level.
//!
//! ```text
//!   accumulators  i16 ──Activation<i16>──► u8  ──► layers of 8-bit weights
//!   sums          i32 ──Activation<i32>──► u8  ──► layers of 8-bit weights
//!   sums          f32 ──Activation<f32>──► f32 ──► layers of floats
//! ```
//!
//! A declaration names an activation by its path. The pass that calls the activation also clamps
//! its bytes to the declared maximum (127 by default), so the range proofs of the next layer hold
//! whatever the activation returns.

use bytemuck::Pod;

use crate::memory::lanes_mut;
use crate::simd::{Level, Simd, Task, Vector, dispatch};

mod sealed {
    pub trait Sealed {}
}

/// The input of an activation: `i16` for an accumulator, `i32` for a sum of an integer layer, `f32`
/// for a float sum.
pub trait Lane: sealed::Sealed + Pod + core::fmt::Debug {
    /// The result: `u8`, or `f32` for floats.
    type Output: Copy + core::fmt::Debug;
    /// A vector of inputs: [`Simd::I16`], [`Simd::I32`] or [`F32`](crate::simd::FloatLanes::F32).
    type Lanes<S: Simd>: Vector;

    #[doc(hidden)]
    fn splat<S: Simd>(self, simd: S) -> Self::Lanes<S>;

    #[doc(hidden)]
    fn of_output(output: Self::Output) -> Self;

    /// Whether a lane of a result vector equals `output`. Bytes are compared after the clamp to
    /// 127.
    #[doc(hidden)]
    fn is_as(self, output: Self::Output) -> bool;
}

macro_rules! whole_numbers {
    ($($lane:ident $lanes:ident $splat:ident)*) => { $(
        impl sealed::Sealed for $lane {}

        impl Lane for $lane {
            type Output = u8;
            type Lanes<S: Simd> = S::$lanes;

            #[inline(always)]
            fn splat<S: Simd>(self, simd: S) -> S::$lanes {
                simd.$splat(self)
            }

            #[inline(always)]
            fn of_output(output: u8) -> Self {
                output.into()
            }

            fn is_as(self, output: u8) -> bool {
                self.clamp(0, 127) == Self::from(output.min(127))
            }
        }
    )* };
}

whole_numbers! { i16 I16 splat_i16  i32 I32 splat_i32 }

impl sealed::Sealed for f32 {}

impl Lane for f32 {
    type Output = f32;
    type Lanes<S: Simd> = S::F32;

    #[inline(always)]
    fn splat<S: Simd>(self, simd: S) -> S::F32 {
        simd.splat_f32(self)
    }

    #[inline(always)]
    fn of_output(output: f32) -> Self {
        output
    }

    fn is_as(self, output: f32) -> bool {
        self.to_bits() == output.to_bits() || (self.is_nan() && output.is_nan())
    }
}

/// A user-defined activation: any function `fn(i16) -> u8`, `fn(i32) -> u8` or `fn(f32) -> f32`, or
/// a type with a kernel.
///
/// [`Activation::of`] is the specification, and the level `scalar` computes it.
/// [`Activation::vector`] is the same function for a vector of any other level; by default it calls
/// `of` for each lane, which the compiler vectorises where it can. Debug builds compare every
/// vector with `of`, and [`check`] does so for values that a test chooses.
///
/// ```
/// use nnue_runtime::activation::{Activation, check};
/// use nnue_runtime::simd::Simd;
///
/// /// `clamp(y / 64 + 64, 0, 127)`: a hard sigmoid.
/// #[derive(Clone, Copy)]
/// struct HardSigmoid;
///
/// impl Activation<i32> for HardSigmoid {
///     fn of(self, y: i32) -> u8 {
///         ((y >> 6) + 64).clamp(0, 127) as u8
///     }
///
///     #[inline(always)]
///     fn vector<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
///         simd.add_i32(simd.shr_i32(y, 6), simd.splat_i32(64)) // the clamp is done for every activation
///     }
/// }
///
/// check(HardSigmoid, &(-10_000..10_000).chain([i32::MIN, i32::MAX]).collect::<Vec<_>>());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no activation of `{T}`",
    label = "of `{T}`",
    note = "accumulators take a `fn(i16) -> u8`, sums of whole numbers a `fn(i32) -> u8`, sums of floats a `fn(f32) -> f32`",
    note = "or a type of your own that implements `nnue::activation::Activation<{T}>`"
)]
pub trait Activation<T: Lane>: Copy {
    /// The activation of one value. Bytes above the declared maximum are clamped to it.
    fn of(self, x: T) -> T::Output;

    /// The activation of each lane. Byte results are lanes of the input type; they are clamped to 0
    /// and the declared maximum afterwards.
    ///
    /// Implementations should be `#[inline(always)]`, so that they are compiled with the
    /// instructions of the level.
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, x: T::Lanes<S>) -> T::Lanes<S> {
        each(simd, self, x)
    }
}

impl<T: Lane, F: Fn(T) -> T::Output + Copy> Activation<T> for F {
    #[inline(always)]
    fn of(self, x: T) -> T::Output {
        self(x)
    }
}

#[inline(always)]
fn each<T: Lane, S: Simd>(_: S, activation: impl Activation<T>, mut x: T::Lanes<S>) -> T::Lanes<S> {
    for lane in lanes_mut::<_, T>(&mut x) {
        *lane = T::of_output(activation.of(*lane));
    }
    x
}

/// A vector of results; bytes are not yet clamped to the maximum.
#[inline(always)]
pub(crate) fn apply<T: Lane, S: Simd>(
    simd: S,
    activation: impl Activation<T>,
    x: T::Lanes<S>,
) -> T::Lanes<S> {
    if const { matches!(S::LEVEL, Level::Scalar) } {
        return each(simd, activation, x);
    }
    let result = activation.vector(simd, x);
    if cfg!(debug_assertions) {
        compare(simd, activation, x, result);
    }
    result
}

/// # Panics
///
/// If a lane of `result` differs from [`Activation::of`] of that lane of `x`.
fn compare<T: Lane, S: Simd>(
    _: S,
    activation: impl Activation<T>,
    mut x: T::Lanes<S>,
    mut result: T::Lanes<S>,
) {
    for (&mut x, &mut lane) in lanes_mut::<_, T>(&mut x)
        .iter_mut()
        .zip(lanes_mut::<_, T>(&mut result))
    {
        let expected = activation.of(x);
        assert!(
            lane.is_as(expected),
            "`vector` makes {lane:?} of {x:?} at level {}, `of` makes {expected:?}",
            S::LEVEL
        );
    }
}

/// Tests a kernel: compares [`Activation::vector`] with [`Activation::of`] on every level that this
/// processor has. All NaNs count as equal.
///
/// # Panics
///
/// If they differ; the message says where.
pub fn check<T: Lane>(activation: impl Activation<T>, values: &[T]) {
    Level::available().for_each(|level| dispatch(level, Check { activation, values }));
}

struct Check<'a, A, T> {
    activation: A,
    values: &'a [T],
}

impl<T: Lane, A: Activation<T>> Task for Check<'_, A, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for values in self.values.chunks(S::BYTES / size_of::<T>()) {
            let mut x = values[0].splat(simd);
            lanes_mut::<_, T>(&mut x)[..values.len()].copy_from_slice(values);
            compare(simd, self.activation, x, self.activation.vector(simd, x));
        }
    }
}
