//! All levels compute the same bits.

use nnue_codegen::graph_text;
use nnue_runtime::Level;
use nnue_testkit::random::Random;

use super::*;

/// Widths that are not multiples of a tile at any level.
const DECLARATION: &str = "struct Odd {
    acc = accumulate(HalfKAv2_hm[..], 96) x 2, psqt 8;
    let x = pairwise(acc);
    stacks 8 {
        let h1 = affine(x, 16);
        let h2 = crelu(affine(crelu(h1), 32));
        output value = affine(h2, 1);
        output left = affine(h2, 1) * 20;
        output policy = rows(x, 75);
    }
}";

#[test]
fn levels_agree() {
    let graphs = graph_text(DECLARATION).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    let network = Network::<f32>::new(&graphs[0]).expect("all activations are known");
    let (mut random, mut parameters) = (Random::new(4), network.zeros());
    parameters
        .tensors
        .iter_mut()
        .flatten()
        .for_each(|number| *number = random.below(2001) as f32 / 2e3 - 0.4);
    let rows: [Vec<i32>; 6] =
        std::array::from_fn(|_| (0..19).map(|_| random.below(22_000) as i32).collect());
    let positions = [0, 2, 4].map(|first| Position {
        rows: [&rows[first], &rows[first + 1]],
        stack: 5,
        listed: &[74, 3, 74],
    });
    let results = Level::available().map(|level| {
        let network = Network {
            level,
            ..network.clone()
        };
        let (mut workspace, mut gradient) = (network.workspace_of(3), network.zeros_of_layers());
        let (mut outputs, mut others) = ([Outputs::default(); 3], vec![Others::default(); 3]);
        network.forward_all(
            &parameters,
            &positions,
            &mut workspace,
            (&mut outputs, &mut others),
        );
        network.backward_all(
            &parameters,
            &positions,
            &mut workspace,
            (&outputs, &others),
            &mut gradient,
        );
        assert!(outputs.iter().all(|outputs| outputs[0].abs() > 1.0));
        assert!(
            others
                .iter()
                .all(|others| others.numbers.len() == 1 && others.logits[0] == others.logits[2])
        );
        (outputs, others, gradient, workspace.gradients)
    });
    let results: Vec<_> = results.collect();
    assert!(results.iter().all(|result| *result == results[0]));
}
