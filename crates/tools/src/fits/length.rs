//! Explains the length of a headerless file: tries every single change of the declaration that gives this
//! length.

use nnue_spec::{
    ElementType, FeatureSetId, LayerKind, NetDesc, Placed, RawDesc, Section, Span, StepDesc,
    TensorDesc, TensorRole,
};

use nnue_format::published::is_published_version;
use nnue_format::raw::to_alignment;
use nnue_format::{LoadError, LoadErrorKind};

/// A single change of the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// number of layer stacks
    Stacks(usize),
    /// number of king buckets
    Kings(usize),
    /// number of neurons of the accumulators
    Width(usize),
    /// type of the output biases
    Bias(ElementType),
    /// number of perspectives
    Perspectives(usize),
    /// products of halves of the accumulators (true), or the neurons themselves
    Halves(bool),
}

/// Limits of the search, far above those of real networks.
const MAX_COUNT: usize = 64;
const MAX_WIDTH: usize = 16_384;

/// Shapes of one size that are named. More say nothing.
#[cfg(feature = "golden")]
const MOST_SHAPES: usize = 3;

/// Advice about a file that begins with `head` and was refused with `error`; `None` if the error says all
/// that is known.
pub(super) fn advice(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    error: &LoadError,
    head: Option<u32>,
) -> Option<String> {
    let length = error.found().filter(|&length| length > 0)?;
    let size = raw.size(net)?;
    if head.is_some_and(is_published_version) || length == size + to_alignment(size) {
        return None;
    }
    // Files are seldom truncated, so this comes last.
    let cut = match error.kind() {
        LoadErrorKind::Truncated if length < size => Some("it is cut off"),
        LoadErrorKind::Truncated => Some("the file is cut off in its padding"),
        _ => None,
    };
    const NONE: &str = "no other number of stacks, buckets or neurons gives this length";
    Some(match (fitting(net, raw, length).as_slice(), cut) {
        ([], None) => format!(
            "{NONE}: say `skip: n` for a header of n bytes, or look for a tensor that is not declared"
        ),
        ([], Some(cut)) => format!(
            "{NONE}: {cut} (copy it again), or the declaration differs in more than one thing"
        ),
        (some, None) => some.join(", or "),
        (some, Some(cut)) => format!("{}, or {cut}", some.join(", or ")),
    })
}

/// Describes every single change that gives this length.
fn fitting(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64) -> Vec<String> {
    let fitting = changes(net).filter(|&change| fits(changed_size(net, raw, &[change]), length));
    fitting.map(|change| describe(net, change)).collect()
}

/// Whether a network of `size` bytes may have a file of `length` bytes.
fn fits(size: u64, length: u64) -> bool {
    length == size || length == size + to_alignment(size)
}

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

/// Which declarations that differ in several things have the `length` of this one's file, if they are few.
#[cfg(feature = "golden")]
pub(super) fn of_equal_size(net: &NetDesc<'_>, raw: &RawDesc<'_>, length: u64) -> Option<String> {
    let mut shapes = vec![Vec::new()];
    for choices in choices(net) {
        let with = |shape: &Vec<Change>, change| [&shape[..], &[change]].concat();
        let longer: Vec<Vec<Change>> = choices
            .iter()
            .flat_map(|&change| shapes.iter().map(move |shape| with(shape, change)))
            .collect();
        shapes.extend(longer);
    }
    shapes.retain(|shape| shape.len() > 1 && fits(changed_size(net, raw, shape), length));
    if shapes.is_empty() || shapes.len() > MOST_SHAPES {
        return None;
    }
    let named: Vec<String> = shapes.iter().map(|shape| named(shape)).collect();
    Some(format!(
        "a network with {} has the same size",
        named.join(", or one with ")
    ))
}

/// What a network of the same size may have instead: of each group one or none.
#[cfg(feature = "golden")]
fn choices(net: &NetDesc<'_>) -> [Vec<Change>; 4] {
    let stacks = (1..=MAX_COUNT).filter(|&count| count != net.stacks.count);
    let direct = net
        .layers
        .iter()
        .position(|layer| layer.kind == LayerKind::Direct);
    let is_other = |element: &ElementType| {
        net.tensors.iter().enumerate().any(|(index, tensor)| {
            direct.is_some_and(|layer| tensor.role == TensorRole::LayerBias(layer))
                && net
                    .raw
                    .as_ref()
                    .is_some_and(|raw| raw.element(net, index) != *element)
        })
    };
    [
        other_perspectives(net).into_iter().collect(),
        stacks.map(Change::Stacks).collect(),
        other_halves(net).into_iter().collect(),
        [ElementType::I16, ElementType::I32]
            .into_iter()
            .filter(is_other)
            .map(Change::Bias)
            .collect(),
    ]
}

/// Changes as parts of a network.
#[cfg(feature = "golden")]
fn named(shape: &[Change]) -> String {
    let parts = shape.iter().map(|change| match *change {
        Change::Stacks(1) => "1 output bucket".to_owned(),
        Change::Stacks(count) => format!("{count} output buckets"),
        Change::Kings(count) => format!("{count} king buckets"),
        Change::Width(width) => format!("accumulators of {width} neurons"),
        Change::Bias(element) => format!("`fc0_bias: {}`", element.name()),
        Change::Perspectives(2) => "two perspectives (`x2`)".to_owned(),
        Change::Perspectives(_) => "one perspective".to_owned(),
        Change::Halves(true) => "`pairwise`".to_owned(),
        Change::Halves(false) => "no `pairwise`".to_owned(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// One perspective instead of two, or two instead of one.
fn other_perspectives(net: &NetDesc<'_>) -> Option<Change> {
    (!net.accumulator.separate).then(|| Change::Perspectives(3 - net.accumulator.perspectives))
}

/// Neurons instead of products of halves, or the reverse. Custom activations keep their number of values.
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

/// Number of king buckets, if the feature set has such.
fn king_buckets(net: &NetDesc<'_>) -> Option<usize> {
    match net.features.first()?.set {
        FeatureSetId::Chess768 => Some(1),
        FeatureSetId::King(buckets) => Some(buckets.count()),
        _ => None,
    }
}

/// Size in bytes of the network with these changes, without padding.
fn changed_size(net: &NetDesc<'_>, raw: &RawDesc<'_>, changes: &[Change]) -> u64 {
    let stacks = changes
        .iter()
        .fold(net.stacks.count, |stacks, change| match change {
            Change::Stacks(count) => *count,
            _ => stacks,
        });
    let mut tensor = |placed: &Placed<'_>| {
        let Some(index) = placed.section.tensor() else {
            return 0;
        };
        let whole = net.tensors[index];
        let mut tensor = TensorDesc {
            element: raw.element(net, index),
            ..whole
        };
        for &change in changes {
            change_tensor(net, &mut tensor, change);
        }
        if let Section::Rows(part) = placed.section {
            // Rows come and go at the end of a tensor.
            let more = tensor.rows as i64 - whole.rows as i64;
            let is_last = part.first + part.count == whole.rows;
            tensor.rows = (part.count as i64 + if is_last { more } else { 0 }).max(0) as usize;
            tensor.element = part.element;
        }
        let copies = placed.stack.map_or(1, |_| stacks);
        bytes(&tensor) / copies as u64
    };
    let spans = raw.spans_of(stacks, &mut tensor);
    spans.last().map_or(0, Span::end)
}

fn change_tensor(net: &NetDesc<'_>, tensor: &mut TensorDesc<'_>, change: Change) {
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
}

fn bytes(tensor: &TensorDesc<'_>) -> u64 {
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
