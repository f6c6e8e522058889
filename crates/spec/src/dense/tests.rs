//! Shape rules, and values computed by hand.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use super::model::{
    DenseBinding, DenseExpr, DenseOperation, DenseSpec, Join, SourceSpec, WindowSpec,
};
use super::reference::evaluate;
use super::{Binary, DenseDesc, DenseGraph, DenseNode, DenseOp, Shape, check};
use crate::diagnostic::{Code, Sink};
use crate::loc::{Loc, Located};
use crate::op::Activation;

fn at<T>(value: T) -> Located<T> {
    Located::new(value, Loc(0))
}

fn name(text: &str) -> DenseExpr {
    DenseExpr::Name(at(text.to_string()))
}

fn of(operation: DenseOperation, input: DenseExpr) -> DenseExpr {
    DenseExpr::Operation {
        operation,
        input: Box::new(input),
        loc: Loc(1),
    }
}

fn window(kernel: u64, stride: u64, padding: u64) -> WindowSpec {
    WindowSpec {
        kernel: at(kernel),
        stride: Some(at(stride)),
        padding: (padding > 0).then(|| at(padding)),
    }
}

fn conv(outputs: u64, window: WindowSpec) -> DenseOperation {
    DenseOperation::Conv2d {
        outputs: at(outputs),
        binary: None,
        window,
    }
}

fn affine(outputs: u64) -> DenseOperation {
    DenseOperation::Affine {
        outputs: at(outputs),
        binary: None,
    }
}

fn checked(sizes: &[u64], output: DenseExpr) -> Result<DenseGraph, Vec<(Code, String)>> {
    let sizes = sizes.iter().map(|&size| at(size)).collect();
    let source = SourceSpec {
        name: at("x".to_string()),
        bits: false,
        sizes,
        loc: Loc(0),
    };
    let spec = DenseSpec {
        name: at("N".to_string()),
        source,
        bindings: Vec::new(),
        output,
        fused: false,
    };
    let mut sink = Sink::new();
    let graph = check(&spec, &mut sink);
    let errors = sink
        .into_diagnostics()
        .into_iter()
        .map(|error| (error.code, error.message))
        .collect();
    graph.ok_or(errors)
}

#[test]
fn shapes_are_those_of_trainers() {
    let strided = of(conv(6, window(3, 2, 1)), name("x"));
    let pooled = of(DenseOperation::MaxPool2d(window(2, 1, 0)), strided);
    let graph = checked(
        &[3, 9, 8],
        of(affine(4), of(DenseOperation::Flatten, pooled)),
    )
    .expect("it is right");
    let shapes: Vec<String> = graph
        .nodes
        .iter()
        .map(|node| node.shape.to_string())
        .collect();
    assert_eq!(shapes, ["3x9x8", "6x5x4", "6x4x3", "72", "4"]);
    let tensors = graph
        .desc()
        .tensors()
        .into_iter()
        .map(|tensor| (tensor.name, tensor.shape));
    let expected = [
        ("conv0_weight", vec![6, 3, 3, 3]),
        ("conv0_bias", vec![6]),
        ("fc0_weight", vec![4, 72]),
        ("fc0_bias", vec![4]),
    ];
    assert!(tensors.eq(expected.map(|(name, shape)| (name.to_string(), shape))));
    let notation = "input[3, 9, 8] -> conv2d(6, kernel 3, stride 2, padding 1) -> max_pool2d(kernel 2, stride 1) -> flatten -> 4";
    assert_eq!(graph.desc().notation(), notation);
}

#[test]
fn wrong_shapes_are_told() {
    let flat = || of(DenseOperation::Flatten, name("x"));
    let gate = DenseOperation::Activate(Activation::Glu);
    let cases = [
        (
            of(affine(4), name("x")),
            Code::DenseShape,
            "a layer reads a list of values, and this is 3x9x8: channels, height, width",
        ),
        (
            of(conv(4, window(3, 1, 0)), flat()),
            Code::DenseShape,
            "`conv2d` reads planes, and this is a list of 216 values",
        ),
        (
            of(conv(4, window(9, 1, 0)), name("x")),
            Code::DenseWindow,
            "a window of 9x9 does not fit into 9x8",
        ),
        (
            of(conv(4, window(65, 1, 0)), name("x")),
            Code::DenseWindow,
            "a window has 1 to 64 rows, not 65",
        ),
        (
            of(conv(4, window(3, 9, 0)), name("x")),
            Code::DenseWindow,
            "windows are 1 to 8 rows and columns apart, not 9",
        ),
        (
            of(conv(4, window(3, 1, 3)), name("x")),
            Code::DenseWindow,
            "a padding of 3 makes windows of nothing but zeros with a kernel of 3",
        ),
        (
            of(conv(0, window(3, 1, 0)), name("x")),
            Code::LayerWidth,
            "a layer has 1 to 16384 outputs, not 0",
        ),
        (
            of(gate, name("x")),
            Code::DenseOperation,
            "`glu` is not an activation of single floats",
        ),
        (name("x"), Code::OutputTerm, "the output is the input"),
        (name("y"), Code::UnknownName, "no value is called `y`"),
    ];
    for (output, code, message) in cases {
        assert_eq!(
            checked(&[3, 9, 8], output).expect_err(message),
            [(code, message.to_string())]
        );
    }
    let sizes = checked(&[3, 9], flat()).expect_err("two sizes");
    assert_eq!(
        sizes,
        [(
            Code::DenseInput,
            "`input` has 1 size or 3, found 2".to_string()
        )]
    );
    let both = DenseExpr::Join {
        join: Join::Add,
        parts: vec![name("x"), flat()],
        loc: Loc(0),
    };
    let sizes = checked(&[3, 9, 8], both).expect_err("two shapes");
    assert_eq!(
        sizes,
        [(
            Code::DenseShape,
            "`add` adds values of one shape, found 3x9x8 and 216".to_string()
        )]
    );
}

#[test]
fn every_value_is_read() {
    let source = SourceSpec {
        name: at("x".to_string()),
        bits: true,
        sizes: vec![at(2), at(8), at(8)],
        loc: Loc(0),
    };
    let unread = DenseBinding {
        name: at("y".to_string()),
        value: of(DenseOperation::Flatten, name("x")),
    };
    let output = of(DenseOperation::Flatten, name("x"));
    let spec = DenseSpec {
        name: at("N".to_string()),
        source,
        bindings: vec![unread],
        output,
        fused: false,
    };
    let mut sink = Sink::new();
    assert_eq!(check(&spec, &mut sink), None);
    let codes: Vec<Code> = sink
        .into_diagnostics()
        .iter()
        .map(|error| error.code)
        .collect();
    assert_eq!(codes, [Code::UnusedBinding]);
}

#[test]
fn the_interpreter_computes_what_one_computes_by_hand() {
    let node = |op, operand, shape| DenseNode { op, operand, shape };
    let nodes = [
        node(DenseOp::Input, 0, Shape::Planes([1, 2, 3])),
        node(
            DenseOp::Conv2d {
                kernel: 2,
                stride: 1,
                padding: 1,
                binary: None,
            },
            0,
            Shape::Planes([1, 3, 4]),
        ),
        node(
            DenseOp::AvgPool2d {
                kernel: 2,
                stride: 2,
            },
            1,
            Shape::Planes([1, 1, 2]),
        ),
        node(
            DenseOp::MaxPool2d {
                kernel: 3,
                stride: 1,
            },
            1,
            Shape::Planes([1, 1, 2]),
        ),
        node(DenseOp::Concat { other: 3 }, 2, Shape::Planes([2, 1, 2])),
        node(DenseOp::BatchNorm { eps: 1.0 }, 4, Shape::Planes([2, 1, 2])),
        node(DenseOp::Flatten, 5, Shape::Flat(4)),
        node(DenseOp::Affine { binary: None }, 6, Shape::Flat(1)),
    ];
    let net = DenseDesc {
        name: "N",
        nodes: &nodes,
        fused: false,
    };
    let tensors = [
        vec![1.0, 10.0, 100.0, 1000.0],
        vec![0.5],
        vec![2.0, 1.0],
        vec![0.0, 7.0],
        vec![5.0, 0.0],
        vec![3.0, 0.0],
        vec![1.0, 2.0, 3.0, 4.0],
        vec![-1.0],
    ];
    let values = evaluate(&net, &tensors, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let windows = [
        1000.5, 2100.5, 3200.5, 300.5, 4010.5, 5421.5, 6532.5, 603.5, 40.5, 54.5, 65.5, 6.5,
    ];
    assert_eq!(values[1], windows);
    assert_eq!(values[4], [3133.25, 2659.25, 6532.5, 6532.5]);
    // scale 2 / sqrt(3 + 1) = 1, shift -5; scale 1 / sqrt(0 + 1), shift 7
    assert_eq!(values[5], [3128.25, 2654.25, 6539.5, 6539.5]);
    assert_eq!(
        values[7],
        [3128.25 + 2.0 * 2654.25 + 3.0 * 6539.5 + 4.0 * 6539.5 - 1.0]
    );
}

#[test]
fn signs_are_counted_and_scaled() {
    let node = |op, operand, shape| DenseNode { op, operand, shape };
    let binary = |one_scale, input_scale| {
        Some(Binary {
            one_scale,
            input_scale,
        })
    };
    let convolution = DenseOp::Conv2d {
        kernel: 2,
        stride: 1,
        padding: 1,
        binary: binary(false, true),
    };
    let nodes = [
        node(DenseOp::Input, 0, Shape::Planes([1, 1, 2])),
        node(convolution, 0, Shape::Planes([2, 2, 3])),
        node(DenseOp::Flatten, 1, Shape::Flat(12)),
        node(
            DenseOp::Affine {
                binary: binary(true, false),
            },
            2,
            Shape::Flat(2),
        ),
    ];
    let net = DenseDesc {
        name: "N",
        nodes: &nodes,
        fused: false,
    };
    let layer = [[0.5; 12], [-0.25; 12]].concat();
    let tensors = [
        vec![1.0, -3.0, 0.0, 4.0, 0.5, 0.5, 0.5, 0.5],
        vec![0.25, -100.0],
        layer,
        vec![0.0, 1.0],
    ];
    let values = evaluate(&net, &tensors, &[3.0, -1.0]);
    // Padding is -1. The weights of output 0 have the signs + - - + and mean magnitude 2; the input has mean
    // magnitude 2.
    let signs = [2.0, -2.0, 0.0, -2.0, 2.0, 0.0].map(|sum: f32| 4.0 * sum + 0.25);
    assert_eq!(values[1][..6], signs);
    let all_positive = [-2.0, -2.0, -4.0, -2.0, -2.0, -4.0].map(|sum: f32| sum - 100.0);
    assert_eq!(values[1][6..], all_positive);
    // Four values are positive, and the mean magnitude of all 24 weights is 3/8.
    assert_eq!(values[3], [-4.0 * 0.375, 4.0 * 0.375 + 1.0]);
    let notation = "input[1, 1, 2] -> conv2d(2 binary, kernel 2, padding 1, input_scale) -> flatten -> affine(2 binary, one_scale)";
    assert_eq!(net.notation(), notation);
}

#[test]
fn what_is_not_above_zero_has_the_sign_minus_one() {
    let node = |op, shape| DenseNode {
        op,
        operand: 0,
        shape,
    };
    let layer = DenseOp::Affine {
        binary: Some(Binary::default()),
    };
    let nodes = [
        node(DenseOp::Input, Shape::Flat(7)),
        node(layer, Shape::Flat(7)),
    ];
    let net = DenseDesc {
        name: "N",
        nodes: &nodes,
        fused: false,
    };
    let x = [
        0.0,
        -0.0,
        f32::NAN,
        -f32::NAN,
        f32::MIN_POSITIVE / 4.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
    ];
    // Output o has weight 7 for input o and -7 for all others.
    let weights = (0..49)
        .map(|at| if at % 8 == 0 { 7.0 } else { -7.0 })
        .collect();
    let values = evaluate(&net, &[weights, vec![0.0; 7]], &x);
    // 5 of 7 inputs are -1: such an input is met by a weight of another sign, and the two others as well.
    assert_eq!(values[1], [7.0, 7.0, 7.0, 7.0, 35.0, 35.0, 7.0]);
}
