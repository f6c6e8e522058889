//! Evaluates an imported network on the kernels of every available level, and compares accumulators, layer
//! sums and values with the reference interpreter. The network is described at run time.

use crate::progress::Progress;
use nnue::dynamic::{Computed, Network, Sums, Unsupported};
use nnue::{Evaluation, Level, RealEvaluation};
use nnue_spec::reference::{self, Position, Trace};
use nnue_spec::{LayerKind, NetDesc, TensorRef};

use crate::error::Error;
use crate::input::Sample;

/// What all levels and the reference interpreter compute.
pub(super) struct Kernels {
    pub(super) levels: String,
    pub(super) computed: Vec<Computed>,
    /// by position: the reference interpreter's buffers, in the order of [`NetDesc::buffers`]
    pub(super) buffers: Vec<Vec<Vec<f64>>>,
}

/// Evaluates the positions; an error if a level differs from the reference interpreter.
pub(super) fn kernels(
    net: &'static NetDesc<'static>,
    tensors: &[TensorRef<'_>],
    positions: &[Sample],
) -> Result<Result<Kernels, Unsupported>, Error> {
    let mut network = match Network::from_tensors(net, tensors) {
        Ok(network) => network,
        Err(reason) => return Ok(Err(reason)),
    };
    let progress = Progress::new("evaluating positions", positions.len() as u64);
    let of_reference = |given: &Sample| {
        progress.step();
        of_reference(net, tensors, given)
    };
    let (computed, buffers): (Vec<Computed>, Vec<_>) = positions.iter().map(of_reference).unzip();
    drop(progress);
    let mut levels = Vec::new();
    for level in Level::available() {
        network = network.with_level(level);
        for (given, expected) in positions.iter().zip(&computed) {
            let found = given.computed(&network);
            if let Some(what) = differs(net, &found, expected) {
                return Err(Error::Mismatch(format!(
                    "nothing was written: in `{}`, {what} of level {level} differs from the reference interpreter",
                    given.text
                )));
            }
        }
        levels.push(level.level().name());
    }
    Ok(Ok(Kernels {
        levels: levels.join(", "),
        computed,
        buffers,
    }))
}

/// Evaluates a position with the reference interpreter, and returns its buffers too.
fn of_reference(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &Sample,
) -> (Computed, Vec<Vec<f64>>) {
    let trace = reference::evaluate(net, tensors, position);
    let evaluation = Evaluation {
        psqt: trace.used_psqt(),
        positional: trace.used_positional(),
        bucket: trace.bucket,
        value: trace.value,
    };
    let output = trace.stacks[trace.bucket].output(net);
    let evaluation = RealEvaluation {
        evaluation,
        real: net.real_value_of(
            evaluation.psqt,
            output,
            position.features(net).black_to_move,
        ),
    };
    let Trace {
        accumulators,
        mut stacks,
        bucket,
        ..
    } = trace;
    let stack = stacks.swap_remove(bucket);
    let buffers = stack
        .buffers
        .iter()
        .zip(&stack.words)
        .zip(&stack.float_buffers)
        .map(|((bytes, words), floats)| {
            let whole = bytes
                .iter()
                .copied()
                .map(f64::from)
                .chain(words.iter().copied().map(f64::from));
            whole.chain(floats.iter().copied().map(f64::from)).collect()
        });
    let buffers = buffers.collect();
    let layers = stack.sums.into_iter().zip(stack.floats).zip(net.layers);
    let layers = layers.map(|((whole, floats), layer)| match layer.kind {
        LayerKind::Rows => Sums::OnDemand,
        _ if floats.is_empty() => Sums::Whole(whole),
        _ => Sums::Floats(floats),
    });
    let accumulators = accumulators
        .into_iter()
        .take(net.accumulator.perspectives)
        .collect();
    (
        Computed {
            accumulators,
            layers: layers.collect(),
            evaluation,
        },
        buffers,
    )
}

/// The name of the first result that differs in any bit.
fn differs(net: &NetDesc<'_>, found: &Computed, expected: &Computed) -> Option<String> {
    if found.accumulators != expected.accumulators {
        return Some("an accumulator".to_owned());
    }
    let mut layers = found.layers.iter().zip(&expected.layers);
    if let Some(at) = layers.position(|(found, expected)| !same(found, expected)) {
        return Some(format!("`{}`", net.layers[at].name));
    }
    let [found, expected] = [found, expected].map(|computed| computed.evaluation);
    let is_same =
        found.evaluation == expected.evaluation && found.real.to_bits() == expected.real.to_bits();
    (!is_same).then(|| "the value".to_owned())
}

fn same(found: &Sums, expected: &Sums) -> bool {
    match (found, expected) {
        (Sums::Floats(found), Sums::Floats(expected)) => found
            .iter()
            .map(|number| number.to_bits())
            .eq(expected.iter().map(|number| number.to_bits())),
        _ => found == expected,
    }
}
