//! Declared networks as models of ONNX: read again, and evaluated, they say what the reference interpreter says.

use nnue_codegen::{dense_text, plan_text};
use nnue_format::Tensors;
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Inputs, dense, expected, onnx};
use nnue_import::fold::fold;
use nnue_import::{Graph, declare};
use nnue_spec::{NetDesc, TensorMut};

use crate::accumulated::boards;
use crate::{graph, made};

/// How far floats may be that are added in another order, in parts of the largest value.
const TOLERANCE: f64 = 1e-5;

/// Weights as after training: small numbers of both signs, other ones in every place.
fn fill(net: &NetDesc<'_>) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    let mut state = 1_u64;
    let mut next = |most: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % (2 * most + 1) - most
    };
    for tensor in tensors.muts() {
        match tensor {
            TensorMut::I8(values) => values.iter_mut().for_each(|value| *value = next(60) as i8),
            TensorMut::I16(values) => values.iter_mut().for_each(|value| *value = next(90) as i16),
            TensorMut::I32(values) => values.iter_mut().for_each(|value| *value = next(4000) as i32),
            TensorMut::F32(values) => values.iter_mut().for_each(|value| *value = next(64) as f32 / 256.0),
        }
    }
    tensors
}

/// Asserts that the graph of a declared network gives its values.
fn compare(declaration: &str) {
    let plans = plan_text(declaration).unwrap_or_else(|errors| panic!("{declaration}: {errors:?}"));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let tensors = fill(&net);
    let file = onnx(&net, &tensors.refs()).unwrap_or_else(|error| panic!("{declaration}: {error}"));
    let graph = nnue_import::onnx::read(file, None).expect("the graph is read");
    let boards = boards();
    let inputs = Inputs::of(&net).in_positions(&net, &boards).expect("the rows are known");
    let numbers = evaluate(&graph, &inputs).unwrap_or_else(|error| panic!("{declaration}: {error}"));
    let found = numbers[graph.outputs[0]].as_ref().expect("there is a value").to_floats();
    let expected: Vec<f64> = boards.iter().map(|board| expected(&net, &tensors.refs(), board)).collect();
    let largest = expected.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    let tolerance = if net.value.is_float() { TOLERANCE * largest } else { 0.0 };
    assert!(largest > 8.0, "{declaration}: values are up to {largest}");
    for (found, expected) in found.iter().zip(&expected) {
        assert!((f64::from(*found) - expected).abs() <= tolerance, "{declaration}: {found}, expected {expected}");
    }
}

/// The shapes of Stockfish's generations, with fewer neurons.
#[test]
fn generations_of_stockfish_give_their_values_exactly() {
    for declaration in [
        "pub struct V1 = HalfKP[..] -> 32x2 -> 32 -> 32 -> 1;",
        "pub struct V2 = HalfKAv2[..] -> 64x2, psqt 8 -> (16 -> 32 -> 1)x8;",
        "pub struct V5 {
            acc = accumulate(HalfKAv2_hm[22528], 64) x 2, psqt 8;
            x = pairwise(acc);
            stacks 8 by (piece_count - 1) / 4 {
                let h1 = affine(x, 16);
                let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
                output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
            }
        }",
        "pub struct V16 {
            inputs = HalfKAv2_hm[22528] as i16 + FullThreats[59808] as i8 + PawnPairs[4560] as i8;
            acc = accumulate(inputs, 64 @ 255) x 2, psqt 8;
            stacks 8 by (piece_count - 1) / 4 {
                let h1 = affine(pairwise(acc), 32: i8 @ 128);
                let a1 = concat(sqr_crelu(h1), crelu(h1));
                let h2 = affine(a1, 32);
                output (affine(concat(a1, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
            }
            value psqt / 16 + positional / 16;
        }",
        "pub struct Apart = HalfKAv2_hm[..] -> 32x2, psqt 8 -> (16 -> 1)x8 { value psqt / 16 + positional / 16; };",
    ] {
        compare(declaration);
    }
}

#[test]
fn networks_of_trainers_give_their_values() {
    for declaration in [
        "pub struct Simple = (768 -> 64)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };",
        "pub struct Buckets = (Chess768[mirrored] -> 64)x2 @ 255 pairwise -> 1x8: i16 @ 64 by material_count { format raw };",
        "pub struct One = 768 -> 64 @ 255 crelu -> 1: i16 @ 64 { format raw };",
        "pub struct Floats = (768 -> 32)x2 @ 255 screlu -> 16: f32 screlu -> 1: f32 { format raw };",
        "pub struct Chances {
            acc = accumulate(768, 32 @ 255) x 2;
            let h1 = affine(pairwise(acc), 16: f32);
            output affine(screlu(h1), 3: f32);
            value wdl * 1000;
            format raw
        }",
    ] {
        compare(declaration);
    }
}

#[test]
fn what_graphs_do_not_have_is_told() {
    let refused = |declaration: &str| {
        let plans = plan_text(declaration).unwrap_or_else(|errors| panic!("{declaration}: {errors:?}"));
        let tables = plans[0].tables();
        let net = tables.descriptor();
        onnx(&net, &Tensors::zeroed(&net).refs()).expect_err("it is not written").to_string()
    };
    let gated = "pub struct Gated = (768 -> 32)x2 @ 255 screlu -> 16: f32 gated -> 1: f32 { format raw };";
    assert_eq!(refused(gated), "`Gated` has the activation `gated`, which is not written to graphs");
}

/// Networks over a dense input, which `tests/import/make.py` made, become the same declaration again, with the same weights.
#[test]
fn networks_over_a_dense_input_come_back() {
    for name in ["digits.pt2", "tower.pt2", "activations.onnx", "binary.pt2"] {
        let declared = |graph: &Graph| {
            let folded = fold(graph).expect("it can be made simple");
            declare::dense(graph, &folded, "Net").unwrap_or_else(|error| panic!("{name}: {error}"))
        };
        let first = declared(&graph(&made(name)));
        let networks = dense_text(&first.text).unwrap_or_else(|errors| panic!("{errors:?}"));
        let tensors: Vec<Vec<f32>> = first.tensors.iter().map(|tensor| tensor.values.clone()).collect();
        let file = dense(&networks[0].desc(), &tensors).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = declared(&nnue_import::onnx::read(file, None).expect("the graph is read"));
        assert_eq!(again.text, first.text, "{name}");
        for (one, other) in first.tensors.iter().zip(&again.tensors) {
            assert_eq!((&one.name, &one.shape), (&other.name, &other.shape), "{name}");
            let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * a.abs();
            assert!(one.values.iter().zip(&other.values).all(near), "{name}: {}", one.name);
        }
    }
}
