//! Accumulators and PSQT sums: sums of the listed rows.

use nnue_spec::TensorRole;

use super::model::{Kind, Value, Writer};
use super::weights::{Network, PSQT, SECOND, TRANSFORMER};

/// The accumulators of the perspectives that layers read, `[n, width]`.
pub(super) fn accumulators(
    writer: &mut Writer,
    network: Network<'_>,
    rows: &[Value],
) -> Vec<Value> {
    let accumulator = network.net.accumulator;
    let mut tables: Vec<[Value; 2]> = Vec::new();
    let mut sums = Vec::new();
    for (perspective, rows) in rows.iter().enumerate().take(accumulator.perspectives) {
        if perspective == 0 || accumulator.separate {
            let sets = 0..network.net.features.len();
            let roles: Vec<TensorRole> = sets
                .map(|set| accumulator.weight_of(perspective, set))
                .collect();
            let name = if perspective == 0 {
                TRANSFORMER
            } else {
                SECOND
            };
            let table = network.rows(writer, name, &roles);
            let bias = network.list(writer, accumulator.bias_of(perspective));
            tables.push([table, bias]);
        }
        let [table, bias] = tables.last().cloned().unwrap_or_default();
        let sum = summed(writer, &table, rows);
        let sum = writer.node("Add", &[&sum, &bias]);
        sums.push(writer.wrapped(&sum, 16));
    }
    sums
}

/// The PSQT sums of both perspectives, `[n, stacks]`, if there are any.
pub(super) fn psqt(
    writer: &mut Writer,
    network: Network<'_>,
    rows: &[Value],
) -> Option<[Value; 2]> {
    if network.net.accumulator.psqt == 0 {
        return None;
    }
    let roles: Vec<TensorRole> = (0..network.net.features.len())
        .map(TensorRole::psqt_of)
        .collect();
    let table = network.rows(writer, PSQT, &roles);
    let sides = [0, 1].map(|side| {
        let sum = summed(writer, &table, &rows[side]);
        writer.wrapped(&sum, 32)
    });
    Some(sides)
}

/// The float weights of the features of the first perspective, `[n, neurons of the output]`, if there are
/// any.
pub(super) fn floats(writer: &mut Writer, network: Network<'_>, rows: &[Value]) -> Option<Value> {
    if network.net.accumulator.psqt_floats == 0 {
        return None;
    }
    let roles: Vec<TensorRole> = (0..network.net.features.len())
        .map(TensorRole::psqt_of)
        .collect();
    let table = network.rows(writer, PSQT, &roles);
    let found = writer.with("Gather", &[&table, &rows[0]], &[("axis", 0)]);
    Some(writer.sum(&found, 1))
}

/// The sums of the listed rows of a table.
fn summed(writer: &mut Writer, table: &str, rows: &str) -> Value {
    let found = writer.with("Gather", &[table, rows], &[("axis", 0)]);
    let found = writer.cast(&found, Kind::Int64);
    writer.sum(&found, 1)
}
