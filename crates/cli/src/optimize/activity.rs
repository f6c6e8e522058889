//! Computes accumulators in positions, and which of their neurons are nonzero.

use crate::progress::Progress;
use nnue_spec::reference::active_features;
use nnue_spec::{NetDesc, TensorRef, TensorRole};
use nnue_tools::order::Activity;

use crate::error::Error;
use crate::input::Placement;

/// Records the activity in some positions. `tensors` are those of the file.
pub(super) fn observe(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    boards: &[Placement],
) -> Result<Activity, Error> {
    let mut activity =
        Activity::new(net, boards.len()).map_err(|error| Error::Argument(error.to_string()))?;
    let progress = Progress::new("activity: position", boards.len() as u64);
    for board in boards {
        for accumulator in accumulators(net, tensors, board) {
            activity.observe(&accumulator);
        }
        progress.step();
    }
    Ok(activity)
}

/// Computes the accumulators of a position from scratch.
fn accumulators(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], board: &Placement) -> Vec<Vec<i16>> {
    let plain = board.plain();
    let black_first = net.accumulator.order.begins_with_black(plain.black_to_move);
    let sides = [black_first, !black_first];
    let of = |side: usize| {
        accumulate(
            net,
            tensors,
            side,
            &active_features(net, &plain, sides[side]),
        )
    };
    (0..net.accumulator.perspectives).map(of).collect()
}

/// `bias[j] + sum over rows of weight[row][j]`, modulo 2^16, with the weights of a perspective. Rows are
/// numbered across all feature sets.
fn accumulate(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    perspective: usize,
    rows: &[usize],
) -> Vec<i16> {
    let width = net.accumulator.width;
    let tensor = |role: TensorRole| {
        let index = net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role)
            .expect("every feature set has weights");
        tensors[index]
    };
    let mut sums = vec![0; width];
    add(&mut sums, tensor(net.accumulator.bias_of(perspective)), 0);
    for &row in rows {
        let (mut set, mut row) = (0, row);
        while row >= net.features[set].rows {
            row -= net.features[set].rows;
            set += 1;
        }
        add(
            &mut sums,
            tensor(net.accumulator.weight_of(perspective, set)),
            row * width,
        );
    }
    sums
}

fn add(sums: &mut [i16], tensor: TensorRef<'_>, at: usize) {
    match tensor {
        TensorRef::I8(values) => sums
            .iter_mut()
            .zip(&values[at..])
            .for_each(|(sum, &v)| *sum = sum.wrapping_add(v.into())),
        TensorRef::I16(values) => sums
            .iter_mut()
            .zip(&values[at..])
            .for_each(|(sum, &v)| *sum = sum.wrapping_add(v)),
        TensorRef::I32(_) | TensorRef::F32(_) => panic!("rows are of 8 or 16 bits"),
    }
}
