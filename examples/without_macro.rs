//! A network without the macro: the items that `nnue!` generates, written by hand.
//!
//! The declaration would be `pub struct Material = Chess768[..] -> 32x2 -> 2 -> 1;`. The weights are also made here: the network
//! counts material, 100 for a pawn, from the side to move's point of view.
//!
//! Run: `cargo run --example without_macro`
//!
//! ```text
//! start position: 0
//! black, a queen down: -900
//! ```

use nnue::__private0 as rt;
use nnue::{AccumulatorStack, Change, Color, Network, Piece, PieceKind, Position, Square};

/// Counts material.
struct Material;

/// The weights of [`Material`].
struct MaterialParams {
    ft: rt::FeatureTransformer<32, 0, 768>,
    fc0: rt::Layer<64, 2, 1, 16, 16>,
    fc1: rt::RowLayer<32, 1, 64>,
}

impl rt::Model for Material {
    const SPEC: rt::NetDesc<'static> = rt::NetDesc {
        name: "Material",
        notation: "Chess768[768] -> 32x2 -> 2 -> 1",
        features: &[rt::FeatureDesc {
            set: rt::FeatureSetId::Chess768,
            rows: 768,
            element: rt::ElementType::I16,
        }],
        accumulator: rt::AccumulatorDesc {
            width: 32,
            perspectives: 2,
            psqt: 0,
            psqt_floats: 0,
            one: 127,
            order: rt::PerspectiveOrder::SideToMove,
            separate: false,
            nonzero: 16,
        },
        stacks: rt::StackDesc {
            count: 1,
            selector: rt::Selector::Single,
        },
        buffers: &[
            rt::BufferDesc {
                name: "x0",
                len: 64,
                max: 127,
                source: rt::Source::Accumulator,
            },
            rt::BufferDesc {
                name: "x1",
                len: 2,
                max: 127,
                source: rt::Source::Layer(0),
            },
        ],
        layers: &[
            rt::LayerDesc {
                name: "fc0",
                segments: &[rt::Segment {
                    buffer: 0,
                    start: 0,
                    len: 64,
                }],
                inputs: 64,
                file_inputs: 64,
                outputs: 2,
                kind: rt::LayerKind::Sparse,
                scale: 64,
                shards: None,
            },
            rt::LayerDesc {
                name: "fc1",
                segments: &[rt::Segment {
                    buffer: 1,
                    start: 0,
                    len: 2,
                }],
                inputs: 2,
                file_inputs: 32,
                outputs: 1,
                kind: rt::LayerKind::Row,
                scale: 64,
                shards: None,
            },
        ],
        maps: &[],
        steps: &[
            rt::StepDesc::ActivateAccumulator {
                activation: rt::Activation::Crelu,
                shift: 0,
                buffer: 0,
            },
            rt::StepDesc::Affine { layer: 0 },
            rt::StepDesc::ActivateSums {
                activation: rt::Activation::Crelu,
                shift: 6,
                layer: 0,
                buffer: 1,
            },
            rt::StepDesc::Affine { layer: 1 },
        ],
        output: rt::OutputDesc {
            terms: &[rt::OutputTerm {
                layer: 1,
                neuron: 0,
                negative: false,
                ratio: None,
            }],
            ratio: None,
        },
        heads: &[],
        value: rt::ValueDesc::Together { divide: 1 },
        tensors: &[
            tensor(
                "ft_bias",
                rt::TensorRole::TransformerBias,
                rt::ElementType::I16,
                1,
                32,
            ),
            tensor(
                "ft_weight",
                rt::TensorRole::TransformerWeight,
                rt::ElementType::I16,
                768,
                32,
            ),
            tensor(
                "fc0_bias",
                rt::TensorRole::LayerBias(0),
                rt::ElementType::I32,
                1,
                2,
            ),
            tensor(
                "fc0_weight",
                rt::TensorRole::LayerWeight(0),
                rt::ElementType::I8,
                2,
                64,
            ),
            tensor(
                "fc1_bias",
                rt::TensorRole::LayerBias(1),
                rt::ElementType::I32,
                1,
                1,
            ),
            tensor(
                "fc1_weight",
                rt::TensorRole::LayerWeight(1),
                rt::ElementType::I8,
                1,
                32,
            ),
        ],
        container: rt::ContainerDesc {
            version: 0x7AF3_2F20,
            transformer_hash: 0x7680_4CF8,
            stack_hash: 0x6E09_2B6F,
            encoding: rt::Encoding::Raw,
        },
        raw: None,
        goldens: &[],
        head_goldens: &[],
        custom: rt::CustomDesc::NONE,
    };
    type Game = rt::game::Chess<rt::Chess768>;
    type Params = MaterialParams;
    type Transformer = rt::FeatureTransformer<32, 0, 768>;
    type Output = i32;

    fn transformer(params: &MaterialParams) -> &Self::Transformer {
        &params.ft
    }

    #[inline(always)]
    fn forward<S: rt::Simd>(
        simd: S,
        params: &MaterialParams,
        us: &rt::Accumulator<32, 0>,
        them: &rt::Accumulator<32, 0>,
        stack: usize,
    ) -> i32 {
        let mut x0 = rt::Sparse::<64, 32, 16>::new();
        rt::activate_crelu(
            simd,
            [&us.values, &them.values],
            &mut x0,
            rt::One::<127>,
            rt::Readers::<16>,
        );
        let h0 = rt::affine_sparse(simd, &x0, &params.fc0, stack);
        let x1: rt::Bytes<64> = rt::crelu(simd, &h0, rt::Shr::<6>);
        let h1 = rt::row_bias(&params.fc1, stack);
        rt::row_add(simd, h1, &x1, &params.fc1, stack, rt::AtByte::<0>)
    }
}

impl rt::Architecture for Material {
    type Features = rt::Chess768;
    type Pairs = ();
}

const fn tensor(
    name: &'static str,
    role: rt::TensorRole,
    element: rt::ElementType,
    rows: usize,
    cols: usize,
) -> rt::TensorDesc<'static> {
    rt::TensorDesc {
        name,
        role,
        element,
        rows,
        cols,
        copies: 1,
    }
}

impl rt::Parameters for MaterialParams {
    fn zeroed() -> Self {
        Self {
            ft: rt::FeatureTransformer::zeroed(),
            fc0: rt::Layer::zeroed(),
            fc1: rt::RowLayer::zeroed(),
        }
    }

    fn tensors(&self) -> Vec<rt::TensorRef<'_>> {
        vec![
            self.ft.bias.tensor(),
            self.ft.weight.tensor(),
            self.fc0.bias.tensor(),
            self.fc0.weight.tensor(),
            self.fc1.bias.tensor(),
            self.fc1.weight.tensor(),
        ]
    }

    fn tensors_mut(&mut self) -> Vec<rt::TensorMut<'_>> {
        vec![
            self.ft.bias.tensor_mut(),
            self.ft.weight.tensor_mut(),
            self.fc0.bias.tensor_mut(),
            self.fc0.weight.tensor_mut(),
            self.fc1.bias.tensor_mut(),
            self.fc1.weight.tensor_mut(),
        ]
    }

    fn prepare(&mut self, level: rt::Level) {
        let net = <Material as rt::Model>::SPEC;
        self.fc0.prepare(&net, 0, level);
        self.fc1.prepare(&net, 1, level);
    }
}

/// Neuron 0 of each accumulator counts the own pieces in pawns, neuron 1 the enemy's. The first layer takes the
/// difference both ways (a clipped ReLU keeps the positive one), the second joins them.
fn material() -> MaterialParams {
    const PAWNS: [i16; 6] = [1, 3, 3, 5, 9, 0];
    let mut params: MaterialParams = rt::Parameters::zeroed();
    for (row, weights) in params.ft.weight.iter_mut().enumerate() {
        let (enemy, kind) = (row / 384, row / 64 % 6);
        weights[enemy] = PAWNS[kind];
    }
    let [ahead, behind] = &mut params.fc0.weight[0];
    (ahead[0], ahead[1]) = (64, -64);
    (behind[0], behind[1]) = (-64, 64);
    (params.fc1.weight[0][0][0], params.fc1.weight[0][0][1]) = (100, -100);
    params
}

/// A board: a piece or nothing on each square.
struct Board {
    squares: [Option<Piece>; 64],
    side_to_move: Color,
}

impl Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let piece = Some(Piece::new(color, kind));
        (0..64)
            .filter(|&square| self.squares[square] == piece)
            .fold(0, |all, square| all | 1 << square)
    }

    fn side_to_move(&self) -> Color {
        self.side_to_move
    }
}

impl Board {
    fn start() -> Self {
        use PieceKind::*;
        let mut squares = [None; 64];
        for (file, kind) in [Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]
            .into_iter()
            .enumerate()
        {
            squares[file] = Some(Piece::new(Color::White, kind));
            squares[8 + file] = Some(Piece::new(Color::White, Pawn));
            squares[48 + file] = Some(Piece::new(Color::Black, Pawn));
            squares[56 + file] = Some(Piece::new(Color::Black, kind));
        }
        Self {
            squares,
            side_to_move: Color::White,
        }
    }
}

fn main() {
    let network = Network::<Material>::from_params(material());
    let mut stack = AccumulatorStack::new();
    let mut board = Board::start();
    println!(
        "start position: {}",
        network.evaluate(&board, &mut stack).value
    );

    // The queen on d1 captures the queen on d8, over the pieces between them.
    let [d1, d8] = [Square::at(3, 0), Square::at(3, 7)];
    let [white, black] =
        [Color::White, Color::Black].map(|color| Piece::new(color, PieceKind::Queen));
    board.squares[d8.index()] = board.squares[d1.index()].take();
    board.side_to_move = Color::Black;
    stack.push(Change::capture(white, d1, d8, black));
    println!(
        "black, a queen down: {}",
        network.evaluate(&board, &mut stack).value
    );
}
