//! Activations and pools as C functions: the value, and the derivatives with respect to both operands.
//!
//! `nnue_spec::op` defines them; tests compare each text with its definition. `one` is the scale of the
//! operands and `shifted` is `2^-shift`.

use nnue_spec::op::{Activation, Pool};

/// A function of `x` and its partner `y`; without pairs `y` equals `x`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Curve {
    pub(super) name: &'static str,
    value: &'static str,
    by_x: &'static str,
    by_y: &'static str,
}

pub(super) const HELPERS: &str = "\
// x held to 0..one.
__device__ inline float clip(float x, float one) {
    return x < 0.0f ? 0.0f : x > one ? one : x;
}

// 1 where 0 < x < one, otherwise 0: the slope of a clipped number.
__device__ inline float within(float x, float one) {
    return x > 0.0f && x < one ? 1.0f : 0.0f;
}

// 0 and what is no number have the sign of a negative number.
__device__ inline float sign_of(float x) {
    return x > 0.0f ? 1.0f : -1.0f;
}

__device__ inline float at_most(float x, float one) {
    return x > one ? one : x;
}

__device__ inline float sigmoid(float x) {
    return 1.0f / (1.0f + expf(-x));
}

__device__ inline float hard(float x) {
    return x * clip(x + 3.0f, 6.0f) * (1.0f / 6.0f);
}

__device__ inline float slope_of_hard(float x) {
    return x <= -3.0f ? 0.0f : x >= 3.0f ? 1.0f : (x + x + 3.0f) * (1.0f / 6.0f);
}

// sigmoid(4 x) in two parabolas, 1.0 of x being 127 and that of the result 126
__device__ inline float parabolas(float x) {
    float rest = 127.0f - at_most(x < 0.0f ? -x : x, 127.0f);
    float q = rest * rest * (1.0f / 256.0f);
    return x > 0.0f ? 126.0f - q : q;
}

// What stands for the derivative of that: the derivative of the sigmoid.
__device__ inline float slope_of_parabolas(float x) {
    float s = sigmoid(4.0f / 127.0f * x);
    return 4.0f * s * (1.0f - s) * (126.0f / 127.0f);
}

";

/// The curve of an activation. Accumulators are clipped before they are
/// squared or shifted, sums after it.
pub(super) fn activation(function: Activation, of_accumulators: bool) -> Option<Curve> {
    Some(match function {
        Activation::Crelu if of_accumulators => single(
            "clipped",
            "clip(x, one) * shifted",
            "within(x, one) * shifted",
        ),
        Activation::Crelu => single(
            "crelu",
            "clip(x * shifted, one)",
            "within(x * shifted, one) * shifted",
        ),
        Activation::SqrCrelu if !of_accumulators => single(
            "square",
            "at_most(x * x * shifted, one)",
            "x * x * shifted >= one ? 0.0f : (x + x) * shifted",
        ),
        Activation::SqrCrelu
        | Activation::Screlu
        | Activation::Pairwise
        | Activation::MulNeighbours => Curve {
            name: "product",
            value: "clip(x, one) * clip(y, one) * shifted",
            by_x: "within(x, one) * clip(y, one) * shifted",
            by_y: "within(y, one) * clip(x, one) * shifted",
        },
        Activation::HardSwish => single("hard_swish", "hard(x)", "slope_of_hard(x)"),
        Activation::Quantmoid4 => single(
            "quantmoid4",
            "parabolas(x * shifted)",
            "slope_of_parabolas(x * shifted) * shifted",
        ),
        Activation::Relu => single("relu", "x > 0.0f ? x : 0.0f", "x > 0.0f ? 1.0f : 0.0f"),
        Activation::Relu6 => single("relu6", "clip(x, 6.0f)", "within(x, 6.0f)"),
        Activation::LeakyRelu => single(
            "leaky_relu",
            "x > 0.0f ? x : x * 0.01f",
            "x > 0.0f ? 1.0f : 0.01f",
        ),
        Activation::Sigmoid => single(
            "logistic_of",
            "sigmoid(x)",
            "sigmoid(x) * (1.0f - sigmoid(x))",
        ),
        Activation::Tanh => single(
            "tangent",
            "2.0f * sigmoid(x + x) - 1.0f",
            "1.0f - (2.0f * sigmoid(x + x) - 1.0f) * (2.0f * sigmoid(x + x) - 1.0f)",
        ),
        Activation::Silu => single(
            "silu",
            "x * sigmoid(x)",
            "sigmoid(x) * (1.0f + x * (1.0f - sigmoid(x)))",
        ),
        Activation::Gated => Curve {
            name: "gated",
            value: "x * hard(y)",
            by_x: "hard(y)",
            by_y: "x * slope_of_hard(y)",
        },
        Activation::Glu => Curve {
            name: "glu",
            value: "x * sigmoid(y)",
            by_x: "sigmoid(y)",
            by_y: "x * sigmoid(y) * (1.0f - sigmoid(y))",
        },
        Activation::Reglu => Curve {
            name: "reglu",
            value: "y > 0.0f ? x * y : 0.0f",
            by_x: "y > 0.0f ? y : 0.0f",
            by_y: "y > 0.0f ? x : 0.0f",
        },
        Activation::Swiglu => Curve {
            name: "swiglu",
            value: "x * y * sigmoid(y)",
            by_x: "y * sigmoid(y)",
            by_y: "x * sigmoid(y) * (1.0f + y * (1.0f - sigmoid(y)))",
        },
        Activation::AvgHalves | Activation::AvgNeighbours => Curve {
            name: "clipped_average",
            value: "(clip(x, one) + clip(y, one)) * 0.5f",
            by_x: "within(x, one) * 0.5f",
            by_y: "within(y, one) * 0.5f",
        },
        Activation::MaxHalves | Activation::MaxNeighbours => Curve {
            name: "clipped_maximum",
            value: "clip(x, one) > clip(y, one) ? clip(x, one) : clip(y, one)",
            by_x: "clip(x, one) >= clip(y, one) ? within(x, one) : 0.0f",
            by_y: "clip(x, one) >= clip(y, one) ? 0.0f : within(y, one)",
        },
        Activation::Custom(_) => return None,
    })
}

/// The curve of a pool of layer values.
pub(super) const fn pool(pool: Pool) -> Curve {
    match pool {
        Pool::Add => {
            let slope = "x + y < one ? 1.0f : 0.0f";
            Curve {
                name: "add",
                value: "at_most(x + y, one)",
                by_x: slope,
                by_y: slope,
            }
        }
        Pool::Average => Curve {
            name: "average",
            value: "(x + y) * 0.5f",
            by_x: "0.5f",
            by_y: "0.5f",
        },
        Pool::Maximum => Curve {
            name: "maximum",
            value: "x > y ? x : y",
            by_x: "x >= y ? 1.0f : 0.0f",
            by_y: "x >= y ? 0.0f : 1.0f",
        },
        Pool::Product => Curve {
            name: "pool_product",
            value: "x * y * shifted",
            by_x: "y * shifted",
            by_y: "x * shifted",
        },
    }
}

const fn single(name: &'static str, value: &'static str, by_x: &'static str) -> Curve {
    Curve {
        name,
        value,
        by_x,
        by_y: "0.0f",
    }
}

impl Curve {
    /// The C text of its three functions.
    pub(super) fn text(self) -> String {
        let Self {
            name,
            value,
            by_x,
            by_y,
        } = self;
        let parts = [("", value), ("_by_x", by_x), ("_by_y", by_y)];
        let function = |(part, expression): (&str, &str)| {
            format!(
                "__device__ inline float {name}{part}(float x, float y, float one, float shifted) {{
    return {expression};
}}

"
            )
        };
        parts.map(function).concat()
    }
}
