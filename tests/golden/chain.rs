/// One line.
/**
# The network

`Chess768[768] -> 32x2 -> 8 -> 1`

| layer | shape     | weights | scale | parameters | buffers |
| ----- | --------- | ------- | ----- | ---------- | ------- |
| `ft`  | 768 -> 32 | i16     | 127   | 49216      | 192     |
| `fc0` | 64 -> 8   | i8      | 64    | 544        | 128     |
| `fc1` | 8 -> 1    | i8      | 64    | 36         | 4       |

one layer stack; 49796 bytes of parameters. File: version `0x7AF32F20`, hash `0x7C547F95` (feature transformer `0x76804CF8`, stack `0x0AD4336D`).

Load and evaluate it with [`Network`](::nnue::Network).*/
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
pub struct Chain;
///The weights of [`Chain`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct ChainParams {
    ///Feature transformer: bias `i16[32]`, weights `i16[768][32]`, one row per feature, in file order.
    pub ft: ::nnue::__private0::FeatureTransformer<32, 0, 768>,
    ///Layer `fc0`: per stack, bias `i32[8]` and weights `i8[8][64]`, in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc0: ::nnue::__private0::Layer<64, 8, 1, 16, 16>,
    ///Layer `fc1`: per stack, bias `i32[1]` and weights `i8[1][32]` (columns from 8 on are padding), in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc1: ::nnue::__private0::RowLayer<32, 1, 64>,
}
///A loaded network of the declaration [`Chain`].
pub type ChainNetwork = ::nnue::Network<Chain>;
///The accumulator of one perspective of [`Chain`].
pub type ChainAccumulator = ::nnue::__private0::Accumulator<32, 0>;
const _: () = {
    use ::nnue::__private0 as __rt;
    impl __rt::Model for Chain {
        const SPEC: __rt::NetDesc<'static> = __rt::NetDesc {
            name: "Chain",
            notation: "Chess768[768] -> 32x2 -> 8 -> 1",
            features: &[
                __rt::FeatureDesc::new(
                    __rt::FeatureSetId::Chess768,
                    768,
                    __rt::ElementType::I16,
                ),
            ],
            accumulator: __rt::AccumulatorDesc {
                width: 32,
                perspectives: 2,
                psqt: 0,
                psqt_floats: 0,
                one: 127,
                order: __rt::PerspectiveOrder::SideToMove,
                separate: false,
                nonzero: 16,
            },
            stacks: __rt::StackDesc {
                count: 1,
                selector: __rt::Selector::Single,
            },
            buffers: &[
                __rt::BufferDesc::new("x", 64, 127, __rt::Source::Accumulator),
                __rt::BufferDesc::new("a1", 8, 127, __rt::Source::Layer(0)),
            ],
            layers: &[
                __rt::LayerDesc::new(
                    "fc0",
                    &[__rt::Segment::new(0, 0, 64)],
                    [64, 64, 8],
                    __rt::LayerKind::Sparse,
                    64,
                ),
                __rt::LayerDesc::new(
                    "fc1",
                    &[__rt::Segment::new(1, 0, 8)],
                    [8, 32, 1],
                    __rt::LayerKind::Row,
                    64,
                ),
            ],
            maps: &[],
            steps: &[
                __rt::StepDesc::activate_accumulator(__rt::Activation::Crelu, 0, 0),
                __rt::StepDesc::Affine { layer: 0 },
                __rt::StepDesc::activate_sums(__rt::Activation::Crelu, 6, 0, 1),
                __rt::StepDesc::Affine { layer: 1 },
            ],
            output: __rt::OutputDesc {
                terms: &[
                    __rt::OutputTerm::new(1, 0, false, ::core::option::Option::None),
                ],
                ratio: ::core::option::Option::None,
            },
            heads: &[],
            value: __rt::ValueDesc::Together {
                divide: 16,
            },
            tensors: &[
                __rt::TensorDesc::new(
                    "ft_bias",
                    __rt::TensorRole::TransformerBias,
                    __rt::ElementType::I16,
                    [1, 32, 1],
                ),
                __rt::TensorDesc::new(
                    "ft_weight",
                    __rt::TensorRole::TransformerWeight,
                    __rt::ElementType::I16,
                    [768, 32, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_bias",
                    __rt::TensorRole::LayerBias(0),
                    __rt::ElementType::I32,
                    [1, 8, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_weight",
                    __rt::TensorRole::LayerWeight(0),
                    __rt::ElementType::I8,
                    [8, 64, 1],
                ),
                __rt::TensorDesc::new(
                    "fc1_bias",
                    __rt::TensorRole::LayerBias(1),
                    __rt::ElementType::I32,
                    [1, 1, 1],
                ),
                __rt::TensorDesc::new(
                    "fc1_weight",
                    __rt::TensorRole::LayerWeight(1),
                    __rt::ElementType::I8,
                    [1, 32, 1],
                ),
            ],
            container: __rt::ContainerDesc {
                version: 0x7AF32F20,
                transformer_hash: 0x76804CF8,
                stack_hash: 0x0AD4336D,
                encoding: __rt::Encoding::Raw,
            },
            raw: ::core::option::Option::None,
            goldens: &[],
            head_goldens: &[],
            custom: __rt::CustomDesc::NONE,
        };
        type Game = __rt::game::Chess<__rt::Chess768, ()>;
        type Params = ChainParams;
        type Transformer = __rt::FeatureTransformer<32, 0, 768>;
        type Output = i32;
        fn transformer(params: &ChainParams) -> &Self::Transformer {
            &params.ft
        }
        #[inline(always)]
        fn forward<__Simd: __rt::Simd>(
            simd: __Simd,
            params: &ChainParams,
            us: &ChainAccumulator,
            them: &ChainAccumulator,
            stack: usize,
        ) -> i32 {
            let mut b0_x = __rt::Sparse::<64, 32, 16>::new();
            __rt::activate_crelu(
                simd,
                [&us.values, &them.values],
                &mut b0_x,
                __rt::One::<127>,
                __rt::Readers::<16>,
            );
            let fc0 = __rt::affine_sparse(simd, &b0_x, &params.fc0, stack);
            let b1_a1: __rt::Bytes<64> = __rt::crelu(simd, &fc0, __rt::Shr::<6>);
            let fc1 = __rt::row_bias(&params.fc1, stack);
            let fc1 = __rt::row_add(
                simd,
                fc1,
                &b1_a1,
                &params.fc1,
                stack,
                __rt::AtByte::<0>,
            );
            fc1
        }
    }
    impl __rt::Architecture for Chain {
        type Features = __rt::Chess768;
        type Pairs = ();
    }
    impl __rt::Parameters for ChainParams {
        fn zeroed() -> Self {
            Self {
                ft: __rt::FeatureTransformer::zeroed(),
                fc0: __rt::Layer::zeroed(),
                fc1: __rt::RowLayer::zeroed(),
            }
        }
        fn tensors(&self) -> __rt::Vec<__rt::TensorRef<'_>> {
            __rt::vec![
                self.ft.bias.tensor(), self.ft.weight.tensor(), self.fc0.bias.tensor(),
                self.fc0.weight.tensor(), self.fc1.bias.tensor(), self.fc1.weight
                .tensor()
            ]
        }
        fn tensors_mut(&mut self) -> __rt::Vec<__rt::TensorMut<'_>> {
            __rt::vec![
                self.ft.bias.tensor_mut(), self.ft.weight.tensor_mut(), self.fc0.bias
                .tensor_mut(), self.fc0.weight.tensor_mut(), self.fc1.bias.tensor_mut(),
                self.fc1.weight.tensor_mut()
            ]
        }
        fn prepare(&mut self, level: __rt::Level) {
            let net = &<Chain as __rt::Model>::SPEC;
            self.fc0.prepare(net, 0, level);
            self.fc1.prepare(net, 1, level);
        }
    }
    const _: () = ::core::assert!(
        < __rt::Chess768 as __rt::FeatureSet > ::ROWS == 768,
        "feature set `Chess768` has another number of rows in the runtime"
    );
};
