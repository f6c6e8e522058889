//! The shape rules: the operands that each operation accepts, and the shape of its result.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::model::{DenseExpr, DenseOperation, Join, SourceSpec, WindowSpec};
use super::{DEFAULT_EPS, DenseOp, Shape};
use crate::check::MAX_OUTPUTS;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::op::{Activation, Operation};

/// Greatest number of values of an input or a result.
pub(super) const MAX_VALUES: usize = 1 << 22;
/// Greatest number of squares of a plane of bits: the width of a `u128`.
const MAX_SQUARES: u64 = 128;
/// Greatest number of rows and columns of a window.
const MAX_KERNEL: u64 = 64;

/// The shape of the input.
pub(super) fn source(source: &SourceSpec, sink: &mut Sink) -> Option<Shape> {
    let word = if source.bits { "planes" } else { "input" };
    let mut error = |loc, message: String, help: &str| {
        sink.push(Diagnostic::new(Code::DenseInput, loc, message).help(help));
        None
    };
    if let Some(zero) = source.sizes.iter().find(|size| size.value == 0) {
        return error(
            zero.loc,
            format!("`{word}` has a size of 0"),
            "write how many there are, at least 1",
        );
    }
    let sizes: Vec<u64> = source.sizes.iter().map(|size| size.value).collect();
    let values = sizes
        .iter()
        .try_fold(1_u64, |product, &size| product.checked_mul(size));
    if values.is_none_or(|values| values > MAX_VALUES as u64) {
        let message = format!("`{word}` has more values than the limit, {MAX_VALUES}");
        return error(
            source.loc,
            message,
            "a network of this kind reads a board or a small picture",
        );
    }
    match sizes[..] {
        [_, height, width] if source.bits && height * width > MAX_SQUARES => {
            let message = format!(
                "a plane of bits has at most {MAX_SQUARES} squares, not {}",
                height * width
            );
            error(
                source.loc,
                message,
                "write `input` instead of `planes`, and give the bits as floats",
            )
        }
        [channels, height, width] => Some(Shape::Planes([
            channels as usize,
            height as usize,
            width as usize,
        ])),
        [len] if !source.bits => Some(Shape::Flat(len as usize)),
        _ if source.bits => {
            let message = format!(
                "`planes` has 3 sizes, planes, height and width, found {}",
                sizes.len()
            );
            error(source.loc, message, "write for example `planes[12, 8, 8]`")
        }
        _ => {
            let message = format!("`input` has 1 size or 3, found {}", sizes.len());
            error(
                source.loc,
                message,
                "write `input[784]`, or channels, height and width: `input[1, 28, 28]`",
            )
        }
    }
}

/// The operation on a value of shape `shape`, called `input` in messages, and the shape of the result.
pub(super) fn operation(
    operation: &DenseOperation,
    (input, shape): (&DenseExpr, Shape),
    loc: Loc,
    sink: &mut Sink,
) -> Option<(DenseOp, Shape)> {
    match *operation {
        DenseOperation::Conv2d {
            outputs,
            binary,
            window,
        } => {
            let [kernel, stride, padding] = windows("conv2d", window, (input, shape), loc, sink)?;
            let outputs = counted(outputs, sink)?;
            let size = windowed(shape, kernel, stride, padding);
            let result = Shape::Planes([outputs, size[0], size[1]]);
            Some((
                DenseOp::Conv2d {
                    kernel,
                    stride,
                    padding,
                    binary,
                },
                result,
            ))
        }
        DenseOperation::MaxPool2d(window) => {
            let ([kernel, stride], result) =
                pooled("max_pool2d", window, (input, shape), loc, sink)?;
            Some((DenseOp::MaxPool2d { kernel, stride }, result))
        }
        DenseOperation::AvgPool2d(window) => {
            let ([kernel, stride], result) =
                pooled("avg_pool2d", window, (input, shape), loc, sink)?;
            Some((DenseOp::AvgPool2d { kernel, stride }, result))
        }
        DenseOperation::BatchNorm { eps } => {
            let eps = eps.map_or(Some(DEFAULT_EPS), |eps| checked_eps(eps, sink))?;
            Some((DenseOp::BatchNorm { eps }, shape))
        }
        DenseOperation::Flatten => match shape {
            Shape::Planes(_) => Some((DenseOp::Flatten, Shape::Flat(shape.len()))),
            Shape::Flat(len) => {
                let message =
                    format!("`flatten` reads planes, and this is a list of {len} values already");
                wrong(sink, Code::DenseShape, loc, message, "remove it")
            }
        },
        DenseOperation::Reshape { sizes } => reshaped(sizes, shape, loc, sink),
        DenseOperation::Affine { outputs, binary } => match shape {
            Shape::Flat(_) => Some((
                DenseOp::Affine { binary },
                Shape::Flat(counted(outputs, sink)?),
            )),
            Shape::Planes(_) => {
                let message = format!(
                    "a layer reads a list of values, and this is {shape}: channels, height, width"
                );
                wrong(
                    sink,
                    Code::DenseShape,
                    loc,
                    message,
                    "put `flatten` before it",
                )
            }
        },
        DenseOperation::Activate(activation) => {
            let known = activation.operation();
            match known {
                Some(Operation {
                    floats: Some(_),
                    pairs: None,
                    ..
                }) => Some((DenseOp::Activate(activation), shape)),
                _ => {
                    let message = format!(
                        "`{}` is not an activation of single floats",
                        known.map_or("", |known| known.name)
                    );
                    wrong(
                        sink,
                        Code::DenseOperation,
                        loc,
                        message,
                        &format!("write {}", activations()),
                    )
                }
            }
        }
    }
}

/// Planes with the same number of values.
fn reshaped(
    sizes: [Located<u64>; 3],
    from: Shape,
    loc: Loc,
    sink: &mut Sink,
) -> Option<(DenseOp, Shape)> {
    if let Some(zero) = sizes.iter().find(|size| size.value == 0) {
        return wrong(
            sink,
            Code::DenseShape,
            zero.loc,
            "planes have at least one channel, row and column".into(),
            "write 1",
        );
    }
    let [channels, height, width] = sizes.map(|size| size.value);
    let count = sizes
        .iter()
        .fold(1_u64, |count, size| count.saturating_mul(size.value));
    if count != from.len() as u64 {
        let message = format!(
            "`reshape` keeps all numbers: {channels}x{height}x{width} are {count}, and {from} are {}",
            from.len()
        );
        let help = "make the product of channels, rows and columns that of what it reads";
        return wrong(sink, Code::DenseShape, loc, message, help);
    }
    let shape = Shape::Planes(sizes.map(|size| size.value as usize));
    if shape == from {
        return wrong(
            sink,
            Code::DenseShape,
            loc,
            format!("this is {from} already"),
            "remove `reshape`",
        );
    }
    Some((DenseOp::Reshape, shape))
}

/// The operation that joins values of shapes `a` and `b`, and its shape; `other` is the node of `b`.
pub(super) fn join(
    join: Join,
    [a, b]: [Shape; 2],
    other: usize,
    loc: Loc,
    sink: &mut Sink,
) -> Option<(DenseOp, Shape)> {
    match (join, a, b) {
        (Join::Add, a, b) if a == b => Some((DenseOp::Add { other }, a)),
        (Join::Add, ..) => {
            let message = format!("`add` adds values of one shape, found {a} and {b}");
            wrong(
                sink,
                Code::DenseShape,
                loc,
                message,
                "give both the same channels, height and width",
            )
        }
        (Join::Concat, Shape::Flat(a), Shape::Flat(b)) => {
            Some((DenseOp::Concat { other }, Shape::Flat(a + b)))
        }
        (Join::Concat, Shape::Planes([first, height, width]), Shape::Planes([second, ..]))
            if a.size() == b.size() =>
        {
            Some((
                DenseOp::Concat { other },
                Shape::Planes([first + second, height, width]),
            ))
        }
        (Join::Concat, ..) => {
            let message = format!(
                "`concat` joins lists, or channels of one height and width, found {a} and {b}"
            );
            wrong(
                sink,
                Code::DenseShape,
                loc,
                message,
                "make both planes of one size, or `flatten` both",
            )
        }
    }
}

fn wrong<T>(sink: &mut Sink, code: Code, loc: Loc, message: String, help: &str) -> Option<T> {
    sink.push(Diagnostic::new(code, loc, message).help(help));
    None
}

/// A valid number of outputs.
fn counted(outputs: Located<u64>, sink: &mut Sink) -> Option<usize> {
    if (1..=MAX_OUTPUTS).contains(&outputs.value) {
        return Some(outputs.value as usize);
    }
    let message = format!(
        "a layer has 1 to {MAX_OUTPUTS} outputs, not {}",
        outputs.value
    );
    wrong(
        sink,
        Code::LayerWidth,
        outputs.loc,
        message,
        "common are 16, 32 and 64 channels",
    )
}

fn checked_eps(eps: Located<f64>, sink: &mut Sink) -> Option<f64> {
    if (1e-30..=1.0).contains(&eps.value) {
        return Some(eps.value);
    }
    let message = format!(
        "`eps` is added to variances and is a small positive number, not {}",
        eps.value
    );
    wrong(
        sink,
        Code::DenseWindow,
        eps.loc,
        message,
        "write the trainer's: PyTorch has 1e-5, Keras 1e-3",
    )
}

/// Kernel and stride of a pool, and the shape of its result.
fn pooled(
    name: &str,
    window: WindowSpec,
    input: (&DenseExpr, Shape),
    loc: Loc,
    sink: &mut Sink,
) -> Option<([usize; 2], Shape)> {
    if let Some(padding) = window.padding {
        let help = "remove it; a convolution before the pool can have padding";
        return wrong(
            sink,
            Code::DenseWindow,
            padding.loc,
            format!("`{name}` has no padding"),
            help,
        );
    }
    let window = WindowSpec {
        stride: Some(window.stride.unwrap_or(window.kernel)),
        ..window
    };
    let [kernel, stride, _] = windows(name, window, input, loc, sink)?;
    let [height, width] = windowed(input.1, kernel, stride, 0);
    Some((
        [kernel, stride],
        Shape::Planes([input.1.channels(), height, width]),
    ))
}

/// Kernel, stride and padding, if such windows fit into the value.
fn windows(
    name: &str,
    window: WindowSpec,
    (input, shape): (&DenseExpr, Shape),
    loc: Loc,
    sink: &mut Sink,
) -> Option<[usize; 3]> {
    let Shape::Planes([_, height, width]) = shape else {
        let message = format!(
            "`{name}` reads planes, and this is a list of {} values",
            shape.len()
        );
        let help = match input {
            DenseExpr::Operation {
                operation: DenseOperation::Flatten,
                ..
            } => "put it before `flatten`",
            _ => "begin with `input[1, 28, 28]`: channels, height and width",
        };
        return wrong(sink, Code::DenseShape, loc, message, help);
    };
    let (kernel, padding) = (
        window.kernel.value,
        window.padding.map_or(0, |padding| padding.value),
    );
    if !(1..=MAX_KERNEL).contains(&kernel) {
        let message = format!("a window has 1 to {MAX_KERNEL} rows, not {kernel}");
        return wrong(
            sink,
            Code::DenseWindow,
            window.kernel.loc,
            message,
            "common are `kernel 3` and `kernel 5`",
        );
    }
    if let Some(padding) = window.padding.filter(|padding| padding.value >= kernel) {
        let message = format!(
            "a padding of {} makes windows of nothing but zeros with a kernel of {kernel}",
            padding.value
        );
        let help = format!("write at most `padding {}`", kernel - 1);
        return wrong(sink, Code::DenseWindow, padding.loc, message, &help);
    }
    let smallest = height.min(width) as u64;
    if kernel.saturating_sub(2 * padding) > smallest {
        let message = format!("a window of {kernel}x{kernel} does not fit into {height}x{width}");
        let help = format!("write at most `kernel {smallest}`, or let earlier layers leave more");
        return wrong(sink, Code::DenseWindow, window.kernel.loc, message, &help);
    }
    let stride = window.stride.map_or(1, |stride| stride.value);
    if let Some(written) = window
        .stride
        .filter(|stride| !(1..=smallest.max(kernel)).contains(&stride.value))
    {
        let message = format!(
            "windows are 1 to {} rows and columns apart, not {stride}",
            smallest.max(kernel)
        );
        let help = "a stride of 2 halves height and width";
        return wrong(sink, Code::DenseWindow, written.loc, message, help);
    }
    Some([kernel, stride, padding].map(|number| number as usize))
}

/// Height and width of the result, for windows that fit.
fn windowed(shape: Shape, kernel: usize, stride: usize, padding: usize) -> [usize; 2] {
    shape
        .size()
        .map(|size| (size + 2 * padding - kernel) / stride + 1)
}

/// The names of float activations of single values.
fn activations() -> String {
    let mut text = String::new();
    let known = Activation::ALL
        .into_iter()
        .filter_map(Activation::operation);
    for known in known.filter(|known| known.floats.is_some() && known.pairs.is_none()) {
        text += if text.is_empty() { "" } else { ", " };
        text += &format!("`{}`", known.name);
    }
    text
}
