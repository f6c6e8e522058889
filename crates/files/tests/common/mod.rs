//! Networks for the tests of this crate: models by hand, planned by the compiler.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod published;
pub mod toy;

use nnue_format::Tensors;
use nnue_spec::check::check;
use nnue_spec::diagnostic::Sink;
use nnue_spec::loc::{Loc, Located};
use nnue_spec::model::*;
use nnue_spec::{ElementType, Encoding, FeatureSetId, NetDesc, TensorMut, plan};

fn at<T>(value: T) -> Located<T> {
    Located::new(value, Loc(0))
}

fn name(name: &str) -> Expr {
    Expr::Name(at(name.to_owned()))
}

fn affine(input: Expr, outputs: u64) -> Expr {
    let (outputs, element, scale) = (at(outputs), at(ElementType::I8), at(64));
    Expr::Affine {
        input: Box::new(input),
        outputs,
        element,
        scale,
        sums: None,
        bias: None,
        unit: None,
        binary: None,
        reach: None,
        loc: Loc(0),
    }
}

fn activate(function: Activation, input: Expr) -> Expr {
    Expr::Activate {
        function: at(Function::Known(function)),
        input: Box::new(input),
        shift: None,
        words: None,
    }
}

fn slice(input: Expr, start: u64, end: u64) -> Expr {
    Expr::Slice {
        input: Box::new(input),
        start: Some(at(start)),
        end: Some(at(end)),
        loc: Loc(0),
    }
}

fn term(value: Expr) -> TermSpec {
    TermSpec {
        negative: false,
        value,
        ratio: None,
    }
}

/// What differs between the networks of these tests.
pub struct Shape {
    /// name of the type
    pub name: &'static str,
    /// feature set
    pub set: FeatureSetId,
    /// accumulator width
    pub width: u64,
    /// what 1.0 is in the accumulator
    pub one: u64,
    /// stacks, and PSQT outputs if more than one
    pub stacks: u64,
    /// first word of the file
    pub version: u64,
}

impl Shape {
    /// `Chess768 -> 32x2 -> ...`, two stacks: a file of about 52 KB.
    pub fn small() -> Self {
        Self {
            name: "Small",
            set: FeatureSetId::Chess768,
            width: 32,
            one: 127,
            stacks: 2,
            version: 0x7AF3_2F20,
        }
    }

    /// A Stockfish network with HalfKAv2_hm.
    pub fn stockfish(name: &'static str, width: u64) -> Self {
        Self {
            name,
            set: FeatureSetId::HalfKaV2Hm,
            width,
            one: 127,
            stacks: 8,
            version: 0x7AF3_2F20,
        }
    }

    fn spec(&self, bindings: Vec<Binding>, terms: Vec<TermSpec>) -> NetDesc<'static> {
        let bucketed = self.stacks > 1;
        let spec = NetSpec {
            name: at(self.name.to_owned()),
            inputs: vec![InputSpec {
                set: at(self.set),
                name: None,
                groups: Vec::new(),
                rows: None,
                element: at(ElementType::I16),
            }],
            accumulator: AccumulatorSpec {
                name: at("acc".to_owned()),
                width: at(self.width),
                perspectives: at(2),
                one: at(self.one),
                psqt: bucketed.then(|| at(self.stacks)),
                psqt_floats: None,
                order: None,
                separate: None,
                nonzero: None,
            },
            stacks: StackSpec {
                count: at(self.stacks),
                group: None,
                by: bucketed.then(|| {
                    at(SelectorSpec::PieceCount {
                        minus: 1,
                        divide: 32 / self.stacks,
                    })
                }),
            },
            bindings,
            output: OutputSpec {
                terms,
                ratio: None,
                loc: Loc(0),
            },
            heads: Vec::new(),
            fused: false,
            value: None,
            format: FormatSpec {
                raw: None,
                version: Some(at(self.version)),
                encoding: Some(at(Encoding::Leb128)),
                features: None,
            },
            goldens: Vec::new(),
            weights: None,
        };
        let mut sink = Sink::new();
        let graph = check(&spec, &mut sink);
        assert_eq!(sink.into_diagnostics(), []);
        let graph = graph.expect("no errors, so a graph");
        let plan: &'static plan::Plan = Box::leak(Box::new(plan::plan(&graph)));
        let tables: &'static plan::Tables<'static> = Box::leak(Box::new(plan.tables()));
        tables.descriptor()
    }

    /// Clipped ReLU everywhere, `fc0` outputs in the first layer, 32 in the second.
    pub fn crelu(&self, fc0: u64) -> NetDesc<'static> {
        let h1 = affine(activate(Activation::Crelu, name("acc")), fc0);
        let h2 = affine(activate(Activation::Crelu, h1), 32);
        self.spec(
            Vec::new(),
            vec![term(affine(activate(Activation::Crelu, h2), 1))],
        )
    }

    /// SFNNv4: pairwise product, one neuron of the first layer goes to the output.
    pub fn sfnn_v4(&self) -> NetDesc<'static> {
        self.forward(activate(Activation::Crelu, slice(name("h1"), 0, 15)))
    }

    /// SFNNv5 and its successors: as v4 with a squared activation beside the clipped one.
    pub fn sfnn_v5(&self) -> NetDesc<'static> {
        let part = || slice(name("h1"), 0, 15);
        let parts = vec![
            activate(Activation::SqrCrelu, part()),
            activate(Activation::Crelu, part()),
        ];
        self.forward(Expr::Concat { parts, loc: Loc(0) })
    }

    fn forward(&self, a1: Expr) -> NetDesc<'static> {
        let bind = |name: &str, value| Binding {
            name: at(name.to_owned()),
            value,
        };
        let h1 = affine(activate(Activation::Pairwise, name("acc")), 16);
        let bindings = vec![
            bind("h1", h1),
            bind("a1", a1),
            bind("h2", affine(name("a1"), 32)),
        ];
        let ratio = RatioSpec {
            num: at(9600),
            den: at(8128),
            wide: false,
        };
        let forward = TermSpec {
            ratio: Some(ratio),
            ..term(slice(name("h1"), 15, 16))
        };
        self.spec(
            bindings,
            vec![
                term(affine(activate(Activation::Crelu, name("h2")), 1)),
                forward,
            ],
        )
    }
}

/// A reproducible stream of numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// A number of a random magnitude up to `bits` bits, either sign.
    pub fn signed(&mut self, bits: u64) -> i64 {
        let magnitude = self.below(bits + 1);
        (self.bits() as i64) >> (63 - magnitude)
    }
}

/// Weights of all magnitudes, padding columns included.
pub fn random_tensors(net: &NetDesc<'_>, seed: u64) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    let mut random = Random(seed);
    for tensor in tensors.muts() {
        match tensor {
            TensorMut::I8(v) => v.iter_mut().for_each(|x| *x = random.signed(7) as i8),
            TensorMut::I16(v) => v.iter_mut().for_each(|x| *x = random.signed(15) as i16),
            TensorMut::I32(v) => v.iter_mut().for_each(|x| *x = random.signed(31) as i32),
            TensorMut::F32(_) => panic!("no network here has floats"),
        }
    }
    tensors
}
