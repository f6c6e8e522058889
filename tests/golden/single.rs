///The network `Chess768[768] -> 64 @ 255 sqr_crelu -> (1)x4`.
/**
# The network

`Chess768[768] -> 64 @ 255 sqr_crelu -> (1)x4`

| layer | shape      | weights | scale | parameters | buffers |
| ----- | ---------- | ------- | ----- | ---------- | ------- |
| `ft`  | 768 -> 64  | i16     | 255   | 98432      | 192     |
| `fc0` | 64 -> 1 x4 | i8      | 64    | 272        | 4       |

4 layer stacks, by `(piece_count - 1) / 8`; 98704 bytes of parameters. File: version `0x7AF32F20`, hash `0x4CA2E2BB` (feature transformer `0x76804CF8`, stack `0x3A22AE43`).

Load and evaluate it with [`Network`](::nnue::Network).*/
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
struct Single;
///The weights of [`Single`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
struct SingleParams {
    ///Feature transformer: bias `i16[64]`, weights `i16[768][64]`, one row per feature, in file order.
    pub ft: ::nnue::__private0::FeatureTransformer<64, 0, 768>,
    ///Layer `fc0`: per stack, bias `i32[1]` and weights `i8[1][64]`, in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc0: ::nnue::__private0::RowLayer<64, 4, 64>,
}
///A loaded network of the declaration [`Single`].
type SingleNetwork = ::nnue::Network<Single>;
///The accumulator of one perspective of [`Single`].
type SingleAccumulator = ::nnue::__private0::Accumulator<64, 0>;
const _: () = {
    use ::nnue::__private0 as __rt;
    impl __rt::Model for Single {
        const SPEC: __rt::NetDesc<'static> = __rt::NetDesc {
            name: "Single",
            notation: "Chess768[768] -> 64 @ 255 sqr_crelu -> (1)x4",
            features: &[
                __rt::FeatureDesc::new(
                    __rt::FeatureSetId::Chess768,
                    768,
                    __rt::ElementType::I16,
                ),
            ],
            accumulator: __rt::AccumulatorDesc {
                width: 64,
                perspectives: 1,
                psqt: 0,
                psqt_floats: 0,
                one: 255,
                order: __rt::PerspectiveOrder::SideToMove,
                separate: false,
                nonzero: 16,
            },
            stacks: __rt::StackDesc {
                count: 4,
                selector: __rt::Selector::PieceCount {
                    minus: 1,
                    divide: 8,
                },
            },
            buffers: &[__rt::BufferDesc::new("x", 64, 127, __rt::Source::Accumulator)],
            layers: &[
                __rt::LayerDesc::new(
                    "fc0",
                    &[__rt::Segment::new(0, 0, 64)],
                    [64, 64, 1],
                    __rt::LayerKind::Row,
                    64,
                ),
            ],
            maps: &[],
            steps: &[
                __rt::StepDesc::activate_accumulator(__rt::Activation::SqrCrelu, 9, 0),
                __rt::StepDesc::Affine { layer: 0 },
            ],
            output: __rt::OutputDesc {
                terms: &[
                    __rt::OutputTerm::new(0, 0, false, ::core::option::Option::None),
                ],
                ratio: ::core::option::Option::None,
            },
            heads: &[],
            value: __rt::ValueDesc::Together {
                divide: 400,
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
                    [768, 64, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_bias",
                    __rt::TensorRole::LayerBias(0),
                    __rt::ElementType::I32,
                    [1, 1, 4],
                ),
                __rt::TensorDesc::new(
                    "fc0_weight",
                    __rt::TensorRole::LayerWeight(0),
                    __rt::ElementType::I8,
                    [1, 64, 4],
                ),
            ],
            container: __rt::ContainerDesc {
                version: 0x7AF32F20,
                transformer_hash: 0x76804CF8,
                stack_hash: 0x3A22AE43,
                encoding: __rt::Encoding::Raw,
            },
            raw: ::core::option::Option::None,
            goldens: &[],
            head_goldens: &[],
            custom: __rt::CustomDesc::NONE,
        };
        type Game = __rt::game::Chess<__rt::Chess768, ()>;
        type Params = SingleParams;
        type Transformer = __rt::FeatureTransformer<64, 0, 768>;
        type Output = i32;
        fn transformer(params: &SingleParams) -> &Self::Transformer {
            &params.ft
        }
        #[inline(always)]
        fn forward<__Simd: __rt::Simd>(
            simd: __Simd,
            params: &SingleParams,
            us: &SingleAccumulator,
            _them: &SingleAccumulator,
            stack: usize,
        ) -> i32 {
            let mut b0_x = __rt::Sparse::<64, 32, 16>::new();
            __rt::activate_sqr_crelu(
                simd,
                [&us.values],
                &mut b0_x,
                __rt::One::<255>,
                __rt::Shr::<9>,
                __rt::Readers::<0>,
            );
            let fc0 = __rt::row_bias(&params.fc0, stack);
            let fc0 = __rt::row_add(
                simd,
                fc0,
                b0_x.bytes(),
                &params.fc0,
                stack,
                __rt::AtByte::<0>,
            );
            fc0
        }
    }
    impl __rt::Architecture for Single {
        type Features = __rt::Chess768;
        type Pairs = ();
    }
    impl __rt::Parameters for SingleParams {
        fn zeroed() -> Self {
            Self {
                ft: __rt::FeatureTransformer::zeroed(),
                fc0: __rt::RowLayer::zeroed(),
            }
        }
        fn tensors(&self) -> __rt::Vec<__rt::TensorRef<'_>> {
            __rt::vec![
                self.ft.bias.tensor(), self.ft.weight.tensor(), self.fc0.bias.tensor(),
                self.fc0.weight.tensor()
            ]
        }
        fn tensors_mut(&mut self) -> __rt::Vec<__rt::TensorMut<'_>> {
            __rt::vec![
                self.ft.bias.tensor_mut(), self.ft.weight.tensor_mut(), self.fc0.bias
                .tensor_mut(), self.fc0.weight.tensor_mut()
            ]
        }
        fn prepare(&mut self, level: __rt::Level) {
            let net = &<Single as __rt::Model>::SPEC;
            self.fc0.prepare(net, 0, level);
        }
    }
    const _: () = ::core::assert!(
        < __rt::Chess768 as __rt::FeatureSet > ::ROWS == 768,
        "feature set `Chess768` has another number of rows in the runtime"
    );
};
