//! Declared networks as models of ONNX: read again, and evaluated, they say what the reference interpreter says.

use nnue_codegen::{dense_text, plan_text};
use nnue_format::Tensors;
use nnue_import::evaluate::evaluate;
use nnue_import::export::{Form, Inputs, dense, expected, expected_head, exported, onnx};
use nnue_import::fold::fold;
use nnue_import::{Graph, declare};
use nnue_spec::dense::DenseDesc;
use nnue_spec::{NetDesc, TensorMut};
use nnue_tools::declaration::{Defaults, declaration};

use crate::compared::boards;
use crate::described::{declared, source};
use crate::{graph, made};

/// How far floats may be that are added in another order, in parts of the largest value.
const TOLERANCE: f64 = 1e-5;

/// Weights as after training: small numbers of both signs, other ones in every place.
fn fill(net: &NetDesc<'_>) -> Tensors {
    let mut tensors = Tensors::zeroed(net);
    let mut state = 1_u64;
    let mut next = |most: i64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % (2 * most + 1) - most
    };
    for tensor in tensors.muts() {
        match tensor {
            TensorMut::I8(values) => values.iter_mut().for_each(|value| *value = next(60) as i8),
            TensorMut::I16(values) => values.iter_mut().for_each(|value| *value = next(90) as i16),
            TensorMut::I32(values) => values
                .iter_mut()
                .for_each(|value| *value = next(4000) as i32),
            TensorMut::F32(values) => values
                .iter_mut()
                .for_each(|value| *value = next(64) as f32 / 256.0),
        }
    }
    tensors
}

/// Asserts that a model has its declaration and its weights, and proves them.
fn comes_back(file: &[u8]) {
    let model = exported(file)
        .expect("it is a model")
        .expect("it says what it is");
    let plans = plan_text(model.declaration())
        .unwrap_or_else(|errors| panic!("{}: {errors:?}", model.declaration()));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    model.has_weights_of(&net).expect("the weights are there");
    let mut tensors = Tensors::zeroed(&net);
    model
        .weights(&net, tensors.muts())
        .expect("the weights are there");
    model
        .is_graph_of(&net, &tensors.refs())
        .unwrap_or_else(|error| panic!("{}: {error}", model.declaration()));
    assert!(
        onnx(&net, &tensors.refs(), model.form()).expect("it is written") == file,
        "{}",
        model.declaration()
    );
}

/// Asserts that the graph of a declared network gives its values.
fn compare(declaration: &str) {
    let plans = plan_text(declaration).unwrap_or_else(|errors| panic!("{declaration}: {errors:?}"));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let tensors = fill(&net);
    let file = onnx(&net, &tensors.refs(), Form::WholeNumbers)
        .unwrap_or_else(|error| panic!("{declaration}: {error}"));
    compare_file(declaration, (&net, &tensors), file);
    match onnx(&net, &tensors.refs(), Form::Qdq) {
        Ok(file) => compare_file(declaration, (&net, &tensors), file),
        Err(error) => assert!(
            error.to_string().contains("no layer of 8-bit weights"),
            "{declaration}: {error}"
        ),
    }
}

fn compare_file(declaration: &str, (net, tensors): (&NetDesc<'_>, &Tensors), file: Vec<u8>) {
    comes_back(&file);
    let graph = nnue_import::onnx::read(file, None).expect("the graph is read");
    let boards = boards();
    let inputs = Inputs::of(net)
        .in_positions(net, &boards)
        .expect("the rows are known");
    let numbers =
        evaluate(&graph, &inputs).unwrap_or_else(|error| panic!("{declaration}: {error}"));
    let mut outputs = graph.outputs.iter();
    let mut next = || {
        numbers[*outputs.next().expect("there is an output")]
            .as_ref()
            .expect("it is made")
            .to_doubles()
    };
    if !net.output.terms.is_empty() {
        let expected: Vec<f64> = boards
            .iter()
            .map(|board| expected(net, &tensors.refs(), board))
            .collect();
        let tolerance = if net.value.is_float() { TOLERANCE } else { 0.0 };
        near(declaration, &next(), &expected, (8.0, tolerance));
    }
    for index in 0..net.heads.len() {
        let of = |board| {
            expected_head(net, &tensors.refs(), board, index)
                .into_iter()
                .map(f64::from)
        };
        near(
            declaration,
            &next(),
            &boards.iter().flat_map(of).collect::<Vec<_>>(),
            (0.01, TOLERANCE),
        );
    }
}

/// Asserts that numbers are near to those expected, of which the largest is not too small to tell anything.
fn near(declaration: &str, found: &[f64], expected: &[f64], (least, tolerance): (f64, f64)) {
    let largest = expected
        .iter()
        .fold(0.0, |largest: f64, value| largest.max(value.abs()));
    assert!(largest > least, "{declaration}: values are up to {largest}");
    assert_eq!(found.len(), expected.len(), "{declaration}");
    for (found, expected) in found.iter().zip(expected) {
        let difference = (found - expected).abs();
        assert!(
            difference <= tolerance * largest,
            "{declaration}: {found}, expected {expected}"
        );
    }
}

/// Values are compared as integers are, not as floats of 32 bits, which have 24 bits of them.
#[test]
fn values_above_two_to_the_24_are_exact() {
    compare(
        "pub struct Large = 768 -> 64x2 @ 2 screlu -> 1: i16 @ 32768 { format raw; value output * 2147483647; };",
    );
}

/// All of Stockfish's generations, with fewer neurons in the accumulator.
#[test]
fn generations_of_stockfish_give_their_values_exactly() {
    for plan in plan_text(&declared(&source("src/stockfish.rs")).concat()).expect("they compile") {
        let text = declaration(&plan.tables().descriptor(), Defaults::Omitted);
        compare(&text.replacen(&format!(", {}", plan.accumulator.width), ", 64", 1));
    }
}

/// A file that says that it is another network than its graph.
#[test]
fn what_a_model_says_of_itself_is_proved() {
    let declarations = [
        "pub struct N = 768 -> 32 -> 8 -> 1;",
        "pub struct M = 768 -> 32 sqr_crelu -> 8 -> 1;",
    ];
    let plans = plan_text(&declarations.concat()).expect("they compile");
    let tables = [plans[0].tables(), plans[1].tables()];
    let nets = [tables[0].descriptor(), tables[1].descriptor()];
    let tensors = fill(&nets[0]);
    let file = onnx(&nets[0], &tensors.refs(), Form::WholeNumbers).expect("it is written");
    let model = exported(&file)
        .expect("it is a model")
        .expect("it says what it is");
    assert_eq!(model.is_graph_of(&nets[0], &tensors.refs()), Ok(()));
    let mut found = Tensors::zeroed(&nets[1]);
    model
        .weights(&nets[1], found.muts())
        .expect("both have the same weights");
    let error = model
        .is_graph_of(&nets[1], &found.refs())
        .expect_err("it squares")
        .to_string();
    assert!(
        error.contains("and its graph is another one: node `"),
        "{error}"
    );
    let wider = plan_text("pub struct N = 768 -> 64 -> 8 -> 1;").expect("it compiles");
    let tables = wider[0].tables();
    let error = model.has_weights_of(&tables.descriptor());
    assert!(
        error
            .expect_err("it is wider")
            .to_string()
            .contains("`ft_bias` has another length")
    );
    assert!(
        exported(&std::fs::read(made("digits.onnx")).expect("it is there"))
            .expect("it is a model")
            .is_none()
    );
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
fn signs_pools_and_gates_are_written() {
    for declaration in [
        "pub struct Signs = (768 -> 64)x2 -> (40 binary -> 24 @ 32 binary -> 16 -> 1)x8;",
        "pub struct SignsAndFloats = (768 -> 64)x2 -> 32 binary screlu -> 16: f32 -> 1: f32;",
        "pub struct Mixed {
            acc = accumulate(768, 64) x 2;
            let h1 = affine(acc, 64 binary);
            let h2 = affine(h1[..43], 32 binary);
            let h3 = affine(concat(crelu(h1), sqr_crelu(h2)), 16);
            output affine(concat(crelu(h3), crelu(h2)), 1) + h1[60] * 3;
        }",
        "pub struct Pooled = 768 -> 64x2 max_neighbours -> 32 avg_halves -> 32 pairwise -> 1;",
        "pub struct Averaged = 768 -> 64x2 @ 255 mul_neighbours -> 32 max_halves -> 32 mul_neighbours -> 1;",
        "pub struct Residual {
            acc = accumulate(768, 64) x 2;
            let a1 = crelu(affine(avg_halves(crelu(acc)), 32));
            let a2 = add(a1, crelu(affine(a1, 32)));
            output affine(concat(a2, max_halves(a1), avg_neighbours(a1[2..10])), 1);
        }",
        "pub struct Means {
            acc = accumulate(768, 64) x 2;
            let h1 = affine(crelu(acc), 32);
            output affine(concat(crelu(h1), mean(crelu(h1)), mean(sqr_crelu(h1)[..9])), 1);
        }",
        "pub struct MeansOfFloats {
            acc = accumulate(768, 64 @ 255) x 2;
            let h1 = affine(pairwise(acc), 16: f32);
            output affine(concat(screlu(h1), mean(sigmoid(h1)[3..])), 1: f32);
        }",
        "pub struct Runs {
            acc = accumulate(768, 64) x 2;
            let h1 = affine(crelu(acc), 33);
            let h2 = affine(concat(max_neighbours(crelu(h1), 11), avg_neighbours(crelu(h1)[3..], 5), mean(crelu(h1))), 24);
            output affine(concat(crelu(h2), max_neighbours(sqr_crelu(h2)[1..22], 3)), 1);
        }",
        "pub struct Sigmoids = 768 -> 64x2 quantmoid4 -> 16 quantmoid4 -> 1;",
        "pub struct Gates {
            acc = accumulate(768, 64 @ 255) x 2;
            let h1 = affine(concat(avg_halves(crelu(acc)), screlu(acc)), 16: f32);
            let h2 = affine(concat(gated(h1), glu(h1), max_halves(tanh(h1))), 16: f32);
            output affine(concat(reglu(h2), swiglu(h2), add(crelu(h1), crelu(h2))), 1: f32);
        }",
        "pub struct RunsOfFloats {
            acc = accumulate(768, 64 @ 255) x 2;
            let h1 = affine(screlu(acc), 16: f32);
            output affine(concat(max_neighbours(tanh(h1), 4), avg_neighbours(tanh(h1), 8), mean(crelu(h1))), 1: f32);
        }",
    ] {
        compare(declaration);
    }
}

#[test]
fn outputs_with_names_are_written() {
    for declaration in [
        "pub struct Heads {
            acc = accumulate(768, 64) x 2, psqt 8;
            stacks 8 {
                let h1 = affine(pairwise(acc), 16);
                let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
                output value = affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
                output wdl = wdl(affine(crelu(h2), 3));
                output moves_left = crelu(affine(crelu(h2), 1)) * 200;
                output us = h1[2..9];
            }
        }",
        "pub struct FloatHeads {
            acc = accumulate(Chess768[mirrored], 64 @ 255) x 2;
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(screlu(h1), 32: f32);
            output value = affine(screlu(h2), 3: f32);
            value wdl * 1000;
            output moves_left = affine(screlu(h2), 5: f32) * 100;
            output certainty = sigmoid(affine(screlu(h2), 1: f32));
        }",
        "pub struct ValueAndPolicy {
            acc = accumulate(Chess768[mirrored], 64 @ 255) x 2;
            let x = pairwise(acc);
            let h1 = affine(x, 16);
            output value = affine(screlu(h1), 3: f32);
            value wdl * 1000;
            output policy = rows(x, 392: i8 @ 128);
        }",
        "pub struct Moves {
            acc = accumulate(Chess768[mirrored] as i8, 128 @ 128);
            output policy = rows(pairwise(acc) >> 2 as i16, 392: i8 @ 128);
            format raw
        }",
        "pub struct Words {
            acc = accumulate(Chess768[mirrored] as i8, 64 @ 128);
            let h1 = affine(pairwise(acc) as i16, 16: i16 @ 1024);
            let h2 = affine(screlu(h1), 32: f32);
            output affine(screlu(h2), 3: f32);
            value wdl * 1000;
            format raw { fc0_bias: i16 @ 1024 }
        }",
    ] {
        compare(declaration);
    }
}

#[test]
fn what_graphs_do_not_have_is_told() {
    let refused = |declaration: &str| {
        let plans =
            plan_text(declaration).unwrap_or_else(|errors| panic!("{declaration}: {errors:?}"));
        let tables = plans[0].tables();
        let net = tables.descriptor();
        onnx(&net, &Tensors::zeroed(&net).refs(), Form::WholeNumbers)
            .expect_err("it is not written")
            .to_string()
    };
    let own = "pub struct Own = (768 -> 32)x2 @ 255 screlu -> 16: f32 self::bell -> 1: f32 { format raw };";
    assert_eq!(
        refused(own),
        "`Own` has the activation `self::bell`, which is not written to graphs"
    );
    let wide = "pub struct Wide = 768 -> 1024x2 -> 8 -> 1;";
    let plans = plan_text(wide).expect("it compiles");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let mut tensors = Tensors::zeroed(&net);
    for tensor in tensors.muts() {
        if let TensorMut::I8(values) = tensor {
            values.fill(-128);
        }
    }
    let error = onnx(&net, &tensors.refs(), Form::Qdq)
        .expect_err("its sums are great")
        .to_string();
    assert!(
        error.starts_with(
            "`Wide` has sums of up to 33292288 in `fc0`, which floats do not hold exactly"
        ),
        "{error}"
    );
}

/// All examples, with few neurons in the accumulator. Activations of a program's own are the one thing that models do not have.
#[test]
fn the_networks_of_the_examples_come_back() {
    let folder = std::fs::read_dir(source("examples")).expect("there are examples");
    let files = folder
        .map(|entry| entry.expect("it is there").path())
        .filter(|path| path.extension().is_some_and(|end| end == "rs"));
    let files =
        files.chain(["examples/web/src/lib.rs", "examples/bare_metal/src/main.rs"].map(source));
    let (mut count, mut refused) = (0, Vec::new());
    for text in files.flat_map(|path| declared(&path)) {
        if let Some(networks) = dense_text(&text)
            .ok()
            .filter(|networks| !networks.is_empty())
        {
            networks
                .iter()
                .for_each(|network| dense_comes_back(&network.desc()));
            count += networks.len();
            continue;
        }
        for plan in plan_text(&text).unwrap_or_else(|errors| panic!("{text}: {errors:?}")) {
            let text = declaration(&plan.tables().descriptor(), Defaults::Omitted);
            let narrow = text.replacen(&format!(", {}", plan.accumulator.width), ", 64", 1);
            let plans = plan_text(&narrow).unwrap_or_else(|errors| panic!("{narrow}: {errors:?}"));
            let tables = plans[0].tables();
            let net = tables.descriptor();
            match onnx(&net, &fill(&net).refs(), Form::WholeNumbers) {
                Ok(file) => comes_back(&file),
                Err(error) => refused.push(error.to_string()),
            }
            count += 1;
        }
    }
    assert!(count > 20, "{count} networks");
    assert!(
        refused
            .iter()
            .all(|error| error.contains("has the activation `"))
            && refused.len() < 5,
        "{refused:?}"
    );
}

/// Asserts that a network over a dense input is the same after it was exported and imported.
fn dense_comes_back(net: &DenseDesc<'_>) {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1 << 24) as f32 + 0.5
    };
    let tensors: Vec<Vec<f32>> = net
        .tensors()
        .iter()
        .map(|tensor| (0..tensor.len()).map(|_| next()).collect())
        .collect();
    let graph = nnue_import::onnx::read(dense(net, &tensors).expect("it is written"), None)
        .expect("it is read");
    let again =
        declare::dense(&graph, &fold(&graph).expect("lengths fit"), net.name).expect("it is found");
    let networks =
        dense_text(&again.text).unwrap_or_else(|errors| panic!("{}: {errors:?}", again.text));
    assert_eq!(
        (networks[0].desc().nodes, networks[0].desc().fused),
        (net.nodes, net.fused),
        "{}",
        again.text
    );
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
        let tensors: Vec<Vec<f32>> = first
            .tensors
            .iter()
            .map(|tensor| tensor.values.clone())
            .collect();
        let file =
            dense(&networks[0].desc(), &tensors).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = declared(&nnue_import::onnx::read(file, None).expect("the graph is read"));
        assert_eq!(again.text, first.text, "{name}");
        for (one, other) in first.tensors.iter().zip(&again.tensors) {
            assert_eq!(
                (&one.name, &one.shape),
                (&other.name, &other.shape),
                "{name}"
            );
            let near = |(a, b): (&f32, &f32)| (a - b).abs() <= 1e-6 * a.abs();
            assert!(
                one.values.iter().zip(&other.values).all(near),
                "{name}: {}",
                one.name
            );
        }
    }
}

#[test]
fn engines_with_arithmetic_say_the_same() {
    let networks = declared(&source("crates/tools/src/search/declared_engines.rs"));
    assert_eq!(networks.len(), 8);
    networks.iter().for_each(|declaration| compare(declaration));
    let networks = declared(&source("tests/floats/arithmetic.rs"));
    assert_eq!(networks.len(), 6);
    networks.iter().for_each(|declaration| compare(declaration));
}
