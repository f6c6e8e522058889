//! Golden values: what a declaration says about a position must be what the weights say. Where it is not, other readings of the
//! same bytes are tried, since nothing in a header-less file says how it is to be read.

mod selection;

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{
    AccumulatorDesc, Axes, Axis, DirectActivation, FeatureSetId, Fen, FileOrder, GoldenDesc, KingBuckets, NetDesc,
    PerspectiveOrder, RawDesc, StepDesc, TensorRef, TensorRole,
};

use crate::error::{LoadError, LoadErrorKind};
use crate::raw::reread;
use crate::tensors::Elements;

/// All orders of axes.
const ORDERS: [Axes; 6] = {
    use Axis::{Column, Copy, Row};
    [
        [Copy, Row, Column],
        [Copy, Column, Row],
        [Row, Copy, Column],
        [Row, Column, Copy],
        [Column, Copy, Row],
        [Column, Row, Copy],
    ]
};

/// Checks the golden values of `net` with the weights `tensors`.
///
/// # Errors
///
/// [`LoadErrorKind::Golden`]: a value is another one; the message says which reading of the file would give it, if one does.
pub(crate) fn check(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Result<(), LoadError> {
    for golden in net.goldens {
        let fen = Fen::parse(golden.fen).map_err(|error| {
            LoadError::new(LoadErrorKind::Golden, 0, format!("`{}` is no position: {error}", golden.fen.escape_debug()))
        })?;
        let found = value(net, tensors, &fen);
        if found != golden.value {
            return Err(refuse(net, tensors, golden, found));
        }
    }
    Ok(())
}

fn value(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], fen: &Fen) -> i32 {
    evaluate(net, tensors, &Board::new(fen.pieces.iter().copied(), fen.black_to_move)).value
}

/// Whether all golden values are right.
fn fits(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> bool {
    let is_right =
        |golden: &GoldenDesc<'_>| Fen::parse(golden.fen).is_ok_and(|fen| value(net, tensors, &fen) == golden.value);
    net.goldens.iter().all(is_right)
}

fn refuse(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], golden: &GoldenDesc<'_>, found: i32) -> LoadError {
    let readings = other_readings(net, tensors);
    let advice = match readings.as_slice() {
        [] => "the file is another network, or the declaration differs from it in something that its length does not show \
               (scales, activation, king buckets, the order of tensors)"
            .to_owned(),
        some => format!("it fits {}", some.join(", or ")),
    };
    let message = format!(
        "`{}` has the value {found} in `{}`, declared is {}: {advice}",
        golden.fen.escape_debug(),
        net.name,
        golden.value
    );
    LoadError::new(LoadErrorKind::Golden, 0, message)
}

/// The readings of the same bytes that give all golden values.
fn other_readings(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Vec<String> {
    let mut readings = other_axes(net, tensors);
    readings.extend(other_features(net, tensors));
    readings.extend(other_order(net, tensors));
    readings.extend(other_columns(net, tensors));
    readings.extend(other_weights(net, tensors));
    readings.extend(selection::other_stacks(net, |net| fits(net, tensors)));
    readings.extend(other_activation(net, tensors));
    readings
}

/// One tensor with other axes.
fn other_axes(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Vec<String> {
    let Some(raw) = &net.raw else { return Vec::new() };
    let mut fitting = Vec::new();
    for (index, (desc, &declared)) in net.tensors.iter().zip(raw.axes).enumerate() {
        let mut tried = vec![desc.long_axes(declared)];
        for axes in ORDERS {
            if tried.contains(&desc.long_axes(axes)) {
                continue;
            }
            tried.push(desc.long_axes(axes));
            let order = raw.order(net, index);
            let other = reread(desc, order, FileOrder { axes, ..order }, tensors[index]);
            let mut all = tensors.to_vec();
            all[index] = other.borrow();
            if fits(net, &all) {
                fitting.push(format!("with `{}: {}`", desc.name, desc.axes_text(axes)));
            }
        }
    }
    fitting
}

/// A board that is mirrored, or is not.
fn other_features(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<String> {
    let mut features = net.features.to_vec();
    let first = features.first_mut()?;
    let buckets = match first.set {
        FeatureSetId::Chess768 => KingBuckets::MIRRORED,
        FeatureSetId::King(king) => KingBuckets::new(king.table(), !king.is_mirrored(), king.is_merged()),
        _ => return None,
    };
    first.set = FeatureSetId::King(buckets);
    let says = if buckets.is_mirrored() { "with" } else { "without" };
    fits(&NetDesc { features: &features, ..*net }, tensors).then(|| format!("{says} `mirrored`"))
}

/// Two perspectives that alternate, or do not.
fn other_columns(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<String> {
    let raw = net.raw.filter(|_| net.accumulator.perspectives == 2)?;
    let other = RawDesc { interleaved: !raw.interleaved, ..raw };
    let orders = (0..net.tensors.len()).map(|index| (raw.order(net, index), other.order(net, index)));
    let reread = orders
        .zip(net.tensors)
        .zip(tensors)
        .map(|(((declared, other), desc), tensor)| (declared != other).then(|| reread(desc, declared, other, *tensor)));
    let reread: Vec<_> = reread.collect();
    let all = reread.iter().zip(tensors).map(|(reread, tensor)| reread.as_ref().map_or(*tensor, Elements::borrow));
    let says = if other.interleaved { "interleaved" } else { "concatenated" };
    fits(net, &all.collect::<Vec<_>>()).then(|| format!("with `perspectives: {says}`"))
}

/// The perspectives in the other order.
fn other_order(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<String> {
    let (order, says) = match net.accumulator.order {
        PerspectiveOrder::SideToMove => (PerspectiveOrder::WhiteFirst, "with"),
        PerspectiveOrder::WhiteFirst => (PerspectiveOrder::SideToMove, "without"),
    };
    let accumulator = AccumulatorDesc { order, ..net.accumulator };
    fits(&NetDesc { accumulator, ..*net }, tensors).then(|| format!("{says} `white_first`"))
}

/// The weights of the second perspective in front of those of the first.
fn other_weights(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<String> {
    net.raw.filter(|_| net.accumulator.separate)?;
    let exchanged = |role| match role {
        TensorRole::TransformerBias => TensorRole::SecondBias,
        TensorRole::TransformerWeight => TensorRole::SecondWeight,
        TensorRole::SecondBias => TensorRole::TransformerBias,
        TensorRole::SecondWeight => TensorRole::TransformerWeight,
        role => role,
    };
    let place = |role| net.tensors.iter().position(|desc| desc.role == role);
    let places: Vec<usize> = net.tensors.iter().filter_map(|desc| place(exchanged(desc.role))).collect();
    let names: Vec<&str> = places.iter().map(|&place| net.tensors[place].name).collect();
    let all: Vec<_> = places.iter().map(|&place| tensors[place]).collect();
    fits(net, &all).then(|| format!("with `order: [{}]`", names.join(", ")))
}

/// The other activation of accumulators that 16-bit weights read.
fn other_activation(net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Option<String> {
    let mut steps = net.steps.to_vec();
    let activation = steps.iter_mut().find_map(|step| match step {
        StepDesc::AffineDirect { activation, .. } => Some(activation),
        _ => None,
    })?;
    let (other, name) = match activation {
        DirectActivation::Crelu => (DirectActivation::Screlu, "screlu"),
        DirectActivation::Screlu => (DirectActivation::Crelu, "crelu"),
        DirectActivation::Pairwise => return None, // others have twice the weights
    };
    *activation = other;
    fits(&NetDesc { steps: &steps, ..*net }, tensors).then(|| format!("with `{name}`"))
}
