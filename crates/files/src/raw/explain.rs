//! Explains the length of a header-less file: tries every single change of the declaration that would give that length.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::{
    ElementType, FeatureSetId, LayerKind, NetDesc, Padding, RawDesc, StepDesc, TensorDesc,
    TensorRole,
};

use super::{to_alignment, unpadded_size};
use crate::error::{LoadError, LoadErrorKind};
use crate::explain::is_published_version;

/// The declaration with one thing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// this number of layer stacks
    Stacks(usize),
    /// this number of king buckets
    Kings(usize),
    /// accumulators of this number of neurons
    Width(usize),
    /// biases of the output of this type
    Bias(ElementType),
    /// this number of perspectives
    Perspectives(usize),
    /// products of the halves of the accumulators (true), or their neurons
    Halves(bool),
}

/// Limits of the search, far above those of real networks.
const MAX_COUNT: usize = 64;
const MAX_WIDTH: usize = 16_384;

/// The error for a file that ends after `length` bytes, before the end of the last tensor.
pub(super) fn truncated(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    length: u64,
    head: Option<u32>,
) -> LoadError {
    let size = unpadded_size(net, raw);
    if length == 0 {
        let message = "zero length: the trainer's quantisation overflowed: it leaves an empty file where a weight does not fit \
                       its type, and prints which one";
        return LoadError::new(LoadErrorKind::Truncated, 0, message).with_values(size, 0);
    }
    let message = format!(
        "`{}` has {size} bytes, the file {length}: {}",
        net.name,
        suggestion(net, raw, length, head)
    );
    let mut error =
        LoadError::new(LoadErrorKind::Truncated, length, message).with_values(size, length);
    if let Some(tensor) = tensor_at(net, raw, length) {
        error = error.with_tensor(tensor);
    }
    error
}

/// The error for a file of `length` bytes that continues after the last tensor with `rest` (and more). `bias` is the type of the bias at its
/// end with which it would be whole.
pub(super) fn trailing(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    length: u64,
    rest: &[u8],
    head: Option<u32>,
    bias: Option<ElementType>,
) -> LoadError {
    let size = unpadded_size(net, raw);
    let (padding, after) = (to_alignment(size), length - size);
    if after < padding && begins_padding(rest) {
        return cut_padding(net, raw, length);
    }
    let message = if after == padding {
        let fits = bias.map_or(String::new(), |element| {
            format!(": {}", describe(net, Change::Bias(element)))
        });
        format!(
            "{padding} bytes that are neither zeros nor `bullet..` come after the {size} bytes of `{}`{fits}",
            net.name
        )
    } else {
        let looks = match begins_text(rest) {
            true => " (they begin like the padding of the trainer)",
            false => "",
        };
        let fits = suggestion(net, raw, length, head);
        format!(
            "{after} bytes come after the {size} bytes of `{}`{looks}, padding would be {padding}: {fits}",
            net.name
        )
    };
    LoadError::new(LoadErrorKind::TrailingBytes, size, message).with_values(size, length)
}

/// The error for a file of `length` bytes that ends after the first bytes of a padding. They may as well be the rest of a tensor that is wider
/// than it is declared, which is told first: files are seldom cut off.
fn cut_padding(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64) -> LoadError {
    let size = unpadded_size(net, raw);
    let (padding, after) = (to_alignment(size), length - size);
    let found = format!(
        "{after} of {padding} bytes come after the {size} bytes of `{}`",
        net.name
    );
    let message = match fitting(net, raw, length).as_slice() {
        [] => format!("the file is cut off in its padding: {found}, copy it again"),
        some => format!(
            "{}; or the file is cut off in its padding: {found}, copy it again",
            some.join(", or ")
        ),
    };
    LoadError::new(LoadErrorKind::Truncated, length, message).with_values(size + padding, length)
}

/// True if `bytes` are the beginning of a padding.
fn begins_padding(rest: &[u8]) -> bool {
    let is = |padding: Padding| {
        rest.iter()
            .enumerate()
            .all(|(index, &byte)| byte == padding.byte(index))
    };
    is(Padding::Zeros) || is(Padding::Text)
}

/// True if `rest` begins with the text that the trainer pads with. Zeros alone say nothing: weights are zero as well.
fn begins_text(rest: &[u8]) -> bool {
    let mut begin = rest.iter().take(TEXT_LENGTH).enumerate();
    rest.len() >= TEXT_LENGTH && begin.all(|(index, &byte)| byte == Padding::Text.byte(index))
}

/// Bytes of the trainer's text that no weights begin with by chance.
const TEXT_LENGTH: usize = 6;

/// The declarations that would fit, or other advice.
fn suggestion(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64, head: Option<u32>) -> String {
    if head.is_some_and(is_published_version) {
        return "it begins like a Stockfish network: declare it with `format stockfish`".to_owned();
    }
    match fitting(net, raw, length).as_slice() {
        [] if length < unpadded_size(net, raw) => "no other number of stacks, buckets or neurons gives this length: it is cut \
                                                   off (copy it again), or the declaration differs in more than one thing"
            .to_owned(),
        [] => "no other number of stacks, buckets or neurons gives this length: say `skip: n` for a header of n bytes, or look \
               for a tensor that is not declared"
            .to_owned(),
        some if length < unpadded_size(net, raw) => format!("{}, or it is cut off", some.join(", or ")),
        some => some.join(", or "),
    }
}

/// Every single change of the declaration that gives a file of this length, described.
fn fitting(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64) -> Vec<String> {
    let fitting = changes(net).filter(|&change| fits(changed_size(net, raw, change), length));
    fitting.map(|change| describe(net, change)).collect()
}

/// True if a network of `size` bytes may have a file of `length` bytes.
fn fits(size: u64, length: u64) -> bool {
    length == size || length == size + to_alignment(size)
}

/// Every change that is tried.
fn changes(net: &NetDesc<'_>) -> impl Iterator<Item = Change> {
    let declared = (net.stacks.count, king_buckets(net), net.accumulator.width);
    let stacks = (1..=MAX_COUNT)
        .filter(move |&count| count != declared.0)
        .map(Change::Stacks);
    let kings = (1..=MAX_COUNT)
        .filter(move |&count| declared.1.is_some_and(|k| k != count))
        .map(Change::Kings);
    let widths = (16..=MAX_WIDTH)
        .step_by(16)
        .filter(move |&width| width != declared.2)
        .map(Change::Width);
    stacks
        .chain(kings)
        .chain([ElementType::I16, ElementType::I32].map(Change::Bias))
        .chain(other_perspectives(net))
        .chain(other_halves(net))
        .chain(widths)
}

/// One perspective for two, two for one.
fn other_perspectives(net: &NetDesc<'_>) -> Option<Change> {
    (!net.accumulator.separate).then(|| Change::Perspectives(3 - net.accumulator.perspectives))
}

/// Neurons for the products of halves, products for neurons. What the program itself makes of them has its number of values.
fn other_halves(net: &NetDesc<'_>) -> Option<Change> {
    let of_accumulators = |step: &StepDesc| match *step {
        StepDesc::ActivateAccumulator { activation, .. }
        | StepDesc::AffineDirect { activation, .. }
        | StepDesc::FloatAccumulator { activation, .. } => activation.operation(),
        _ => None,
    };
    let operation = net.steps.iter().find_map(of_accumulators)?;
    Some(Change::Halves(operation.pairs.is_none()))
}

/// The number of king buckets of the feature set, if it has king buckets.
fn king_buckets(net: &NetDesc<'_>) -> Option<usize> {
    match net.features.first()?.set {
        FeatureSetId::Chess768 => Some(1),
        FeatureSetId::King(buckets) => Some(buckets.count()),
        _ => None,
    }
}

/// The size of the changed network in bytes, without padding.
fn changed_size(net: &NetDesc<'_>, raw: &RawDesc<'_>, change: Change) -> u64 {
    let tensors = (0..net.tensors.len()).map(|index| changed_tensor(net, raw, index, change));
    raw.skip as u64 + tensors.sum::<u64>()
}

fn changed_tensor(net: &NetDesc<'_>, raw: &RawDesc<'_>, index: usize, change: Change) -> u64 {
    let mut tensor = TensorDesc {
        element: raw.element(net, index),
        ..net.tensors[index]
    };
    match (change, tensor.role) {
        (Change::Stacks(count), role) if role.is_of_layer() => tensor.copies = count,
        (Change::Kings(count), TensorRole::TransformerWeight | TensorRole::SecondWeight) => {
            tensor.rows = tensor.rows / king_buckets(net).unwrap_or(1) * count;
        }
        (
            Change::Width(width),
            TensorRole::TransformerWeight
            | TensorRole::ExtraWeight(_)
            | TensorRole::TransformerBias
            | TensorRole::SecondWeight
            | TensorRole::SecondExtraWeight(_)
            | TensorRole::SecondBias,
        ) => tensor.cols = width,
        (Change::Width(width), TensorRole::LayerWeight(layer)) if net.reads_accumulators(layer) => {
            tensor.cols = tensor.cols * width / net.accumulator.width;
        }
        (Change::Perspectives(2) | Change::Halves(false), TensorRole::LayerWeight(layer))
            if net.reads_accumulators(layer) =>
        {
            tensor.cols *= 2;
        }
        (Change::Perspectives(_) | Change::Halves(true), TensorRole::LayerWeight(layer))
            if net.reads_accumulators(layer) =>
        {
            tensor.cols /= 2;
        }
        (Change::Bias(element), TensorRole::LayerBias(layer))
            if net.layers[layer].kind == LayerKind::Direct =>
        {
            tensor.element = element;
        }
        _ => {}
    }
    [
        tensor.rows,
        tensor.cols,
        tensor.copies,
        tensor.element.bytes(),
    ]
    .map(|n| n as u64)
    .iter()
    .product()
}

/// A change as a sentence of the message.
fn describe(net: &NetDesc<'_>, change: Change) -> String {
    match change {
        Change::Stacks(count) => {
            let buckets = if count == 1 { "bucket" } else { "buckets" };
            let declared = net.stacks.count;
            let are = if declared == 1 { "is" } else { "are" };
            format!("this file has {count} output {buckets}, {declared} {are} declared")
        }
        Change::Kings(count) => {
            format!(
                "it fits with king buckets {count}, declared are {}",
                king_buckets(net).unwrap_or(1)
            )
        }
        Change::Width(width) => {
            format!(
                "it fits with accumulators of {width} neurons, declared are {}",
                net.accumulator.width
            )
        }
        Change::Bias(element) => format!("it fits with `fc0_bias: {}`", element.name()),
        Change::Perspectives(2) => {
            "it fits with two perspectives, `x2`, declared is one".to_owned()
        }
        Change::Perspectives(_) => "it fits with one perspective, without `x2`".to_owned(),
        Change::Halves(with) => format!(
            "it fits {} `pairwise`",
            if with { "with" } else { "without" }
        ),
    }
}

/// The name of the tensor that contains byte `offset`.
fn tensor_at<'a>(net: &NetDesc<'a>, raw: &RawDesc<'_>, offset: u64) -> Option<&'a str> {
    let mut end = raw.skip as u64;
    net.tensors.iter().enumerate().find_map(|(index, tensor)| {
        end += raw.bytes(net, index) as u64;
        (offset < end).then_some(tensor.name)
    })
}
