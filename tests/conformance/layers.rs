//! The reference interpreter, which judges every kernel, against an independent evaluator: every intermediate value.

use nnue::{Architecture, Network, Parameters};
use nnue_spec::reference::{Trace, evaluate};
use nnue_spec::{NetDesc, Source, TensorRef};
use nnue_testkit::board::Board;
use nnue_testkit::layers::{LayerCase, cases};
use nnue_testkit::sample;
use nnue_testkit::vectors::suite;

/// One position in this many of the suite is interpreted: the interpreter is slow.
const EVERY: usize = 8;

/// The cases with all intermediates, and a part of the suite.
pub(crate) fn check<A: Architecture>(network: &Network<A>, vectors: &str) {
    let tensors = network.params().tensors();
    for case in cases(&format!("syn-{vectors}")).iter().step_by(sample()) {
        compare(&A::SPEC, &interpret(&A::SPEC, &tensors, &case.fen), case);
    }
    for row in suite(&format!("syn-{vectors}"))
        .iter()
        .step_by(EVERY * sample())
    {
        let trace = interpret(&A::SPEC, &tensors, &row.fen);
        assert_eq!(trace.bucket, row.bucket, "{vectors}: {}", row.fen);
        assert_eq!(
            trace.positional, row.all_positional,
            "{vectors}: {}",
            row.fen
        );
        assert_eq!(
            trace.psqt_diff,
            row.all_psqt_diff[..trace.psqt_diff.len()],
            "{vectors}: {}",
            row.fen
        );
    }
}

fn interpret(spec: &NetDesc<'_>, tensors: &[TensorRef<'_>], fen: &str) -> Trace {
    let board = Board::from_fen(fen);
    evaluate(
        spec,
        tensors,
        &nnue_spec::reference::Board::new(board.iter(), board.black_to_move()),
    )
}

fn compare(spec: &NetDesc<'_>, trace: &Trace, case: &LayerCase) {
    let context = format!("{}: {}", spec.name, case.fen);
    let own = rows_of(
        spec,
        [&case.features_own, &case.threats_own, &case.pawn_pairs_own],
    );
    let opp = rows_of(
        spec,
        [&case.features_opp, &case.threats_opp, &case.pawn_pairs_opp],
    );
    assert_eq!(trace.features, [own, opp], "{context}");
    let accumulators = trace
        .accumulators
        .each_ref()
        .map(|values| values.iter().copied().map(i32::from).collect::<Vec<_>>());
    assert_eq!(
        accumulators,
        [case.own.clone(), case.opp.clone()],
        "{context}"
    );
    for (stack, found) in trace.stacks.iter().enumerate() {
        let context = format!("{context}: stack {stack}");
        for (buffer, values) in spec.buffers.iter().zip(&found.buffers) {
            if buffer.source == Source::Accumulator {
                assert_eq!(widened(values), case.ft_out, "{context}: {}", buffer.name);
            }
        }
        let sums = [&case.fc0[stack], &case.fc1[stack], &case.fc2[stack]];
        assert!(
            found.sums.iter().eq(sums),
            "{context}: sums {:?}, not {sums:?}",
            found.sums
        );
        let inputs = [1, 2].map(|layer| inputs_of(spec, layer, &found.buffers));
        assert_eq!(
            inputs,
            [case.fc1_in[stack].clone(), case.fc2_in[stack].clone()],
            "{context}"
        );
    }
    assert_eq!(
        trace.psqt_diff,
        case.psqt_diff[..trace.psqt_diff.len()],
        "{context}"
    );
    assert_eq!(trace.positional, case.positional, "{context}");
}

/// The rows of all feature sets, numbered one set after the other.
fn rows_of(spec: &NetDesc<'_>, of_sets: [&[usize]; 3]) -> Vec<usize> {
    let first = |set: usize| {
        spec.features
            .iter()
            .take(set)
            .map(|feature| feature.rows)
            .sum::<usize>()
    };
    let numbered = of_sets
        .into_iter()
        .enumerate()
        .flat_map(|(set, rows)| rows.iter().map(move |row| first(set) + row));
    numbered.collect()
}

/// The inputs of a layer: its segments, one after the other.
fn inputs_of(spec: &NetDesc<'_>, layer: usize, buffers: &[Vec<u8>]) -> Vec<i32> {
    let segments = spec.layers[layer].segments.iter();
    segments
        .flat_map(|s| widened(&buffers[s.buffer][s.start..s.start + s.len]))
        .collect()
}

fn widened(values: &[u8]) -> Vec<i32> {
    values.iter().copied().map(i32::from).collect()
}
