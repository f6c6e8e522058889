//! Element-wise operations.

use std::borrow::Cow;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::op::{Binary, Steps, Unary};
use crate::tensor::{Data, Element, Tensor, elements, strides};

use super::{floats, shape};

pub(super) fn unary(unary: Unary, x: &Tensor) -> Result<Tensor, ImportError> {
    let data = match (unary, x.data()) {
        (Unary::Not, Data::Bool(values)) => Data::Bool(values.iter().map(|value| !value).collect()),
        (Unary::Abs, Data::I64(values)) => {
            Data::I64(values.iter().map(|value| value.saturating_abs()).collect())
        }
        (Unary::Neg, Data::I64(values)) => {
            Data::I64(values.iter().map(|value| value.saturating_neg()).collect())
        }
        (Unary::Relu, Data::I64(values)) => {
            Data::I64(values.iter().map(|&value| value.max(0)).collect())
        }
        (Unary::Sign, Data::I64(values)) => {
            Data::I64(values.iter().map(|value| value.signum()).collect())
        }
        _ => Data::F32(
            floats(x)?
                .iter()
                .map(|&value| of_float(unary, value))
                .collect(),
        ),
    };
    Tensor::new(x.shape().to_vec(), data)
}

fn of_float(unary: Unary, x: f32) -> f32 {
    let sigmoid = |x: f32| (1.0 / (1.0 + (-f64::from(x)).exp())) as f32;
    let wide = |function: fn(f64) -> f64| function(f64::from(x)) as f32;
    match unary {
        Unary::Relu => x.max(0.0),
        Unary::Relu6 => x.clamp(0.0, 6.0),
        Unary::LeakyRelu(slope) => {
            if x > 0.0 {
                x
            } else {
                slope * x
            }
        }
        Unary::Sigmoid => sigmoid(x),
        Unary::Tanh => wide(f64::tanh),
        Unary::Silu => x * sigmoid(x),
        Unary::HardSigmoid { slope, shift } => (slope * x + shift).clamp(0.0, 1.0),
        Unary::HardSwish => x * (x + 3.0).clamp(0.0, 6.0) / 6.0,
        Unary::Abs => x.abs(),
        Unary::Neg => -x,
        Unary::Sign => {
            if x > 0.0 {
                1.0
            } else if x < 0.0 {
                -1.0
            } else {
                0.0
            }
        }
        Unary::Sqrt => x.sqrt(),
        Unary::Exp => wide(f64::exp),
        Unary::Log => wide(f64::ln),
        Unary::Reciprocal => 1.0 / x,
        Unary::Floor => x.floor(),
        Unary::Ceil => x.ceil(),
        Unary::Round => x.round_ties_even(),
        Unary::Not => {
            if x == 0.0 {
                1.0
            } else {
                0.0
            }
        }
    }
}

pub(super) fn binary(
    binary: Binary,
    a: &Tensor,
    b: &Tensor,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let pairs = Pairs::new(&[a.shape(), b.shape()])?;
    let widest = a.element().max(b.element());
    budget.fits(&pairs.shape, widest)?;
    let data = match widest {
        _ if binary == Binary::TrueDiv => pairs.floats(a, b, |a, b| a / b),
        Element::F32 => match compared(binary) {
            Some(compared) => pairs.compared(a, b, |a: f32, b: f32| compared(a.partial_cmp(&b))),
            None => pairs.floats(a, b, |a, b| of_floats(binary, a, b)),
        },
        Element::I64 | Element::Bool => {
            let (a, b) = (as_type(a, Element::I64), as_type(b, Element::I64));
            let (a, b) = (integers_of(&a), integers_of(&b));
            match (compared(binary), widest) {
                (Some(compared), _) => {
                    Data::Bool(pairs.each(|at| compared(Some(a[at[0]].cmp(&b[at[1]])))))
                }
                (None, Element::Bool) => {
                    let result = |at: [usize; 2]| Ok(of_integers(binary, a[at[0]], b[at[1]])? != 0);
                    Data::Bool(
                        pairs
                            .each(result)
                            .into_iter()
                            .collect::<Result<_, ImportError>>()?,
                    )
                }
                (None, _) => {
                    let result = |at: [usize; 2]| of_integers(binary, a[at[0]], b[at[1]]);
                    Data::I64(pairs.each(result).into_iter().collect::<Result<_, _>>()?)
                }
            }
        }
    };
    Tensor::new(pairs.shape, data)
}

/// The predicate of a comparison; every comparison with NaN is unordered.
fn compared(binary: Binary) -> Option<fn(Option<std::cmp::Ordering>) -> bool> {
    Some(match binary {
        Binary::Equal => |order| order.is_some_and(|order| order.is_eq()),
        Binary::NotEqual => |order| order.is_none_or(|order| order.is_ne()),
        Binary::Less => |order| order.is_some_and(|order| order.is_lt()),
        Binary::LessOrEqual => |order| order.is_some_and(|order| order.is_le()),
        Binary::Greater => |order| order.is_some_and(|order| order.is_gt()),
        Binary::GreaterOrEqual => |order| order.is_some_and(|order| order.is_ge()),
        _ => return None,
    })
}

fn of_floats(binary: Binary, a: f32, b: f32) -> f32 {
    match binary {
        Binary::Add => a + b,
        Binary::Sub => a - b,
        Binary::Mul => a * b,
        Binary::Div | Binary::TrueDiv => a / b,
        Binary::FloorDiv => (a / b).floor(),
        Binary::Mod => a - b * (a / b).floor(),
        Binary::Pow => {
            if b == 2.0 {
                a * a
            } else {
                f64::from(a).powf(f64::from(b)) as f32
            }
        }
        Binary::Min => a.min(b),
        Binary::Max => a.max(b),
        Binary::And => f32::from(u8::from(a != 0.0 && b != 0.0)),
        Binary::Or => f32::from(u8::from(a != 0.0 || b != 0.0)),
        _ => unreachable!("comparisons are elsewhere"),
    }
}

fn of_integers(binary: Binary, a: i64, b: i64) -> Result<i64, ImportError> {
    let checked = match binary {
        Binary::Add => a.checked_add(b),
        Binary::Sub => a.checked_sub(b),
        Binary::Mul => a.checked_mul(b),
        Binary::Div => a.checked_div(b),
        Binary::FloorDiv => a
            .checked_div_euclid(b)
            .map(|_| a.div_euclid(b) - i64::from(b < 0 && a.rem_euclid(b) != 0)),
        Binary::Mod => a.checked_rem(b).map(|rest| {
            if rest != 0 && (rest < 0) != (b < 0) {
                rest + b
            } else {
                rest
            }
        }),
        Binary::Pow => u32::try_from(b).ok().and_then(|b| a.checked_pow(b)),
        Binary::Min => Some(a.min(b)),
        Binary::Max => Some(a.max(b)),
        Binary::And => Some(i64::from(a != 0 && b != 0)),
        Binary::Or => Some(i64::from(a != 0 || b != 0)),
        _ => unreachable!("comparisons and true divisions are elsewhere"),
    };
    checked.ok_or_else(|| {
        shape(format!(
            "{binary:?} of {a} and {b} is no whole number of 64 bits"
        ))
    })
}

fn floats_of(x: &Tensor) -> &[f32] {
    x.as_floats().expect("it was cast to floats")
}

fn integers_of(x: &Tensor) -> &[i64] {
    x.as_integers().expect("it was cast to whole numbers")
}

/// Quantised values, as floats.
pub(super) fn quantize(x: &Tensor, steps: Steps, rounds: bool) -> Result<Tensor, ImportError> {
    let Steps {
        scale,
        zero,
        low,
        high,
    } = steps;
    let number = |x: &f32| {
        let number = if rounds {
            (x / scale).round_ties_even()
        } else {
            x / scale
        };
        (number + zero as f32).clamp(low as f32, high as f32)
    };
    Tensor::new(
        x.shape().to_vec(),
        Data::F32(floats(x)?.iter().map(number).collect()),
    )
}

pub(super) fn dequantize(x: &Tensor, steps: Steps) -> Result<Tensor, ImportError> {
    let value = |number: f64| (number - steps.zero as f64) as f32 * steps.scale;
    Tensor::new(
        x.shape().to_vec(),
        Data::F32(x.to_doubles().into_iter().map(value).collect()),
    )
}

pub(super) fn clip(
    x: &Tensor,
    low: Option<&Tensor>,
    high: Option<&Tensor>,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let raised = low
        .map(|low| binary(Binary::Max, x, low, budget))
        .transpose()?;
    let raised = raised.as_ref().unwrap_or(x);
    Ok(high
        .map(|high| binary(Binary::Min, raised, high, budget))
        .transpose()?
        .unwrap_or_else(|| raised.clone()))
}

pub(super) fn choose(
    condition: &Tensor,
    yes: &Tensor,
    no: &Tensor,
    budget: &Budget,
) -> Result<Tensor, ImportError> {
    let pairs = Pairs::new(&[condition.shape(), yes.shape(), no.shape()])?;
    let element = yes.element().max(no.element());
    budget.fits(&pairs.shape, element)?;
    let (condition, yes, no) = (
        as_type(condition, Element::Bool),
        as_type(yes, element),
        as_type(no, element),
    );
    let Data::Bool(condition) = condition.data() else {
        unreachable!("it was cast to bools")
    };
    let data = match (yes.data(), no.data()) {
        (Data::F32(yes), Data::F32(no)) => Data::F32(pairs.each(|at| {
            if condition[at[0]] {
                yes[at[1]]
            } else {
                no[at[2]]
            }
        })),
        (Data::I64(yes), Data::I64(no)) => Data::I64(pairs.each(|at| {
            if condition[at[0]] {
                yes[at[1]]
            } else {
                no[at[2]]
            }
        })),
        (Data::Bool(yes), Data::Bool(no)) => Data::Bool(pairs.each(|at| {
            if condition[at[0]] {
                yes[at[1]]
            } else {
                no[at[2]]
            }
        })),
        _ => unreachable!("both were cast"),
    };
    Tensor::new(pairs.shape, data)
}

/// The tensor in an element type; borrowed if it already has it.
pub(super) fn as_type(x: &Tensor, element: Element) -> Cow<'_, Tensor> {
    if x.element() == element {
        Cow::Borrowed(x)
    } else {
        Cow::Owned(cast(x, element))
    }
}

pub(super) fn cast(x: &Tensor, element: Element) -> Tensor {
    let data = match (x.data(), element) {
        (data, Element::F32) if x.element() == Element::F32 => data.clone(),
        (_, Element::F32) => Data::F32(x.to_floats()),
        (Data::Bool(values), Element::I64) => {
            Data::I64(values.iter().map(|&value| i64::from(value)).collect())
        }
        (Data::F32(values), Element::I64) => {
            Data::I64(values.iter().map(|&value| value as i64).collect())
        }
        (Data::I64(values), Element::Bool) => {
            Data::Bool(values.iter().map(|&value| value != 0).collect())
        }
        (Data::F32(values), Element::Bool) => {
            Data::Bool(values.iter().map(|&value| value != 0.0).collect())
        }
        (data, _) => data.clone(),
    };
    Tensor::new(x.shape().to_vec(), data).expect("the shape is the same")
}

/// Broadcasts tensors to one shape. Shapes are aligned at their last axes; missing axes have length 1.
pub(super) struct Pairs<const N: usize> {
    shape: Vec<usize>,
    /// strides of each tensor, 0 on broadcast axes
    strides: [Vec<usize>; N],
}

impl<const N: usize> Pairs<N> {
    fn new(shapes: &[&[usize]; N]) -> Result<Self, ImportError> {
        let common = broadcast(shapes)?;
        let strides = shapes.map(|shape| repeated(shape, &common));
        Ok(Self {
            shape: common,
            strides,
        })
    }

    /// Applies `result` to the positions of each element.
    fn each<T>(&self, result: impl FnMut([usize; N]) -> T) -> Vec<T> {
        self.places().map(result).collect()
    }

    /// The position of each element in every tensor.
    pub(super) fn places(&self) -> impl ExactSizeIterator<Item = [usize; N]> {
        let count: usize = self.shape.iter().product();
        let (mut index, mut at) = (vec![0; self.shape.len()], [0; N]);
        (0..count).map(move |_| {
            let found = at;
            for axis in (0..self.shape.len()).rev() {
                index[axis] += 1;
                at.iter_mut()
                    .zip(&self.strides)
                    .for_each(|(at, strides)| *at += strides[axis]);
                if index[axis] < self.shape[axis] {
                    break;
                }
                at.iter_mut()
                    .zip(&self.strides)
                    .for_each(|(at, strides)| *at -= strides[axis] * index[axis]);
                index[axis] = 0;
            }
            found
        })
    }
}

impl Pairs<2> {
    fn floats(&self, a: &Tensor, b: &Tensor, result: impl Fn(f32, f32) -> f32) -> Data {
        let (a, b) = (as_type(a, Element::F32), as_type(b, Element::F32));
        let (a, b) = (floats_of(&a), floats_of(&b));
        Data::F32(self.each(|at| result(a[at[0]], b[at[1]])))
    }

    fn compared(&self, a: &Tensor, b: &Tensor, result: impl Fn(f32, f32) -> bool) -> Data {
        let (a, b) = (as_type(a, Element::F32), as_type(b, Element::F32));
        let (a, b) = (floats_of(&a), floats_of(&b));
        Data::Bool(self.each(|at| result(a[at[0]], b[at[1]])))
    }
}

pub(super) fn broadcast(shapes: &[&[usize]]) -> Result<Vec<usize>, ImportError> {
    let rank = shapes.iter().map(|shape| shape.len()).max().unwrap_or(0);
    let mut common = vec![1; rank];
    for one in shapes {
        for (length, &other) in common[rank - one.len()..].iter_mut().zip(one.iter()) {
            if *length == 1 {
                *length = other;
            } else if other != 1 && other != *length {
                let all = shapes
                    .iter()
                    .map(|shape| format!("{shape:?}"))
                    .collect::<Vec<_>>()
                    .join(" and ");
                return Err(shape(format!("{all} do not fit together")));
            }
        }
    }
    elements(&common)?;
    Ok(common)
}

/// Strides of a tensor that is broadcast to a shape.
pub(super) fn repeated(shape: &[usize], common: &[usize]) -> Vec<usize> {
    let own = strides(shape);
    let mut strides = vec![0; common.len()];
    let skipped = common.len() - shape.len();
    for (axis, (&length, stride)) in shape.iter().zip(own).enumerate() {
        strides[skipped + axis] = if length == 1 { 0 } else { stride };
    }
    strides
}

/// Broadcasts a tensor to a shape.
pub(super) fn expanded(x: &Tensor, common: Vec<usize>) -> Result<Tensor, ImportError> {
    let pairs = Pairs {
        strides: [repeated(x.shape(), &common)],
        shape: common,
    };
    let places = pairs.places().map(|[at]| at);
    x.picked(pairs.shape.clone(), places)
}

/// Element positions of two tensors that are broadcast to a shape.
pub(super) fn both(shapes: &[&[usize]; 2], common: &[usize]) -> Pairs<2> {
    Pairs {
        shape: common.to_vec(),
        strides: shapes.map(|shape| repeated(shape, common)),
    }
}
