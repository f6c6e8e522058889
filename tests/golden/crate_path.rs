///The network `HalfKP[41024] -> 256x2 -> 1`.
/**
# The network

`HalfKP[41024] -> 256x2 -> 1`

| layer | shape        | weights | scale | parameters | buffers |
| ----- | ------------ | ------- | ----- | ---------- | ------- |
| `ft`  | 41024 -> 256 | i16     | 127   | 21004800   | 1536    |
| `fc0` | 512 -> 1     | i8      | 64    | 516        | 4       |

one layer stack; 21005316 bytes of parameters. File: version `0x7AF32F20`, hash `0x674B78DB` (feature transformer `0x5D69D7B8`, stack `0x3A22AF63`).

Load and evaluate it with [`Network`](crate::renamed::Network).*/
#[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug)]
pub(crate) struct CratePath;
///The weights of [`CratePath`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub(crate) struct CratePathParams {
    ///Feature transformer: bias `i16[256]`, weights `i16[41024][256]`, one row per feature, in file order.
    pub ft: crate::renamed::__private0::FeatureTransformer<256, 0, 41024>,
    ///Layer `fc0`: per stack, bias `i32[1]` and weights `i8[1][512]`, in file order; a copy of the weights in the order of the instruction level is made by `prepare`.
    pub fc0: crate::renamed::__private0::RowLayer<512, 1, 512>,
}
///A loaded network of the declaration [`CratePath`].
pub(crate) type CratePathNetwork = crate::renamed::Network<CratePath>;
///The accumulator of one perspective of [`CratePath`].
pub(crate) type CratePathAccumulator = crate::renamed::__private0::Accumulator<256, 0>;
const _: () = {
    use crate::renamed::__private0 as __rt;
    impl __rt::Model for CratePath {
        const SPEC: __rt::NetDesc<'static> = __rt::NetDesc {
            name: "CratePath",
            notation: "HalfKP[41024] -> 256x2 -> 1",
            features: &[
                __rt::FeatureDesc::new(
                    __rt::FeatureSetId::HalfKp,
                    41024,
                    __rt::ElementType::I16,
                ),
            ],
            accumulator: __rt::AccumulatorDesc {
                width: 256,
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
            buffers: &[__rt::BufferDesc::new("x", 512, 127, __rt::Source::Accumulator)],
            layers: &[
                __rt::LayerDesc::new(
                    "fc0",
                    &[__rt::Segment::new(0, 0, 512)],
                    [512, 512, 1],
                    __rt::LayerKind::Row,
                    64,
                ),
            ],
            maps: &[],
            steps: &[
                __rt::StepDesc::activate_accumulator(__rt::Activation::Crelu, 0, 0),
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
                divide: 16,
            },
            tensors: &[
                __rt::TensorDesc::new(
                    "ft_bias",
                    __rt::TensorRole::TransformerBias,
                    __rt::ElementType::I16,
                    [1, 256, 1],
                ),
                __rt::TensorDesc::new(
                    "ft_weight",
                    __rt::TensorRole::TransformerWeight,
                    __rt::ElementType::I16,
                    [41024, 256, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_bias",
                    __rt::TensorRole::LayerBias(0),
                    __rt::ElementType::I32,
                    [1, 1, 1],
                ),
                __rt::TensorDesc::new(
                    "fc0_weight",
                    __rt::TensorRole::LayerWeight(0),
                    __rt::ElementType::I8,
                    [1, 512, 1],
                ),
            ],
            container: __rt::ContainerDesc {
                version: 0x7AF32F20,
                transformer_hash: 0x5D69D7B8,
                stack_hash: 0x3A22AF63,
                encoding: __rt::Encoding::Raw,
            },
            raw: ::core::option::Option::None,
            goldens: &[],
            head_goldens: &[],
            custom: __rt::CustomDesc::NONE,
        };
        type Game = __rt::game::Chess<__rt::HalfKp, ()>;
        type Params = CratePathParams;
        type Transformer = __rt::FeatureTransformer<256, 0, 41024>;
        type Output = i32;
        fn transformer(params: &CratePathParams) -> &Self::Transformer {
            &params.ft
        }
        #[inline(always)]
        fn forward<__Simd: __rt::Simd>(
            simd: __Simd,
            params: &CratePathParams,
            us: &CratePathAccumulator,
            them: &CratePathAccumulator,
            stack: usize,
        ) -> i32 {
            let mut b0_x = __rt::Sparse::<512, 144, 16>::new();
            __rt::activate_crelu(
                simd,
                [&us.values, &them.values],
                &mut b0_x,
                __rt::One::<127>,
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
    impl __rt::Architecture for CratePath {
        type Features = __rt::HalfKp;
        type Pairs = ();
    }
    impl __rt::Parameters for CratePathParams {
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
            let net = &<CratePath as __rt::Model>::SPEC;
            self.fc0.prepare(net, 0, level);
        }
    }
    const _: () = ::core::assert!(
        < __rt::HalfKp as __rt::FeatureSet > ::ROWS == 41024,
        "feature set `HalfKP` has another number of rows in the runtime"
    );
};
