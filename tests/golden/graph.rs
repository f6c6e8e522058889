///The network `HalfKAv2_hm[22528] -> 64x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 1)x8`.
/**
# The network

`HalfKAv2_hm[22528] -> 64x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 1)x8`

| layer | shape           | weights | scale | parameters | buffers |
| ----- | --------------- | ------- | ----- | ---------- | ------- |
| `ft`  | 22528 -> 64 + 8 | i16     | 127   | 3604608    | 384     |
| `fc0` | 64 -> 16 x8     | i8      | 64    | 8704       | 192     |
| `fc1` | 30 -> 1 x8      | i8      | 64    | 288        | 4       |

8 layer stacks, by `(piece_count - 1) / 4`; 3613600 bytes of parameters. File: version `0x7AF32F20`, hash `0x75F77FA1` (feature transformer `0x7F234C38`, stack `0x0AD43399`).

Load and evaluate it with [`Network`](::nnue::Network).*/
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
pub struct Graph;
///The weights of [`Graph`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct GraphParams {
    ///Feature transformer: bias `i16[64]`, weights `i16[22528][64]`, PSQT weights `i32[22528][8]`, one row per feature, in file order.
    pub ft: ::nnue::__private0::FeatureTransformer<64, 8, 22528>,
    ///Layer `fc0`: per stack, bias `i32[16]` and weights `i8[16][64]`, in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc0: ::nnue::__private0::Layer<64, 16, 8, 16, 16>,
    ///Layer `fc1`: per stack, bias `i32[1]` and weights `i8[1][32]` (columns from 30 on are padding), in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc1: ::nnue::__private0::RowLayer<32, 8, 128>,
}
///A loaded network of the declaration [`Graph`].
pub type GraphNetwork = ::nnue::Network<Graph>;
///The accumulator of one perspective of [`Graph`].
pub type GraphAccumulator = ::nnue::__private0::Accumulator<64, 8>;
const _: () = {
    use ::nnue::__private0 as __rt;
    impl __rt::Model for Graph {
        const SPEC: __rt::NetDesc<'static> = __rt::NetDesc {
            name: "Graph",
            notation: "HalfKAv2_hm[22528] -> 64x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 1)x8",
            features: &[
                __rt::FeatureDesc::new(
                    __rt::FeatureSetId::HalfKaV2Hm,
                    22528,
                    __rt::ElementType::I16,
                ),
            ],
            accumulator: __rt::AccumulatorDesc {
                width: 64,
                perspectives: 2,
                psqt: 8,
                psqt_floats: 0,
                one: 127,
                order: __rt::PerspectiveOrder::SideToMove,
                separate: false,
                nonzero: 16,
            },
            stacks: __rt::StackDesc {
                count: 8,
                selector: __rt::Selector::PieceCount {
                    minus: 1,
                    divide: 4,
                },
            },
            buffers: &[
                __rt::BufferDesc::new("x", 64, 126, __rt::Source::Accumulator),
                __rt::BufferDesc::new("fc0_sqr_crelu", 16, 127, __rt::Source::Layer(0)),
                __rt::BufferDesc::new("fc0_crelu", 16, 127, __rt::Source::Layer(0)),
            ],
            layers: &[
                __rt::LayerDesc::new(
                    "fc0",
                    &[__rt::Segment::new(0, 0, 64)],
                    [64, 64, 16],
                    __rt::LayerKind::Sparse,
                    64,
                ),
                __rt::LayerDesc::new(
                    "fc1",
                    &[__rt::Segment::new(1, 0, 15), __rt::Segment::new(2, 0, 15)],
                    [30, 32, 1],
                    __rt::LayerKind::Row,
                    64,
                ),
            ],
            maps: &[],
            steps: &[
                __rt::StepDesc::activate_accumulator(__rt::Activation::Pairwise, 7, 0),
                __rt::StepDesc::Affine { layer: 0 },
                __rt::StepDesc::activate_sums(__rt::Activation::SqrCrelu, 19, 0, 1),
                __rt::StepDesc::activate_sums(__rt::Activation::Crelu, 6, 0, 2),
                __rt::StepDesc::Affine { layer: 1 },
            ],
            output: __rt::OutputDesc {
                terms: &[
                    __rt::OutputTerm::new(1, 0, false, ::core::option::Option::None),
                    __rt::OutputTerm::new(
                        0,
                        15,
                        false,
                        ::core::option::Option::Some(__rt::Ratio::new(9600, 8128, false)),
                    ),
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
                    [1, 64, 1],
                ),
                __rt::TensorDesc::new(
                    "ft_weight",
                    __rt::TensorRole::TransformerWeight,
                    __rt::ElementType::I16,
                    [22528, 64, 1],
                ),
                __rt::TensorDesc::new(
                    "ft_psqt",
                    __rt::TensorRole::TransformerPsqt,
                    __rt::ElementType::I32,
                    [22528, 8, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_bias",
                    __rt::TensorRole::LayerBias(0),
                    __rt::ElementType::I32,
                    [1, 16, 8],
                ),
                __rt::TensorDesc::new(
                    "fc0_weight",
                    __rt::TensorRole::LayerWeight(0),
                    __rt::ElementType::I8,
                    [16, 64, 8],
                ),
                __rt::TensorDesc::new(
                    "fc1_bias",
                    __rt::TensorRole::LayerBias(1),
                    __rt::ElementType::I32,
                    [1, 1, 8],
                ),
                __rt::TensorDesc::new(
                    "fc1_weight",
                    __rt::TensorRole::LayerWeight(1),
                    __rt::ElementType::I8,
                    [1, 32, 8],
                ),
            ],
            container: __rt::ContainerDesc {
                version: 0x7AF32F20,
                transformer_hash: 0x7F234C38,
                stack_hash: 0x0AD43399,
                encoding: __rt::Encoding::Leb128,
            },
            raw: ::core::option::Option::None,
            goldens: &[],
            head_goldens: &[],
            custom: __rt::CustomDesc::NONE,
        };
        type Game = __rt::game::Chess<__rt::HalfKaV2Hm, ()>;
        type Params = GraphParams;
        type Transformer = __rt::FeatureTransformer<64, 8, 22528>;
        type Output = i32;
        fn transformer(params: &GraphParams) -> &Self::Transformer {
            &params.ft
        }
        #[inline(always)]
        fn forward<__Simd: __rt::Simd>(
            simd: __Simd,
            params: &GraphParams,
            us: &GraphAccumulator,
            them: &GraphAccumulator,
            stack: usize,
        ) -> i32 {
            let mut b0_x = __rt::Sparse::<64, 32, 16>::new();
            __rt::activate_pairwise(
                simd,
                [&us.values, &them.values],
                &mut b0_x,
                __rt::One::<127>,
                __rt::Shr::<7>,
                __rt::Readers::<16>,
            );
            let fc0 = __rt::affine_sparse(simd, &b0_x, &params.fc0, stack);
            let b1_fc0_sqr_crelu: __rt::Bytes<64> = __rt::sqr_crelu(
                simd,
                &fc0,
                __rt::Shr::<19>,
            );
            let b2_fc0_crelu: __rt::Bytes<64> = __rt::crelu(simd, &fc0, __rt::Shr::<6>);
            let fc1 = __rt::row_bias(&params.fc1, stack);
            let fc1 = __rt::row_add(
                simd,
                fc1,
                &b1_fc0_sqr_crelu,
                &params.fc1,
                stack,
                __rt::AtByte::<0>,
            );
            let fc1 = __rt::row_add(
                simd,
                fc1,
                &b2_fc0_crelu,
                &params.fc1,
                stack,
                __rt::AtByte::<64>,
            );
            fc1.wrapping_add(__rt::ratio_wrapping::<9600, 8128>(fc0.get(15)))
        }
    }
    impl __rt::Architecture for Graph {
        type Features = __rt::HalfKaV2Hm;
        type Pairs = ();
    }
    impl __rt::Parameters for GraphParams {
        fn zeroed() -> Self {
            Self {
                ft: __rt::FeatureTransformer::zeroed(),
                fc0: __rt::Layer::zeroed(),
                fc1: __rt::RowLayer::zeroed(),
            }
        }
        fn tensors(&self) -> __rt::Vec<__rt::TensorRef<'_>> {
            __rt::vec![
                self.ft.bias.tensor(), self.ft.weight.tensor(), self.ft.psqt.tensor(),
                self.fc0.bias.tensor(), self.fc0.weight.tensor(), self.fc1.bias.tensor(),
                self.fc1.weight.tensor()
            ]
        }
        fn tensors_mut(&mut self) -> __rt::Vec<__rt::TensorMut<'_>> {
            __rt::vec![
                self.ft.bias.tensor_mut(), self.ft.weight.tensor_mut(), self.ft.psqt
                .tensor_mut(), self.fc0.bias.tensor_mut(), self.fc0.weight.tensor_mut(),
                self.fc1.bias.tensor_mut(), self.fc1.weight.tensor_mut()
            ]
        }
        fn prepare(&mut self, level: __rt::Level) {
            let net = &<Graph as __rt::Model>::SPEC;
            self.fc0.prepare(net, 0, level);
            self.fc1.prepare(net, 1, level);
        }
    }
    const _: () = ::core::assert!(
        < __rt::HalfKaV2Hm as __rt::FeatureSet > ::ROWS == 22528,
        "feature set `HalfKAv2_hm` has another number of rows in the runtime"
    );
};
