//! Gradients match finite differences.

use nnue_spec::graph::{Graph, Op};
use nnue_spec::plan::plan;
use nnue_spec::{Activation, TensorRole};
use nnue_testkit::random::Random;
use nnue_train::network::{Network, Outputs, Parameters, Position, Tensor};

use crate::declared::{Rows, all, boards, random};

/// A function in which all outputs count: a weighted sum and a square.
pub(crate) fn objective(outputs: Outputs<f64>) -> f64 {
    outputs[0] - 0.7 * outputs[1] + 0.4 * outputs[2] + 1e-3 * outputs[0] * outputs[0]
}

pub(crate) fn of_outputs(outputs: Outputs<f64>) -> Outputs<f64> {
    [1.0 + 2e-3 * outputs[0], -0.7, 0.4]
}

struct Case {
    network: Network<f64>,
    parameters: Parameters<f64>,
    rows: Vec<Rows>,
}

impl Case {
    fn new(graph: &Graph) -> Self {
        let network = Network::new(graph).expect("all activations are known");
        let (plan, parameters) = (plan(graph), random(graph, &network, 11));
        let rows = boards()
            .iter()
            .map(|board| Rows::of(&plan.tables().descriptor(), board))
            .collect();
        Self {
            network,
            parameters,
            rows,
        }
    }

    fn sum(&self) -> f64 {
        let mut workspace = self.network.workspace();
        let mut of = |position: Position<'_>| {
            self.network
                .forward(&self.parameters, position, &mut workspace)
        };
        self.rows
            .iter()
            .map(|rows| objective(of(rows.position())))
            .sum()
    }

    fn gradient(&self) -> Parameters<f64> {
        let (mut workspace, mut gradient) = (self.network.workspace(), self.network.zeros());
        for rows in &self.rows {
            let outputs = self
                .network
                .forward(&self.parameters, rows.position(), &mut workspace);
            let of_outputs = of_outputs(outputs);
            self.network.backward(
                &self.parameters,
                rows.position(),
                &mut workspace,
                of_outputs,
                &mut gradient,
            );
        }
        gradient
    }

    /// The difference quotients to the right and to the left of a parameter.
    fn quotients(&mut self, tensor: usize, index: usize, h: f64) -> [f64; 2] {
        let held = self.parameters.tensors[tensor][index];
        let center = self.sum();
        [h, -h].map(|h| {
            self.parameters.tensors[tensor][index] = held + h;
            let quotient = (self.sum() - center) / h;
            self.parameters.tensors[tensor][index] = held;
            quotient
        })
    }
}

/// Whether training replaces the derivative of an activation by another slope.
fn is_replaced(graph: &Graph) -> bool {
    let replaced = |op: &Op| {
        matches!(
            op,
            Op::Activate {
                function: Activation::Quantmoid4,
                ..
            }
        )
    };
    graph.nodes.iter().any(|node| replaced(&node.op))
}

/// Up to `most` parameters of a tensor with a non-zero gradient.
pub(crate) fn with_gradient(gradient: &[f64], most: usize, random: &mut Random) -> Vec<usize> {
    let used: Vec<usize> = (0..gradient.len())
        .filter(|&index| gradient[index] != 0.0)
        .collect();
    (0..most.min(used.len()))
        .map(|_| used[random.below(used.len())])
        .collect()
}

#[test]
fn gradients_of_networks_are_finite_differences() {
    let mut random = Random::new(5);
    for graph in all().filter(|graph| !is_replaced(graph)) {
        let mut case = Case::new(&graph);
        let gradient = case.gradient();
        let (mut compared, mut kinks) = (0, 0);
        for (tensor, numbers) in gradient.tensors.iter().enumerate() {
            let largest = numbers
                .iter()
                .fold(0.0_f64, |most, number| most.max(number.abs()));
            assert!(
                largest > 0.0,
                "{}: {} has no gradient",
                graph.name,
                graph.tensors[tensor].name
            );
            for index in with_gradient(numbers, 6, &mut random) {
                let [right, left] = case.quotients(tensor, index, 1e-6);
                if (right - left).abs() > 1e-3 * largest {
                    kinks += 1;
                    continue;
                }
                let (found, quotient) = (numbers[index], (right + left) / 2.0);
                let name = (&graph.name, &graph.tensors[tensor].name, index);
                assert!(
                    (found - quotient).abs() < 1e-5 * largest,
                    "{name:?}: {found}, not {quotient}"
                );
                compared += 1;
            }
        }
        assert!(
            compared > 5 * kinks,
            "{}: {compared} compared, {kinks} are at a kink",
            graph.name
        );
    }
}

#[test]
fn gradients_are_only_where_they_belong() {
    for graph in all() {
        let case = Case::new(&graph);
        let (net, gradient) = (plan(&graph), case.gradient());
        let tables = net.tables();
        let net = tables.descriptor();
        for (desc, numbers) in net.tensors.iter().zip(&gradient.tensors) {
            let stacks: Vec<usize> = boards()
                .iter()
                .map(|board| net.stacks.select(board.pieces.len()))
                .collect();
            for (index, _) in numbers
                .iter()
                .enumerate()
                .filter(|(_, number)| **number != 0.0)
            {
                let (row, column) = (index / desc.cols % desc.rows, index % desc.cols);
                match desc.role {
                    TensorRole::LayerWeight(layer) => {
                        assert!(
                            column < net.layers[layer].inputs,
                            "{}: {} has padding",
                            graph.name,
                            desc.name
                        );
                        assert!(
                            stacks.contains(&(index / desc.cols / desc.rows)),
                            "{}: {}",
                            graph.name,
                            desc.name
                        );
                    }
                    TensorRole::LayerBias(_) => {
                        assert!(stacks.contains(&(index / desc.cols / desc.rows)))
                    }
                    TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => {
                        let floats = net.accumulator.psqt_floats > 0;
                        let of_first = || is_of_first(&case, &net, desc.role, row);
                        assert!(
                            if floats {
                                of_first()
                            } else {
                                stacks.contains(&column)
                            },
                            "{}: row {row}",
                            graph.name
                        );
                    }
                    TensorRole::TransformerBias | TensorRole::SecondBias => assert!(row == 0),
                    _ => assert!(
                        is_active(&case, &net, desc.role, row),
                        "{}: row {row}",
                        graph.name
                    ),
                }
            }
        }
    }
}

/// Whether a row with float PSQT weights is active for the first perspective of a position.
fn is_of_first(case: &Case, net: &nnue_spec::NetDesc<'_>, role: TensorRole, row: usize) -> bool {
    let set = (0..net.features.len())
        .find(|&set| TensorRole::psqt_of(set) == role)
        .expect("a set has these floats");
    let before: usize = net.features[..set].iter().map(|feature| feature.rows).sum();
    case.rows
        .iter()
        .any(|rows| rows.position().rows[0].contains(&((before + row) as i32)))
}

/// Whether a row is active in a position for a perspective that reads this tensor.
fn is_active(case: &Case, net: &nnue_spec::NetDesc<'_>, role: TensorRole, row: usize) -> bool {
    let before = |set: usize| {
        net.features[..set]
            .iter()
            .map(|feature| feature.rows)
            .sum::<usize>()
    };
    let perspectives = 0..net.accumulator.perspectives;
    perspectives.into_iter().any(|perspective| {
        (0..net.features.len()).any(|set| {
            let row = (before(set) + row) as i32;
            let reads = net.accumulator.weight_of(perspective, set) == role;
            reads
                && case
                    .rows
                    .iter()
                    .any(|rows| rows.position().rows[perspective].contains(&row))
        })
    })
}

#[test]
fn quantised_sigmoids_have_a_gradient_everywhere() {
    let graphs: Vec<Graph> = all().filter(is_replaced).collect();
    assert!(graphs.len() >= 2);
    for graph in graphs {
        let gradient = Case::new(&graph).gradient();
        let has_gradient = |numbers: &Tensor<f64>| numbers.iter().any(|&number| number != 0.0);
        assert!(gradient.tensors.iter().all(has_gradient), "{}", graph.name);
    }
}
