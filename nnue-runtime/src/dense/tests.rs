//! Compares plans on every level with the reference interpreter, bit for bit: shapes that do not
//! fill lines, every operation, both kinds of rounding.

use nnue_spec::dense::reference::evaluate;
use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, Shape};

use super::plan::Plan;
use super::value::Value;
use super::{Input, Scratch};
use crate::simd::Level;
use crate::testing::{ACTIVATIONS_OF_FLOATS, Random};

/// The activations of single floats.
/// Nodes after an input, each with its shape.
struct Nodes(Vec<DenseNode>);

impl Nodes {
    fn last(&self) -> (usize, Shape) {
        (self.0.len() - 1, self.0[self.0.len() - 1].shape)
    }

    fn push(&mut self, op: DenseOp, operand: usize, shape: Shape) {
        self.0.push(DenseNode { op, operand, shape });
    }

    fn windowed(&self, channels: usize, kernel: usize, stride: usize, padding: usize) -> Shape {
        let [height, width] = self
            .last()
            .1
            .size()
            .map(|size| (size + 2 * padding - kernel) / stride + 1);
        Shape::Planes([channels, height, width])
    }

    /// An operation that accepts the last value.
    fn push_random(&mut self, random: &mut Random) {
        let (operand, shape) = self.last();
        let [height, width] = shape.size();
        let kernel = 1 + random.below(height.min(width).min(4));
        let stride = 1 + random.below(2);
        match random.below(8) {
            0 | 1 => {
                let (outputs, padding) = (1 + random.below(40), random.below(kernel));
                let shape = self.windowed(outputs, kernel, stride, padding);
                self.push(
                    DenseOp::Conv2d {
                        kernel,
                        stride,
                        padding,
                        binary: binary(random),
                    },
                    operand,
                    shape,
                );
            }
            2 => {
                let shape = self.windowed(shape.channels(), kernel, stride, 0);
                self.push(DenseOp::MaxPool2d { kernel, stride }, operand, shape);
            }
            3 => {
                let shape = self.windowed(shape.channels(), kernel, stride, 0);
                self.push(DenseOp::AvgPool2d { kernel, stride }, operand, shape);
            }
            // Channels become rows, and rows channels.
            6 => match shape {
                Shape::Planes([channels, height, width]) if channels != height => {
                    self.push(
                        DenseOp::Reshape,
                        operand,
                        Shape::Planes([height, channels, width]),
                    );
                }
                _ => self.push(DenseOp::BatchNorm { eps: 1e-3 }, operand, shape),
            },
            4 => self.push(DenseOp::BatchNorm { eps: 1e-3 }, operand, shape),
            5 => {
                // The other operand is the value itself before an activation.
                self.push(
                    DenseOp::Activate(random.of(&ACTIVATIONS_OF_FLOATS)),
                    operand,
                    shape,
                );
                let (op, shape) = match shape {
                    Shape::Planes([channels, height, width]) if random.below(2) == 0 => (
                        DenseOp::Concat { other: operand },
                        Shape::Planes([2 * channels, height, width]),
                    ),
                    _ => (DenseOp::Add { other: operand }, shape),
                };
                self.push(op, operand + 1, shape);
            }
            _ => self.push(
                DenseOp::Activate(random.of(&ACTIVATIONS_OF_FLOATS)),
                operand,
                shape,
            ),
        }
    }

    /// Layers at the end.
    fn push_layers(&mut self, random: &mut Random) {
        let (operand, shape) = self.last();
        self.push(DenseOp::Flatten, operand, Shape::Flat(shape.len()));
        for _ in 0..2 {
            let (operand, _) = self.last();
            self.push(
                DenseOp::Affine {
                    binary: binary(random),
                },
                operand,
                Shape::Flat(1 + random.below(90)),
            );
        }
    }
}

/// Floats, or signs with random scales.
fn binary(random: &mut Random) -> Option<Binary> {
    let [is_binary, one_scale, input_scale] = [0; 3].map(|_| random.below(2) == 1);
    is_binary.then_some(Binary {
        one_scale,
        input_scale,
    })
}

fn float(random: &mut Random) -> f32 {
    const EDGES: [f32; 6] = [0.0, -0.0, 1.0, -1.0, 1e-30, 3.0e4];
    if random.below(8) == 0 {
        random.of(&EDGES)
    } else {
        (random.next() as i32) as f32 / (1 << 30) as f32
    }
}

#[test]
fn networks_of_any_shape_equal_the_reference() {
    let mut random = Random(1);
    // Networks share scratch memory, whatever it contains.
    let mut scratch = Scratch::new();
    for fused in [false, true] {
        for _ in 0..60 {
            let shape = Shape::Planes([
                1 + random.below(20),
                1 + random.below(9),
                1 + random.below(9),
            ]);
            let mut nodes = Nodes(vec![DenseNode {
                op: DenseOp::Input,
                operand: 0,
                shape,
            }]);
            for _ in 0..1 + random.below(6) {
                nodes.push_random(&mut random);
            }
            if random.below(2) == 0 {
                nodes.push_layers(&mut random);
            }
            let net = DenseDesc {
                name: "N",
                nodes: &nodes.0,
                fused,
            };
            let tensors = nnue_format::dense::random(&net, random.next());
            let input: Vec<f32> = (0..shape.len()).map(|_| float(&mut random)).collect();
            let expected = evaluate(&net, &tensors, &input).pop().expect("an output");
            let plan = Plan::new(&net, &tensors);
            for level in Level::available() {
                let mut found = vec![0.0; expected.len()];
                plan.run(
                    level,
                    &mut scratch,
                    |channel, pixel| input[channel * shape.pixels() + pixel],
                    &mut found,
                );
                let same = found
                    .iter()
                    .zip(&expected)
                    .all(|(a, b)| a.to_bits() == b.to_bits());
                assert!(same, "{level}: {found:?} instead of {expected:?}: {net:?}");
            }
        }
    }
}

/// Signs of NaNs, zeros and the smallest floats, in a value that does not fill a line.
#[test]
fn signs_of_any_float_are_those_of_the_reference() {
    let edges = [
        0.0,
        -0.0,
        f32::NAN,
        -f32::NAN,
        1e-45,
        -1e-45,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        f32::MIN,
    ];
    let node = |op, shape| DenseNode {
        op,
        operand: 0,
        shape,
    };
    let layer = DenseOp::Affine {
        binary: Some(Binary::default()),
    };
    let nodes = [
        node(DenseOp::Input, Shape::Flat(1003)),
        node(layer, Shape::Flat(20)),
    ];
    let net = DenseDesc {
        name: "N",
        nodes: &nodes,
        fused: false,
    };
    let tensors = nnue_format::dense::random(&net, 3);
    let mut random = Random(2);
    let input: Vec<f32> = (0..1003).map(|_| random.of(&edges)).collect();
    let expected = evaluate(&net, &tensors, &input).pop().expect("an output");
    let plan = Plan::new(&net, &tensors);
    let mut scratch = Scratch::new();
    for level in Level::available() {
        let mut found = vec![0.0; 20];
        plan.run(level, &mut scratch, |channel, _| input[channel], &mut found);
        assert_eq!(found, expected, "{level}");
    }
}

#[test]
fn values_share_the_lines_that_nobody_reads_any_more() {
    let shape = Shape::Planes([16, 2, 2]);
    let node = |op, operand| DenseNode { op, operand, shape };
    let norm = DenseOp::BatchNorm { eps: 1e-3 };
    let mut nodes = vec![node(DenseOp::Input, 0)];
    nodes.extend((0..9).map(|operand| node(norm, operand)));
    let lines = |nodes: &[DenseNode]| {
        Value::all(nodes)
            .iter()
            .map(|value| value.range().end)
            .max()
    };
    assert_eq!(lines(&nodes), Some(2 * 4));
    // The input is read again at the end.
    nodes.push(node(DenseOp::Add { other: 0 }, 9));
    assert_eq!(lines(&nodes), Some(3 * 4));
}

#[test]
fn planes_are_read_from_the_first_square_on() {
    assert_eq!(<[u64; 3]>::len(64), 192);
    assert_eq!(<[u64; 3]>::len(65), 0);
    assert_eq!(<[u128; 2]>::len(81), 162);
    let planes = [1_u64 << 9, 1 << 63];
    let set = |channel: usize| {
        (0..64)
            .filter(|&pixel| planes.get(channel, pixel, 64) == 1.0)
            .collect::<Vec<_>>()
    };
    assert_eq!([set(0), set(1)], [[9], [63]]);
    assert_eq!([1_u128 << 80].get(0, 80, 81), 1.0);
}
