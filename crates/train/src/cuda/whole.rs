//! The kernels that round values to the integers that inference computes from rounded weights.
//!
//! They run after the kernels of real numbers and overwrite the results, as [`Whole`] does on the CPU, with
//! the exact formulas of [`nnue_spec::op`] in 64 bits. The gradient is straight-through, so they have no
//! backward pass.

use std::ops::Range;

use nnue_spec::op::{Activation, Pool};

use super::elementwise::{Paired, Split, loop_by, loop_of};
use super::kernel::{Kernel, Places};
use crate::network::whole::Whole;

pub(super) const HELPERS: &str = "\
// x held to 0..one.
__device__ inline long long held(long long x, long long one) {
    return x < 0 ? 0 : x > one ? one : x;
}

__device__ inline long long least(long long x, long long y) {
    return x < y ? x : y;
}

__device__ inline long long greatest(long long x, long long y) {
    return x > y ? x : y;
}

// sigmoid(4 x) in two parabolas, which are rounded down.
__device__ inline long long whole_parabolas(long long x) {
    long long rest = 127 - least(x < 0 ? -x : x, 127), q = rest * rest >> 8;
    return x > 0 ? 126 - q : q;
}

";

/// The exact formula of an activation of `x` and `y` with `one` and `shift`; `None` if it is undefined for
/// integers.
const fn activation(function: Activation, of_accumulators: bool) -> Option<&'static str> {
    Some(match function {
        Activation::Crelu if of_accumulators => "held(x, one) >> shift",
        Activation::Crelu => "held(x >> shift, one)",
        Activation::SqrCrelu if !of_accumulators => "least(x * x >> shift, one)",
        Activation::SqrCrelu
        | Activation::Screlu
        | Activation::Pairwise
        | Activation::MulNeighbours => "held(x, one) * held(y, one) >> shift",
        Activation::Quantmoid4 => "whole_parabolas(x >> shift)",
        Activation::AvgHalves | Activation::AvgNeighbours => {
            "(held(x, one) + held(y, one) + 1) >> 1"
        }
        Activation::MaxHalves | Activation::MaxNeighbours => "greatest(held(x, one), held(y, one))",
        Activation::HardSwish
        | Activation::Relu
        | Activation::Relu6
        | Activation::LeakyRelu
        | Activation::Sigmoid
        | Activation::Tanh
        | Activation::Silu
        | Activation::Gated
        | Activation::Glu
        | Activation::Reglu
        | Activation::Swiglu
        | Activation::Custom(_) => return None,
    })
}

/// The exact formula of a pool of bytes.
const fn pool(pool: Pool) -> &'static str {
    match pool {
        Pool::Add => "least(x + y, one)",
        Pool::Average => "(x + y + 1) >> 1",
        Pool::Maximum => "greatest(x, y)",
        Pool::Product => "x * y >> shift",
    }
}

pub(super) fn kernel(number: usize, whole: &Whole, places: Places) -> Kernel {
    match whole {
        Whole::Nearest { values } => {
            let x = places.of(values.start, "r");
            let body = format!("values[{x}] = rintf(values[{x}]);");
            loop_of(
                format!("nearest_{number}"),
                "Sums of rounded weights are whole.\n",
                values.len(),
                &body,
            )
        }
        Whole::Activation {
            function,
            pairs,
            constants,
            parts,
            operands,
            results,
            ..
        } => {
            let formula = activation(*function, operands.start < places.accumulators);
            let formula = formula.expect("it has an exact formula");
            let paired = Paired::of_activation(*pairs, operands, (*parts, results.len()), places);
            let name = function.operation().map_or("", |operation| operation.name);
            let name = format!("whole_{name}_{number}");
            overwrite(
                (name, formula),
                *constants,
                (&paired, Split::of(operands, places)),
                results,
                places,
            )
        }
        Whole::Pool {
            pool: kind,
            constants,
            places: strided,
            results,
        } => {
            let paired = Paired::of_pool(*strided, places);
            let name = format!("whole_pool_{}_{number}", kind.definition().name);
            overwrite(
                (name, pool(*kind)),
                *constants,
                (&paired, Split::Tiles),
                results,
                places,
            )
        }
        Whole::Mean {
            size,
            operands,
            results,
        } => {
            let (x, y) = (
                places.of(operands.start, format!("r * {size} + k")),
                places.of(results.start, "r"),
            );
            let body = format!(
                "if (values[{y}] != values[{y}]) continue;
        long long sum = 0;
        for (int k = 0; k < {size}; k++) sum += (long long)values[{x}];
        values[{y}] = (float)((2 * sum + {size}) / {twice});",
                twice = 2 * size,
            );
            loop_of(
                format!("whole_mean_{number}"),
                "Means, rounded to the nearest.\n",
                results.len(),
                &body,
            )
        }
    }
}

/// Recomputes results, except NaN.
fn overwrite(
    (name, formula): (String, &str),
    (one, shift): (i64, u32),
    (paired, split): (&Paired, Split),
    results: &Range<usize>,
    places: Places,
) -> Kernel {
    let Paired { x, y } = paired;
    let result = places.of(results.start, "r");
    let body = format!(
        "if (values[{result}] != values[{result}]) continue;
        long long x = (long long)values[{x}], y = (long long)values[{y}], one = {one};
        int shift = {shift};
        values[{result}] = (float)({formula});",
        y = y.as_ref().unwrap_or(x),
    );
    loop_by(
        name,
        "The same in whole numbers.\n",
        (results.len(), split),
        &body,
    )
}
