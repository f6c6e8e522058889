//! Faults of the weight order: the descriptor is right, the file is read wrongly.

use nnue_spec::{Axes, Axis, NetDesc, Part, RawDesc, TensorDesc, TensorRole};

use super::fault::{Fault, Group};
use super::order::{declared_orders, exchanged_places};
use super::reading::Reading;

const ORDERS: [Axes<'static>; 6] = {
    const COPY: Part = Part::whole(Axis::Copy);
    const ROW: Part = Part::whole(Axis::Row);
    const COLUMN: Part = Part::whole(Axis::Column);
    [
        &[COPY, ROW, COLUMN],
        &[COPY, COLUMN, ROW],
        &[ROW, COPY, COLUMN],
        &[ROW, COLUMN, COPY],
        &[COLUMN, COPY, ROW],
        &[COLUMN, ROW, COPY],
    ]
};

/// The orders in which processors multiply bytes: of each output four inputs at a time, or two.
const PACKED: [Axes<'static>; 2] = [&packed(4), &packed(2)];

/// `[stack][input / 4][output][input % 4]`
const fn packed(together: usize) -> [Part; 4] {
    let input = Part::whole(Axis::Column);
    [
        Part::whole(Axis::Copy),
        Part {
            over: together,
            ..input
        },
        Part::whole(Axis::Row),
        Part {
            modulo: Some(together),
            ..input
        },
    ]
}

/// The orders that a tensor may have. Only weights of layers are packed, and copies that stand with their
/// stacks are outermost.
fn possible_orders(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Vec<Axes<'static>> {
    let is_packed = matches!(desc.role, TensorRole::LayerWeight(_))
        && desc.rows > 1
        && desc.cols.is_multiple_of(4);
    let packed: &[_] = if is_packed { &PACKED } else { &[] };
    let has_stacks = net.raw.is_some_and(|raw| raw.last_tensor().is_none());
    let is_possible =
        |axes: &Axes<'_>| !has_stacks || desc.copies == 1 || axes[0] == Part::whole(Axis::Copy);
    let all = ORDERS.iter().chain(packed).copied();
    all.filter(is_possible).collect()
}

/// The faults of the order. The order of Stockfish containers is fixed, so they have none.
pub(super) fn faults<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    if net.raw.is_none() {
        return Vec::new();
    }
    let mut faults = other_axes(net);
    faults.extend(other_layers(net));
    faults.extend(other_columns(net));
    faults.extend(other_rows(net));
    faults.extend(other_weights(net));
    faults
}

/// The faults of a wrong axis order in one tensor.
fn other_axes<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    let orders = declared_orders(net);
    let mut faults = Vec::new();
    for (index, desc) in net.tensors.iter().enumerate() {
        let mut tried = vec![desc.long_axes(orders[index].axes)];
        for axes in possible_orders(net, desc) {
            if tried.contains(&desc.long_axes(axes)) {
                continue;
            }
            tried.push(desc.long_axes(axes));
            let says = format!("with `{}`", written(desc, axes));
            let change = move |reading: &mut Reading<'_>| reading.layout.orders[index].axes = axes;
            faults.push(Fault {
                group: Group::Axes(desc.role),
                says,
                change: Box::new(change),
            });
        }
    }
    faults
}

fn written(desc: &TensorDesc<'_>, axes: Axes<'_>) -> String {
    format!("{}: {}", desc.name, desc.axes_text(axes))
}

/// The faults of a wrong axis order in the weights of all layers: trainers transpose all of them or none. If
/// only one tensor would change, that is a fault of this tensor.
fn other_layers<'a>(net: &NetDesc<'a>) -> Vec<Fault<'a>> {
    let orders = declared_orders(net);
    let mut faults = Vec::new();
    for axes in ORDERS {
        let differs = |&index: &usize| {
            let desc = &net.tensors[index];
            let is_layer = matches!(desc.role, TensorRole::LayerWeight(_));
            is_layer && desc.long_axes(axes) != desc.long_axes(orders[index].axes)
        };
        let changed: Vec<usize> = (0..net.tensors.len()).filter(differs).collect();
        if changed.len() < 2 {
            continue;
        }
        let says: Vec<String> = changed
            .iter()
            .map(|&index| written(&net.tensors[index], axes))
            .collect();
        let says = format!(
            "with the weights of all layers transposed, `{}`",
            says.join(", ")
        );
        let change = move |reading: &mut Reading<'_>| {
            changed
                .iter()
                .for_each(|&index| reading.layout.orders[index].axes = axes);
        };
        faults.push(Fault {
            group: Group::Layers,
            says,
            change: Box::new(change),
        });
    }
    faults
}

/// The fault that the values of the perspectives alternate, or that they do not.
fn other_columns(net: &NetDesc<'_>) -> Option<Fault<'static>> {
    let raw = net.raw.filter(|_| net.accumulator.perspectives == 2)?;
    let other = RawDesc {
        interleaved: !raw.interleaved,
        ..raw
    };
    let interleaved: Vec<bool> = (0..net.tensors.len())
        .map(|index| other.order(net, index).interleaved)
        .collect();
    let says = if other.interleaved {
        "interleaved"
    } else {
        "concatenated"
    };
    let change = move |reading: &mut Reading<'_>| {
        reading
            .layout
            .orders
            .iter_mut()
            .zip(&interleaved)
            .for_each(|(order, &is)| order.interleaved = is);
    };
    Some(Fault {
        group: Group::Columns,
        says: format!("with `perspectives: {says}`"),
        change: Box::new(change),
    })
}

/// The fault that the rows of the enemy's pieces come first, or that they do not.
fn other_rows(net: &NetDesc<'_>) -> Option<Fault<'static>> {
    let set = net.features[0].set;
    let raw = net.raw.filter(|_| set.has_both_sides())?;
    let other = RawDesc {
        enemy_first: !raw.enemy_first,
        ..raw
    };
    let first: Vec<bool> = (0..net.tensors.len())
        .map(|index| other.order(net, index).enemy_first)
        .collect();
    let says = match other.enemy_first {
        true => "with `rows: enemy_first`",
        false => "with `rows: own_first`",
    };
    let change = move |reading: &mut Reading<'_>| {
        let orders = reading.layout.orders.iter_mut().zip(&first);
        orders.for_each(|(order, &is)| order.enemy_first = is);
    };
    Some(Fault {
        group: Group::Rows,
        says: says.into(),
        change: Box::new(change),
    })
}

/// The fault that the weights of the second perspective come before those of the first.
fn other_weights(net: &NetDesc<'_>) -> Option<Fault<'static>> {
    net.raw.filter(|_| net.accumulator.separate)?;
    let names: Vec<&str> = exchanged_places(net)
        .into_iter()
        .map(|place| net.tensors[place].name)
        .collect();
    let says = format!("with `order: [{}]`", names.join(", "));
    Some(Fault {
        group: Group::Weights,
        says,
        change: Box::new(|reading| reading.layout.second_first = true),
    })
}
