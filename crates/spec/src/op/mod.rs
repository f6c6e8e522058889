//! The activations: operations that turn accumulators, or the sums of a layer, into values that layers read.
//!
//! Each has a file here that defines it: its name in declarations, what it may be applied to, the range and the unit of its
//! results, its exact formula, the same formula in real numbers, and its derivative. Checks, plans, proofs, the quantiser and
//! the reference interpreter work from these definitions. The kernels are in `nnue-runtime/src/kernel` and share nothing with
//! them; the code generator finds a kernel by the operation's name.
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

/// Greatest value of a u8 buffer: dot products take their unsigned operand as at most 127.
pub const BUFFER_MAX: u64 = 127;

/// An activation: an elementwise function, or one of two operands each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Activation {
    /// clipped ReLU
    Crelu,
    /// squared clipped ReLU
    SqrCrelu,
    /// squared clipped ReLU that is not shifted: for layers of 16-bit weights and of floats
    Screlu,
    /// product of the two halves of each accumulator, or of values of layers
    Pairwise,
    /// hard swish, `y * clamp(y + 3, 0, 6) / 6`: for layers of floats
    HardSwish,
    /// the lower half of the sums times the hard swish of the upper half: for layers of floats
    Gated,
    /// a quantised sigmoid, `sigmoid(4x)` in two parabolas
    Quantmoid4,
    /// `max(y, 0)`: for layers of floats
    Relu,
    /// `clamp(y, 0, 6)`: for layers of floats
    Relu6,
    /// `y`, or a hundredth of it where it is negative: for layers of floats
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
    /// the greater ones of the two halves
    MaxHalves,
    /// the greater ones of neighbours
    MaxNeighbours,
    /// product of neighbours
    MulNeighbours,
    /// a function of the program: its index in [`CustomDesc::activations`](crate::CustomDesc::activations)
    Custom(usize),
}

impl Activation {
    /// All that the language names.
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

    /// The pool that it is, and of which pairs; `None` of functions of single operands and of gates.
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

    /// Whether what it reads is activated by a word of its own, also of accumulators: `max_halves(crelu(acc))`. `pairwise` of an accumulator is
    /// the product of clipped halves by its definition.
    pub const fn reads_activated(self) -> bool {
        self.pool().is_some() && !matches!(self, Self::Pairwise)
    }
}

/// The definition of an activation. A field for an operand is `None` where the activation is not defined for it.
#[derive(Clone, Copy, Debug)]
pub struct Operation {
    /// the name as written in a declaration
    pub name: &'static str,
    /// Which two operands make a result, so that n operands give n/2 results; `None`: operand j makes result j.
    pub pairs: Option<Pairs>,
    /// of accumulators, read by layers of 8-bit weights: results up to 127
    pub accumulators: Option<Formula>,
    /// of accumulators, read by layers of 16-bit weights and of floats: exact products, without a shift
    pub whole: Option<Formula>,
    /// of the sums of a layer, read by layers of 8-bit weights: results up to 127
    pub sums: Option<Formula>,
    /// of the sums of a layer as floats, where 1.0 is one
    pub floats: Option<FloatFormula>,
}

impl Operation {
    /// Of accumulators that are kept in 16 bits: clipped values, and products with the shift that is written, or with none.
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

/// A function of whole numbers.
#[derive(Clone, Copy, Debug)]
pub struct Formula {
    /// the result, exactly
    pub value: fn(Operands<i64>) -> i64,
    /// the same in real numbers, with the derivative
    pub real: RealFormula,
    /// the greatest result; the least is 0
    pub greatest: fn(one: i64, shift: u32) -> i64,
    /// how a result becomes a real number
    pub unit: fn(one: u64, shift: u32) -> Unit,
    /// `n`, if operands times `k > 0` give results times `k^n`, as long as nothing is clipped; `None`: its shape belongs to one scale
    pub degree: Option<u32>,
    /// the shift that may be written after the activation
    pub shift: Shift,
    /// the only scale of accumulators for which it is defined; `None`: any for which results are at most 127
    pub only_one: Option<u64>,
}

/// What may be written as `>> n`, and what follows where nothing is written.
#[derive(Clone, Copy, Debug)]
pub enum Shift {
    /// nothing is shifted
    None,
    /// A product of two accumulators is. Without a shift, [`product_shift`](crate::quant::product_shift) is taken.
    Product,
    /// A sum, or its square, is.
    Sum {
        /// from the scale of the layer's weights, a power of two, to the shift
        default: fn(scale: u64) -> u32,
        /// the greatest shift that leaves more than a sign
        most: u64,
    },
}

/// A function of floats.
#[derive(Clone, Copy, Debug)]
pub struct FloatFormula {
    /// the result of `x` and of its partner, with every operation rounded to f32 as the kernels round it
    pub value: fn(x: f32, y: f32) -> f32,
    /// the same in real numbers, with the derivative
    pub real: RealFormula,
}

impl Formula {
    /// The results of `values`, a whole half of accumulators or all sums of a layer.
    pub fn apply<T: Copy>(
        function: fn(Operands<T>) -> T,
        pairs: Option<Pairs>,
        values: &[T],
        (one, shift): (T, u32),
    ) -> impl Iterator<Item = T> {
        pairs::operands(pairs, values).map(move |(x, y)| function(Operands { x, y, one, shift }))
    }
}

/// The product of two accumulators `0..=one`, shifted right: what squares and products of halves have in common.
mod product {
    use super::{Curve, Formula, Operands, Real, RealFormula, Shift, Unit};

    /// Of accumulators that are read as bytes.
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

/// 1.0 is 127, where activated sums clip.
fn unit_of_sums(_: u64, _: u32) -> Unit {
    Unit {
        num: 1,
        den: BUFFER_MAX,
    }
}
