//! Graphs that are nearly right.

use nnue_codegen::plan_text;
use nnue_import::{declare, fold};

use crate::compared::{TOLERANCE, difference};
use crate::{graph, made};

/// Graphs in which operations and inputs changed places: typed errors of one line, or declarations that have the values of the graph. `NNUE_ROUNDS` says
/// how many there are of each.
#[test]
fn changed_graphs_are_declared_or_refused() {
    let mut state = 1_u64;
    let mut below = |most: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    let rounds: usize = std::env::var("NNUE_ROUNDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(40);
    let (mut declared, mut refused) = (0, 0);
    for name in [
        "neighbours",
        "signs",
        "deeper",
        "quantmoid",
        "pooled",
        "gates",
        "psqt",
    ] {
        let good = graph(&made(&format!("{name}.onnx")));
        for _ in 0..rounds {
            let mut graph = good.clone();
            let count = graph.nodes.len();
            for _ in 0..1 + below(2) {
                let (at, other) = (below(count), below(count));
                match below(3) {
                    0 => graph.nodes[at].op = graph.nodes[other].op.clone(),
                    1 => graph.nodes[at].inputs = graph.nodes[at.min(other)].inputs.clone(),
                    _ => graph.nodes[at].inputs.reverse(),
                }
            }
            let folded = match fold::fold(&graph) {
                Ok(folded) => folded,
                Err(error) => {
                    assert!(
                        !declare::unsupported(&graph, error, true)
                            .to_string()
                            .contains('\n')
                    );
                    refused += 1;
                    continue;
                }
            };
            if let Err(error) = declare::dense(&graph, &folded, "Net") {
                assert!(!error.to_string().contains('\n'), "{error}");
            }
            match declare::accumulated(&graph, &folded, "Net", "768") {
                Ok(imported) if plan_text(&imported.declared.text).is_ok() => {
                    let (worst, largest) = difference(&folded, &imported);
                    let text = &imported.declared.text;
                    assert!(
                        worst <= TOLERANCE * largest,
                        "{name}: {worst} of {largest}\n{text}\n{}",
                        graph.table()
                    );
                    declared += 1;
                }
                Ok(_) => {}
                Err(error) => {
                    assert!(!error.to_string().contains('\n'), "{error}");
                    refused += 1;
                }
            }
        }
    }
    assert!(
        declared > 0 && refused > declared,
        "{declared} declared, {refused} refused"
    );
}
