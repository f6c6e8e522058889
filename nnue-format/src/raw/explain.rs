//! What a file of another length may be: every single change of the declaration that would give it that length.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::{ElementType, FeatureSetId, LayerKind, NetDesc, Padding, RawDesc, TensorDesc, TensorRole};

use super::{to_alignment, unpadded_size};
use crate::error::{LoadError, LoadErrorKind};
use crate::explain::is_published_version;

/// The declaration with one thing changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// so many layer stacks
    Stacks(usize),
    /// so many king buckets
    Kings(usize),
    /// accumulators of so many neurons
    Width(usize),
    /// biases of the output of this type
    Bias(ElementType),
}

/// Limits of the search: far beyond what networks have.
const MAX_COUNT: usize = 64;
const MAX_WIDTH: usize = 8192;

/// The error for a file that ends after `length` bytes, before the last tensor does.
pub(super) fn truncated(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64, head: Option<u32>) -> LoadError {
    let size = unpadded_size(net, raw);
    if length == 0 {
        let message = "zero length: the trainer's quantisation overflowed: it leaves an empty file where a weight does not fit \
                       its type, and prints which one";
        return LoadError::new(LoadErrorKind::Truncated, 0, message).with_values(size, 0);
    }
    let message = format!("`{}` has {size} bytes, the file {length}: {}", net.name, suggestion(net, raw, length, head));
    let mut error = LoadError::new(LoadErrorKind::Truncated, length, message).with_values(size, length);
    if let Some(tensor) = tensor_at(net, raw, length) {
        error = error.with_tensor(tensor);
    }
    error
}

/// The error for a file of `length` bytes, which goes on behind the last tensor with `rest` (and more).
pub(super) fn trailing(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64, rest: &[u8], head: Option<u32>) -> LoadError {
    let size = unpadded_size(net, raw);
    let (padding, behind) = (to_alignment(size), length - size);
    if behind < padding && begins_padding(rest) {
        let message = format!(
            "the file is cut off in its padding: {behind} of {padding} bytes stand behind the {size} bytes of `{}`, copy it again",
            net.name
        );
        return LoadError::new(LoadErrorKind::Truncated, length, message).with_values(size + padding, length);
    }
    let message = if behind == padding {
        format!("{padding} bytes that are neither zeros nor `bullet..` stand behind the {size} bytes of `{}`", net.name)
    } else {
        let looks = match begins_padding(&rest[..rest.len().min(4)]) {
            true => " (they begin like the padding of the trainer)",
            false => "",
        };
        let fits = suggestion(net, raw, length, head);
        format!(
            "{behind} bytes stand behind the {size} bytes of `{}`{looks}, padding would be {padding}: {fits}",
            net.name
        )
    };
    LoadError::new(LoadErrorKind::TrailingBytes, size, message).with_values(size, length)
}

/// Whether bytes are the beginning of a padding.
fn begins_padding(rest: &[u8]) -> bool {
    let is = |padding: Padding| rest.iter().enumerate().all(|(index, &byte)| byte == padding.byte(index));
    is(Padding::Zeros) || is(Padding::Text)
}

/// What would fit, or what else to do.
fn suggestion(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64, head: Option<u32>) -> String {
    if head.is_some_and(is_published_version) {
        return "it begins like a Stockfish network: declare it with `format stockfish`".to_owned();
    }
    let fitting: Vec<String> = changes(net)
        .filter(|&change| fits(changed_size(net, raw, change), length))
        .map(|change| describe(net, change))
        .collect();
    match fitting.as_slice() {
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

/// Whether a network of `size` bytes may have a file of `length` bytes.
fn fits(size: u64, length: u64) -> bool {
    length == size || length == size + to_alignment(size)
}

/// Every change that is tried.
fn changes(net: &NetDesc<'_>) -> impl Iterator<Item = Change> {
    let declared = (net.stacks.count, king_buckets(net), net.accumulator.width);
    let stacks = (1..=MAX_COUNT).filter(move |&count| count != declared.0).map(Change::Stacks);
    let kings = (1..=MAX_COUNT).filter(move |&count| declared.1.is_some_and(|k| k != count)).map(Change::Kings);
    let widths = (16..=MAX_WIDTH).step_by(16).filter(move |&width| width != declared.2).map(Change::Width);
    stacks.chain(kings).chain([ElementType::I16, ElementType::I32].map(Change::Bias)).chain(widths)
}

/// King buckets of the feature set, where it has such.
fn king_buckets(net: &NetDesc<'_>) -> Option<usize> {
    match net.features.first()?.set {
        FeatureSetId::Chess768 => Some(1),
        FeatureSetId::King(buckets) => Some(buckets.count()),
        _ => None,
    }
}

/// Bytes of the network with a change, padding excluded.
fn changed_size(net: &NetDesc<'_>, raw: &RawDesc<'_>, change: Change) -> u64 {
    let tensors = net.tensors.iter().map(|tensor| changed_tensor(net, tensor, change));
    raw.skip as u64 + tensors.sum::<u64>()
}

fn changed_tensor(net: &NetDesc<'_>, tensor: &TensorDesc<'_>, change: Change) -> u64 {
    let mut tensor = *tensor;
    match (change, tensor.role) {
        (Change::Stacks(count), role) if role.is_of_layer() => tensor.copies = count,
        (Change::Kings(count), TensorRole::TransformerWeight | TensorRole::SecondWeight) => {
            tensor.rows = tensor.rows / king_buckets(net).unwrap_or(1) * count;
        }
        (
            Change::Width(width),
            TensorRole::TransformerWeight
            | TensorRole::TransformerBias
            | TensorRole::SecondWeight
            | TensorRole::SecondBias,
        ) => tensor.cols = width,
        (Change::Width(width), TensorRole::LayerWeight(layer)) if net.reads_accumulators(layer) => {
            tensor.cols = tensor.cols * width / net.accumulator.width;
        }
        (Change::Bias(element), TensorRole::LayerBias(layer)) if net.layers[layer].kind == LayerKind::Direct => {
            tensor.element = element;
        }
        _ => {}
    }
    [tensor.rows, tensor.cols, tensor.copies, tensor.element.bytes()].map(|n| n as u64).iter().product()
}

/// A change as the sentence that says what fits.
fn describe(net: &NetDesc<'_>, change: Change) -> String {
    match change {
        Change::Stacks(count) => {
            let buckets = if count == 1 { "bucket" } else { "buckets" };
            let declared = net.stacks.count;
            let are = if declared == 1 { "is" } else { "are" };
            format!("this file has {count} output {buckets}, {declared} {are} declared")
        }
        Change::Kings(count) => {
            format!("it fits with king buckets {count}, declared are {}", king_buckets(net).unwrap_or(1))
        }
        Change::Width(width) => {
            format!("it fits with accumulators of {width} neurons, declared are {}", net.accumulator.width)
        }
        Change::Bias(element) => format!("it fits with `fc0_bias: {}`", element.name()),
    }
}

/// The name of the tensor in which byte `offset` stands.
fn tensor_at<'a>(net: &NetDesc<'a>, raw: &RawDesc<'_>, offset: u64) -> Option<&'a str> {
    let mut end = raw.skip as u64;
    net.tensors.iter().find_map(|tensor| {
        end += (tensor.len() * tensor.element.bytes()) as u64;
        (offset < end).then_some(tensor.name)
    })
}
