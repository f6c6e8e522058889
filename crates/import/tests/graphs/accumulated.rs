//! Networks over features, from files of PyTorch and ONNX to numbers: declared, read by the compiler of the language, and compared with the graph in
//! positions, before anything is rounded.

use nnue_codegen::plan_text;
use nnue_import::declare;
use nnue_import::evaluate::evaluate;
use nnue_import::fold;
use nnue_import::{Binary, ImportError, Op, Unary};
use nnue_tools::quantize::{Arranged, Recipe, Rounding};

use crate::compared::{boards, compare, compare_file, compare_graph, floats, imported};
use crate::{folder, graph, made};

#[test]
fn layers_over_rows_are_accumulators() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(screlu(acc), 8: f32);
    output affine(crelu(h1), 1: f32);
    format raw
}
";
    compare("perspective.pt2", "768", expected);
    compare("perspective.onnx", "768", expected);
}

/// Activations in steps of 1/127, weights in steps of 1/64 and 1/32: in whole numbers the network has the numbers of the graph, exactly.
#[test]
fn rounded_activations_are_a_network_in_whole_numbers() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32) x 2;
    let h1 = affine(crelu(acc), 8);
    output affine(crelu(h1), 1);
    format raw
}
";
    compare("quantised.pt2", "768", expected);
    compare("quantised.onnx", "768", expected);
    for file in ["quantised.pt2", "quantised.onnx"] {
        let (folded, imported) = imported(&made(file), "768");
        assert_eq!(imported.rounded, ["fc0"]);
        let imported = imported.raised();
        let plans = plan_text(&imported.declared.text).expect("it compiles");
        let tables = plans[0].tables();
        let net = tables.descriptor();
        let recipe = Recipe {
            rounding: Rounding::HalfAwayFromZero,
            ..Recipe::new(&net)
        };
        let (tensors, _) = Arranged::new(&net, floats(&imported), &recipe)
            .expect("they fit")
            .round(&net, &recipe)
            .expect("they fit");
        let mut values = std::collections::BTreeSet::new();
        for pair in boards().chunks_exact(folded.rows) {
            let inputs = imported
                .inputs_in(
                    &folded,
                    &net,
                    &pair.iter().map(|board| board as _).collect::<Vec<_>>(),
                )
                .expect("lists are filled up");
            let numbers = evaluate(&folded.graph, &inputs).expect("lengths fit");
            let outputs = numbers[folded.graph.outputs[0]]
                .as_ref()
                .expect("it is made")
                .to_floats();
            for (board, output) in pair.iter().zip(outputs) {
                let positional =
                    nnue_spec::reference::evaluate(&net, &tensors.refs(), board).used_positional();
                assert_eq!(
                    f64::from(positional),
                    (f64::from(output) * 127.0 * 64.0).round(),
                    "{file}"
                );
                values.insert(positional);
            }
        }
        assert!(values.len() > 4, "{values:?}");
    }
}

#[test]
fn weights_in_common_are_part_of_the_rows() {
    let expected = "\
pub struct Net {
    acc = accumulate(Chess768[buckets: [0 x 32, 1 x 32]], 32 @ 255) x 2;
    output affine(crelu(acc), 1: f32);
    format raw
}
";
    compare("kings.pt2", "Chess768[buckets: [0 x 32, 1 x 32]]", expected);
    compare(
        "kings.onnx",
        "Chess768[buckets: [0 x 32, 1 x 32]]",
        expected,
    );
}

#[test]
fn products_and_probabilities_are_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(pairwise(acc), 16: f32);
    output affine(screlu(h1), 3: f32);
    value wdl * 1000;
    format raw
}
";
    compare("wdl.pt2", "768", expected);
    compare("wdl.onnx", "768", expected);
}

#[test]
fn gates_pools_and_residuals_are_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(concat(max_halves(crelu(acc)), avg_halves(crelu(acc))), 16: f32);
    let a1 = glu(h1);
    let h2 = affine(a1, 8: f32);
    let a2 = add(a1, crelu(h2));
    let a3 = mean(a2);
    let a4 = max(a2, tanh(h2));
    let a5 = mul(crelu(h2)[0..4], a1[2..6]);
    output affine(concat(a2, a3, a4, a5), 1: f32);
    format raw
}
";
    compare("gates.onnx", "768", expected);
}

/// Of accumulators and of layers, whether they are activated before or after.
#[test]
fn pools_of_neighbours_are_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(concat(max_neighbours(crelu(acc)), mul_neighbours(crelu(acc)), avg_neighbours(crelu(acc))), 24: f32);
    let a1 = max_neighbours(crelu(h1), 4);
    let a2 = avg_neighbours(tanh(h1), 3);
    let a3 = mul_neighbours(sigmoid(h1)[0..8]);
    let a4 = max(relu(h1)[0..12], relu(h1)[12..24]);
    output affine(concat(a1, a2, a3, a4), 1: f32);
    format raw
}
";
    compare("neighbours.onnx", "768", expected);
}

#[test]
fn layers_of_signs_are_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(acc, 16 binary);
    let h2 = affine(concat(crelu(h1), screlu(h1)[0..8]), 8: f32);
    output affine(sigmoid(h2), 1: f32);
    format raw
}
";
    compare("signs.onnx", "768", expected);
    // Several of them are a network in whole numbers.
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32) x 2;
    let h1 = affine(acc, 16 binary);
    let h2 = affine(h1[0..12], 8 binary);
    let h3 = affine(concat(crelu(h1), crelu(h2)), 8);
    output affine(crelu(h3), 1);
    format raw
}
";
    compare("deeper.onnx", "768", expected);
}

/// `quantmoid4` makes it a network in whole numbers.
#[test]
fn the_sigmoid_of_two_parabolas_is_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32) x 2;
    let h1 = affine(quantmoid4(acc), 16);
    output affine(quantmoid4(h1), 1);
    format raw
}
";
    compare("quantmoid.onnx", "768", expected);
    let mut graph = graph(&made("quantmoid.onnx"));
    let node = graph
        .nodes
        .iter_mut()
        .find(|node| node.name == "h1_difference")
        .expect("it has this node");
    node.op = Op::Binary(Binary::Add);
    let folded = fold::fold(&graph).expect("it can be made simple");
    let error = declare::accumulated(&graph, &folded, "Net", "768")
        .expect_err("it is no such function")
        .to_string();
    assert!(
        error.contains("`h1_quantmoid` (Where): the language chooses by signs alone"),
        "{error}"
    );
}

#[test]
fn pools_are_found_in_whole_numbers() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32) x 2;
    let h1 = affine(concat(avg_halves(crelu(acc)), max_neighbours(crelu(acc))), 16);
    let a1 = max(crelu(h1)[0..8], crelu(h1)[8..16]);
    let a2 = add(crelu(h1)[0..8], crelu(h1)[8..16]);
    let a3 = avg(crelu(h1)[0..8], crelu(h1)[8..16]);
    let a4 = mean(crelu(h1));
    let a5 = max_neighbours(crelu(h1), 4);
    output affine(concat(a1, a2, a3, a4, a5), 1);
    format raw
}
";
    compare("pooled.onnx", "768", expected);
    // Beside PSQT outputs there are maxima and averages too.
    for (function, word) in [(Binary::Max, "max_halves"), (Binary::Add, "avg_halves")] {
        let mut graph = graph(&made("psqt.onnx"));
        for node in graph
            .nodes
            .iter_mut()
            .filter(|node| ["node_mul_4", "node_mul_5"].contains(&node.name.as_str()))
        {
            node.op = Op::Binary(function);
        }
        compare_graph(
            word,
            &graph,
            "768",
            &stacked("768", "32", "4").replace("pairwise(acc)", &format!("{word}(crelu(acc))")),
        );
    }
}

#[test]
fn stacks_are_found_by_what_their_formula_computes() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    stacks 8 by material_count {
        output affine(screlu(acc), 1: f32);
    }
    format raw
}
";
    compare("buckets.pt2", "768", expected);
    compare("buckets.onnx", "768", expected);
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    stacks 4 {
        let h1 = affine(crelu(acc), 16: f32);
        output affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 1: f32) + h1[15];
    }
    format raw
}
";
    compare("bags.pt2", "768", expected);
}

#[test]
fn what_a_graph_does_not_say_is_listed() {
    let (_, imported) = imported(&made("bags.pt2"), "768");
    let guesses = imported.guesses.join("; ");
    assert!(
        guesses.contains("that `us` is 1 where `white` has the rows of the side to move"),
        "{guesses}"
    );
    let graph = graph(&made("buckets.pt2"));
    let folded = fold::fold(&graph).expect("it can be made simple");
    let error = declare::dense(&graph, &folded, "Net")
        .expect_err("it has lists")
        .to_string();
    assert!(
        error.starts_with("input `stm` has whole numbers"),
        "{error}"
    );
}

#[test]
fn all_that_has_no_counterpart_is_told_at_once() {
    let mut graph = graph(&made("gates.onnx"));
    // No gate, no activation, and an accumulator that is not clipped.
    for (name, function) in [
        ("gate", Unary::Tanh),
        ("tanh", Unary::Neg),
        ("stm_clipped", Unary::Tanh),
    ] {
        let node = graph
            .nodes
            .iter_mut()
            .find(|node| node.name == name)
            .expect("it has this node");
        node.op = Op::Unary(function);
        node.inputs.truncate(1);
    }
    let folded = fold::fold(&graph).expect("it can be made simple");
    let error = declare::accumulated(&graph, &folded, "Net", "768")
        .expect_err("the language has none of these");
    let ImportError::Unsupported(nodes) = &error else {
        panic!("{error}")
    };
    for (name, why) in [
        ("tanh", "a layer reads activations"),
        ("l1_x", "a layer reads activations"),
        (
            "stm_clipped",
            "an activation reads a layer, or an accumulator",
        ),
    ] {
        assert!(
            nodes
                .iter()
                .any(|node| node.node == name && node.why.starts_with(why)),
            "{name}: {error}"
        );
    }
    // With them, nodes that are not recognised at all.
    let node = graph
        .nodes
        .iter_mut()
        .find(|node| node.name == "product")
        .expect("it has this node");
    node.op = Op::Binary(Binary::Min);
    let folded = fold::fold(&graph).expect("it can be made simple");
    let error = declare::accumulated(&graph, &folded, "Net", "768")
        .expect_err("the language has none of these");
    let ImportError::Unsupported(nodes) = &error else {
        panic!("{error}")
    };
    for (name, why) in [
        ("product", "of two values"),
        ("stm_clipped", "an activation reads"),
        ("l1_x", "a layer reads"),
    ] {
        assert!(
            nodes
                .iter()
                .any(|node| node.node == name && node.why.starts_with(why)),
            "{name}: {error}"
        );
    }
    // And unknown operations, of whose results not even the lengths are known.
    let node = graph
        .nodes
        .iter_mut()
        .find(|node| node.name == "mean")
        .expect("it has this node");
    node.op = Op::Unknown("it is not read".into());
    let error = declare::unsupported(
        &graph,
        fold::fold(&graph).expect_err("it has an unknown operation"),
        true,
    );
    let ImportError::Unsupported(nodes) = &error else {
        panic!("{error}")
    };
    for name in ["mean", "product", "stm_clipped", "l1_x"] {
        assert_eq!(
            nodes.iter().filter(|node| node.node == name).count(),
            1,
            "{name}: {error}"
        );
    }
}

/// The declaration of a network as nnue-pytorch trains them.
const STACKED: &str = "\
pub struct Net {
    acc = accumulate(FEATURES, WIDTH) x 2, psqt STACKS;
    stacks STACKS {
        let h1 = affine(pairwise(acc), 16);
        let h2 = affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 32);
        output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
    }
}
";

fn stacked(features: &str, width: &str, stacks: &str) -> String {
    STACKED
        .replace("FEATURES", features)
        .replace("WIDTH", width)
        .replace("STACKS", stacks)
}

#[test]
fn psqt_outputs_are_parts_of_the_rows() {
    let expected = stacked("768", "32", "4");
    compare("psqt.pt2", "768", &expected);
    compare("psqt.onnx", "768", &expected);
}

#[test]
fn a_network_of_all_exporters_with_psqt_outputs_is_found() {
    let Some(folder) = folder() else { return };
    for file in ["stacked.pt2", "stacked-dynamo.onnx"] {
        compare_file(
            &folder.join(file),
            "HalfKAv2_hm",
            &stacked("HalfKAv2_hm", "64", "8"),
        );
    }
    for file in ["dense.pt2", "dense-dynamo.onnx", "dense-script.onnx"] {
        let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(crelu(acc), 16: f32);
    output affine(crelu(h1), 1: f32);
    format raw
}
";
        compare_file(&folder.join(file), "768", expected);
    }
}

#[test]
fn perspectives_may_have_weights_of_their_own() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2, separate;
    output affine(crelu(acc), 1: f32);
    format raw
}
";
    compare("separate.pt2", "768", expected);
    compare("separate.onnx", "768", expected);
}
