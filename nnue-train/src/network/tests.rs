//! All levels compute the same bits.

use nnue_codegen::graph_text;
use nnue_runtime::Level;
use nnue_testkit::random::Random;

use super::*;

/// Widths that are not whole tiles of any level.
const DECLARATION: &str = "struct Odd = HalfKAv2_hm[..] -> 96x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;";

#[test]
fn levels_agree() {
    let graphs = graph_text(DECLARATION).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let network = Network::<f32>::new(&graphs[0]).expect("all activations are known");
    let (mut random, mut parameters) = (Random::new(4), network.zeros());
    parameters.tensors.iter_mut().flatten().for_each(|number| *number = random.below(2001) as f32 / 2e3 - 0.4);
    let rows: [Vec<i32>; 6] = std::array::from_fn(|_| (0..19).map(|_| random.below(22_000) as i32).collect());
    let positions = [0, 2, 4].map(|first| Position { rows: [&rows[first], &rows[first + 1]], stack: 5 });
    let results = Level::available().map(|level| {
        let network = Network { level, ..network.clone() };
        let (mut workspace, mut gradient) = (network.workspace_of(3), network.zeros_of_layers());
        let mut outputs = [Outputs::default(); 3];
        network.forward_all(&parameters, &positions, &mut workspace, &mut outputs);
        network.backward_all(&parameters, 5, &mut workspace, &outputs, &mut gradient);
        assert!(outputs.iter().all(|outputs| outputs[0].abs() > 1.0));
        (outputs, gradient, workspace.gradients)
    });
    let results: Vec<_> = results.collect();
    assert!(results.iter().all(|result| *result == results[0]));
}
