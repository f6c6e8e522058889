//! The activations: operations that turn accumulators, or the sums of a layer, into values that layers read.
//!
//! Each has a file here with its name in declarations, its operands, the range and unit of its results, its
//! exact formula, the formula in real numbers, and the derivative. Checks, plans, proofs, the quantiser and
//! the reference interpreter use these definitions. The kernels in `nnue-runtime/src/kernel` do not; the code
//! generator finds a kernel by the operation's name.
//!
//! ```text
//!   operand            results                read by                    field of `Operation`
//!   accumulators i16   u8, 0..=127            layers of 8-bit weights    accumulators
//!   accumulators i16   whole numbers, exact   16-bit weights, floats     whole
//!   accumulators i16   i16, 0..=32767         8-bit and 16-bit weights   words()
//!   sums i32           u8, 0..=127            layers of 8-bit weights    sums
//!   sums f32           f32                    layers of floats           floats
//! ```

mod crelu;
mod float;
mod gate;
mod gated;
mod glu;
mod hard_swish;
mod leaky_relu;
mod operands;
pub mod pairs;
mod pairwise;
pub mod pool;
mod quantmoid4;
mod real;
mod reduce;
mod reglu;
mod relu;
mod relu6;
mod screlu;
mod sigmoid;
mod sign;
mod silu;
mod sqr_crelu;
mod swiglu;
mod tanh;
#[cfg(test)]
mod tests;

use crate::descriptor::Unit;
pub use float::exponential;
pub use operands::Operands;
pub use pairs::{Pairs, Strided};
pub use pool::Pool;
use real::Curve;
pub use real::{
    Constants, Gradients, Loops, PoolFormula, PoolGradients, PoolLoops, PoolValues, Real,
    RealFormula, Values,
};
pub use reduce::Reduce;
pub use sign::{sign, sign_slope};

/// Greatest value of a buffer of 16-bit values.
pub const WORD_MAX: u64 = i16::MAX as u64;

/// Greatest value of a u8 buffer: dot products take unsigned operands up to 127.
pub const BUFFER_MAX: u64 = 127;

/// An activation: a function of one operand, or of pairs of operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// clipped ReLU
    Crelu,
    /// squared clipped ReLU
    SqrCrelu,
    /// squared clipped ReLU without a shift: for layers of 16-bit weights and of floats
    Screlu,
    /// product of the two halves of each accumulator, or of values of layers
    Pairwise,
    /// hard swish, `y * clamp(y + 3, 0, 6) / 6`: for layers of floats
    HardSwish,
    /// the lower half of the sums times the hard swish of the upper half: for layers of floats
    Gated,
    /// a quantised sigmoid: `sigmoid(4x)` as two parabolas
    Quantmoid4,
    /// `max(y, 0)`: for layers of floats
    Relu,
    /// `clamp(y, 0, 6)`: for layers of floats
    Relu6,
    /// `y`, or `0.01 y` where it is negative: for layers of floats
    LeakyRelu,
    /// `1 / (1 + exp(-y))`: for layers of floats
    Sigmoid,
    /// the hyperbolic tangent: for layers of floats
    Tanh,
    /// `y * sigmoid(y)`: for layers of floats
    Silu,
    /// the lower half of the sums times the sigmoid of the upper half: for layers of floats
    Glu,
    /// the lower half of the sums times the ReLU of the upper half: for layers of floats
    Reglu,
    /// the lower half of the sums times the SiLU of the upper half: for layers of floats
    Swiglu,
    /// average of the two halves
    AvgHalves,
    /// average of neighbours
    AvgNeighbours,
    /// maximum of the two halves
    MaxHalves,
    /// maximum of neighbours
    MaxNeighbours,
    /// product of neighbours
    MulNeighbours,
    /// a function of the program: its index in [`CustomDesc::activations`](crate::CustomDesc::activations)
    Custom(usize),
}

impl Activation {
    /// All activations that the language names.
    pub const ALL: [Self; 21] = [
        Self::Crelu,
        Self::SqrCrelu,
        Self::Screlu,
        Self::Pairwise,
        Self::HardSwish,
        Self::Gated,
        Self::Quantmoid4,
        Self::Relu,
        Self::Relu6,
        Self::LeakyRelu,
        Self::Sigmoid,
        Self::Tanh,
        Self::Silu,
        Self::Glu,
        Self::Reglu,
        Self::Swiglu,
        Self::AvgHalves,
        Self::AvgNeighbours,
        Self::MaxHalves,
        Self::MaxNeighbours,
        Self::MulNeighbours,
    ];

    /// Its definition; `None` for a function of the program.
    pub const fn operation(self) -> Option<&'static Operation> {
        Some(match self {
            Self::Crelu => &crelu::OPERATION,
            Self::SqrCrelu => &sqr_crelu::OPERATION,
            Self::Screlu => &screlu::OPERATION,
            Self::Pairwise => &pairwise::OPERATION,
            Self::HardSwish => &hard_swish::OPERATION,
            Self::Gated => &gated::OPERATION,
            Self::Quantmoid4 => &quantmoid4::OPERATION,
            Self::Relu => &relu::OPERATION,
            Self::Relu6 => &relu6::OPERATION,
            Self::LeakyRelu => &leaky_relu::OPERATION,
            Self::Sigmoid => &sigmoid::OPERATION,
            Self::Tanh => &tanh::OPERATION,
            Self::Silu => &silu::OPERATION,
            Self::Glu => &glu::OPERATION,
            Self::Reglu => &reglu::OPERATION,
            Self::Swiglu => &swiglu::OPERATION,
            Self::AvgHalves => &pool::average::HALVES,
            Self::AvgNeighbours => &pool::average::NEIGHBOURS,
            Self::MaxHalves => &pool::maximum::HALVES,
            Self::MaxNeighbours => &pool::maximum::NEIGHBOURS,
            Self::MulNeighbours => &pool::product::NEIGHBOURS,
            Self::Custom(_) => return None,
        })
    }

    /// Number of results of `n` operands.
    pub const fn values(self, n: usize) -> usize {
        match self.operation() {
            Some(Operation { pairs: Some(_), .. }) => n / 2,
            _ => n,
        }
    }

    /// The equivalent pool and its pairing; `None` for functions of one operand and for gates.
    pub const fn pool(self) -> Option<(Pool, Pairs)> {
        Some(match self {
            Self::Pairwise => (Pool::Product, Pairs::Halves),
            Self::AvgHalves => (Pool::Average, Pairs::Halves),
            Self::AvgNeighbours => (Pool::Average, Pairs::Neighbours),
            Self::MaxHalves => (Pool::Maximum, Pairs::Halves),
            Self::MaxNeighbours => (Pool::Maximum, Pairs::Neighbours),
            Self::MulNeighbours => (Pool::Product, Pairs::Neighbours),
            _ => return None,
        })
    }

    /// Whether its operand must be activated explicitly, accumulators included: `max_halves(crelu(acc))`.
    /// `pairwise` of an accumulator clips by definition.
    pub const fn reads_activated(self) -> bool {
        self.pool().is_some() && !matches!(self, Self::Pairwise)
    }
}

/// The definition of an activation. A field is `None` if the activation is not defined for that operand.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// the name as written in a declaration
    pub name: &'static str,
    /// pairing of operands, so that n operands give n/2 results; `None`: operand j gives result j
    pub pairs: Option<Pairs>,
    /// on accumulators, for layers of 8-bit weights: results up to 127
    pub accumulators: Option<Formula>,
    /// on accumulators, for layers of 16-bit weights and of floats: exact products, without a shift
    pub whole: Option<Formula>,
    /// on the integer sums of a layer, for layers of 8-bit weights: results up to 127
    pub sums: Option<Formula>,
    /// on float sums, with scale 1
    pub floats: Option<FloatFormula>,
}

impl Operation {
    /// On accumulators with 16-bit results: clipped values, and products with the written shift or none.
    pub const fn words(&self) -> Option<Formula> {
        match (self.pairs, self.accumulators, self.whole) {
            (Some(Pairs::Neighbours), ..) => None,
            (
                _,
                Some(
                    formula @ Formula {
                        shift: Shift::Product,
                        ..
                    },
                ),
                _,
            ) => Some(formula),
            (_, _, whole) => whole,
        }
    }
}

/// A function of integers.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// the exact result
    pub value: fn(Operands<i64>) -> i64,
    /// the formula in real numbers, with the derivative
    pub real: RealFormula,
    /// the greatest result; the least is 0
    pub greatest: fn(one: i64, shift: u32) -> i64,
    /// conversion of a result to a real number
    pub unit: fn(one: u64, shift: u32) -> Unit,
    /// `n` if operands times `k > 0` give results times `k^n` unless something is clipped; `None`: valid for
    /// one scale only
    pub degree: Option<u32>,
    /// the shift after the activation
    pub shift: Shift,
    /// the only accumulator scale for which it is defined; `None`: any scale with results up to 127
    pub only_one: Option<u64>,
}

/// The shift `>> n` after an activation, and its default.
#[derive(Clone, Copy, Debug)]
pub enum Shift {
    /// no shift
    None,
    /// shift of a clipped accumulator; none by default
    Clipped,
    /// shift of a product of two accumulators; default [`product_shift`](crate::quant::product_shift)
    Product,
    /// shift of a sum, or of its square
    Sum {
        /// default shift for a weight scale, a power of two
        default: fn(scale: u64) -> u32,
        /// the greatest shift that leaves more than the sign
        most: u64,
    },
}

/// A function of floats.
#[derive(Clone, Copy, Debug)]
pub struct FloatFormula {
    /// the result for `x` and its partner, every operation rounded to f32 as in the kernels
    pub value: fn(x: f32, y: f32) -> f32,
    /// the formula in real numbers, with the derivative
    pub real: RealFormula,
}

impl Formula {
    /// Applies a formula to `values`: all accumulators of a perspective, or all sums of a layer.
    pub fn apply<T: Copy>(
        function: fn(Operands<T>) -> T,
        pairs: Option<Pairs>,
        values: &[T],
        (one, shift): (T, u32),
    ) -> impl Iterator<Item = T> {
        pairs::operands(pairs, values).map(move |(x, y)| function(Operands { x, y, one, shift }))
    }
}

/// The product of two accumulators `0..=one`, shifted right; shared by squares and products of halves.
mod product {
    use super::{Curve, Formula, Operands, Real, RealFormula, Shift, Unit};

    /// Accumulators as bytes.
    pub(super) const BYTES: Formula = Formula {
        value,
        real: RealFormula::of::<Product>(),
        greatest,
        unit,
        degree: Some(2),
        shift: Shift::Product,
        only_one: None,
    };

    struct Product;

    impl Curve for Product {
        fn value<T: Real>(o: Operands<T>) -> T {
            o.x.clip(o.one) * o.y.clip(o.one) * o.shifted()
        }

        fn slopes<T: Real>(o: Operands<T>) -> [T; 2] {
            let [x, y] = [o.x.clip(o.one), o.y.clip(o.one)];
            [
                o.within(o.x) * y * o.shifted(),
                o.within(o.y) * x * o.shifted(),
            ]
        }
    }

    fn value(Operands { x, y, one, shift }: Operands<i64>) -> i64 {
        (x.clamp(0, one) * y.clamp(0, one)) >> shift
    }

    fn greatest(one: i64, shift: u32) -> i64 {
        (one * one) >> shift
    }

    fn unit(one: u64, shift: u32) -> Unit {
        Unit {
            num: 1 << shift,
            den: one * one,
        }
    }
}

/// The unit 1/127: activated sums clip at 127.
fn unit_of_sums(_: u64, _: u32) -> Unit {
    Unit {
        num: 1,
        den: BUFFER_MAX,
    }
}
