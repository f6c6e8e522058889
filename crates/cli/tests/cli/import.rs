//! `nnue import torch` and `nnue import onnx`.

use crate::{file, nnue, nnue_reading, text};

/// A file that `tests/import/make.py` made.
fn made(name: &str) -> String {
    format!("{}/../../tests/import/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_declaration_is_printed_with_its_origin() {
    let run = nnue(&["import", "torch", &made("binary.pt2"), "--name", "Signs"]);
    assert!(run.err.contains("--check"), "{}", run.err);
    let out = run.succeeds();
    let mut lines = out.lines();
    assert_eq!(
        lines.next(),
        Some("// Imported by `nnue import torch` from `binary.pt2`")
    );
    let origin = lines.next().expect("a second line");
    assert!(
        origin.starts_with("// (torch.export, opset aten ") && origin.contains("sha256 "),
        "{origin}"
    );
    let declared: Vec<&str> = lines.collect();
    assert_eq!(
        declared,
        [
            "nnue::nnue! {",
            "    pub struct Signs = input[2, 9, 9] -> conv2d(6 binary, kernel 3, input_scale) relu batch_norm",
            "        -> conv2d(8 binary, kernel 3, stride 2, one_scale) -> flatten -> 4 binary;",
            "}"
        ]
    );
    nnue(&["import", "onnx", &made("digits.onnx"), "--name", "fn"])
        .fails_with("`fn` is no name of a type");
}

#[test]
fn a_declaration_is_compared_and_its_weights_are_written() {
    let weights = file("digits.bin", b"");
    for end in ["pt2", "onnx"] {
        let (format, graph) = (
            if end == "pt2" { "torch" } else { "onnx" },
            made(&format!("digits.{end}")),
        );
        let check = format!("--check={}", made("digits.npz"));
        let out = nnue(&[
            "import",
            format,
            &graph,
            &check,
            "--report",
            "--output",
            text(&weights),
        ])
        .succeeds();
        for line in [
            "// Compared in 16 recorded rows; the kernels (scalar",
            "//   output, graph and recorded: differs by ",
            "//   conv0, declaration and graph: differs by ",
        ] {
            assert!(out.contains(line), "`{line}` is not in:\n{out}");
        }
        assert!(
            out.contains("// The nodes of the graph") && out.contains("make.py:"),
            "{out}"
        );
        let declaration = file("digits.rs", out.as_bytes());
        let inspected = nnue(&[
            "inspect",
            text(&weights),
            "--declaration",
            text(&declaration),
        ])
        .succeeds();
        assert!(inspected.contains("conv1_weight"), "{inspected}");
        let model = file("digits-again.onnx", b"");
        let export = [
            "export",
            "onnx",
            "--declaration",
            text(&declaration),
            "--net",
            text(&weights),
            "--check",
        ];
        let written = nnue(&[&export[..], &["--output", text(&model)]].concat()).succeeds();
        assert!(
            written.contains("input      x [n, 1, 18, 18] of f32"),
            "{written}"
        );
        let again = nnue(&["import", "onnx", text(&model), "--check"]).succeeds();
        let clauses = |out: &str| {
            out.lines()
                .filter(|line| !line.starts_with("//"))
                .collect::<Vec<_>>()
                .join("\n")
        };
        assert_eq!(clauses(&again).trim(), clauses(&out).trim());
        let random = nnue(&["import", format, &graph, "--check"]).succeeds();
        assert!(
            random.contains("// Compared in 64 random rows; the kernels (scalar"),
            "{random}"
        );
    }
    let table = nnue(&["import", "onnx", &made("tower.onnx"), "--print"]).succeeds();
    assert!(
        table.starts_with("input board [") && table.ends_with("output linear_1\n"),
        "{table}"
    );
}

#[test]
fn what_cannot_be_imported_is_told_and_nothing_is_written() {
    let weights = file("refused.bin", b"old");
    let refused =
        |format: &str, file: &str| nnue(&["import", format, file, "--output", text(&weights)]);
    let pickle = file("state.pt", &[0x80, 2, b'c']);
    refused("torch", text(&pickle))
        .fails_naming(&["state.pt: the file is a pickle", "torch.export.save("]);
    refused("onnx", &made("digits.pt2")).fails_naming(&["`nnue import torch`"]);
    refused("torch", &made("digits.onnx")).fails_naming(&["`nnue import onnx`"]);
    refused("onnx", "missing.onnx").fails_to_read("missing.onnx", "no such file");
    let own = nnue(&["import", "onnx", text(&weights), "--output", text(&weights)]);
    own.fails_naming(&["--output would overwrite", "the file that is imported"]);
    // Inputs of another network.
    let check = format!("--check={}", made("activations.npz"));
    nnue(&[
        "import",
        "onnx",
        &made("digits.onnx"),
        &check,
        "--output",
        text(&weights),
    ])
    .fails_naming(&["the input has the shape [16, 12]"]);
    assert_eq!(std::fs::read(&weights).expect("it is there"), b"old");
}

/// Imports a graph over features, and quantises what was written.
fn over_features(graph: &str, features: &str) -> (String, String) {
    let format = if graph.ends_with("pt2") {
        "torch"
    } else {
        "onnx"
    };
    let floats = file(&format!("{}.safetensors", graph.replace('.', "-")), b"");
    let arguments = [
        "import",
        format,
        &made(graph),
        "--features",
        features,
        "--check",
        "--output",
        text(&floats),
    ];
    let printed = nnue(&arguments).succeeds();
    assert!(
        printed.contains("// guessed: what the rows of the input mean"),
        "{printed}"
    );
    for line in [
        " positions, before rounding:\n",
        "//   fc0, declaration and graph: differs by ",
        "// Rounded as declared, the kernels (scalar",
        "//   value, kernels and graph: differs by ",
        "//   fc0, kernels and graph: differs by ",
    ] {
        assert!(printed.contains(line), "`{line}` is not in:\n{printed}");
    }
    for sides in [["acc", "second"], ["white", "black"]] {
        let told = sides
            .map(|side| printed.contains(&format!("//   {side}, kernels and graph: differs by ")));
        assert_eq!(told[0], told[1], "{printed}");
    }
    assert!(
        ["acc", "white"]
            .iter()
            .any(|side| printed.contains(&format!("//   {side}, kernels and graph"))),
        "{printed}"
    );
    let declaration = file(
        &format!("{}.rs", graph.replace('.', "-")),
        printed.as_bytes(),
    );
    let quantise = [
        "quantize",
        text(&floats),
        "--declaration",
        text(&declaration),
        "--round",
        "nearest",
    ];
    let report = nnue(&quantise).succeeds();
    let declared = printed
        .lines()
        .skip_while(|line| *line != "nnue::nnue! {")
        .collect::<Vec<_>>()
        .join("\n");
    (declared, report)
}

#[test]
fn graphs_over_features_have_an_accumulator() {
    let (declared, report) = over_features("perspective.pt2", "768");
    let expected = "\
nnue::nnue! {
    pub struct Network {
        acc = accumulate(768, 32 @ 255) x 2;
        let h1 = affine(screlu(acc), 8: f32);
        output affine(crelu(h1), 1: f32);
        format raw
    }
}";
    assert_eq!(declared, expected);
    assert!(report.contains("ft_weight"), "{report}");
    assert_eq!(over_features("perspective.onnx", "768").0, expected);
    let (wdl, _) = over_features("wdl.onnx", "Chess768[mirrored]");
    let lines = [
        "        let h1 = affine(pairwise(acc), 16: f32);",
        "        output affine(screlu(h1), 3: f32);",
        "        value wdl * 1000;",
    ];
    assert!(wdl.contains(&lines.join("\n")), "{wdl}");
    let (kings, _) = over_features("kings.onnx", "Chess768[buckets: [0 x 32, 1 x 32]]");
    assert!(
        kings.contains("        output affine(crelu(acc), 1: f32);\n"),
        "{kings}"
    );
}

#[test]
fn graphs_that_round_are_networks_in_whole_numbers() {
    for graph in ["quantised.pt2", "quantised.onnx"] {
        let (declared, report) = over_features(graph, "768");
        assert!(
            declared.contains(
                "acc = accumulate(768, 32) x 2;\n        let h1 = affine(crelu(acc), 8);\n"
            ),
            "{declared}"
        );
        assert!(report.contains("fc0_weight   fc0_weight   i8 "), "{report}");
    }
    let printed = nnue(&[
        "import",
        "onnx",
        &made("quantised.onnx"),
        "--features",
        "768",
        "--check",
    ])
    .succeeds();
    assert!(
        printed.contains("// Half a step was added to the biases of `fc0`: "),
        "{printed}"
    );
    // The kernels have the whole numbers of the graph: floats hold these with seven digits.
    for layer in ["acc", "second", "fc0", "fc1"] {
        let (_, told) = printed
            .split_once(&format!("{layer}, kernels and graph: differs by "))
            .expect("it is told");
        let difference: f32 = told
            .split(' ')
            .next()
            .and_then(|number| number.parse().ok())
            .expect("a number");
        assert!(difference < 1e-6, "{layer}: {difference}");
    }
}

#[test]
fn psqt_outputs_make_a_network_in_whole_numbers() {
    let (declared, report) = over_features("psqt.pt2", "768");
    assert!(
        declared.contains("acc = accumulate(768, 32) x 2, psqt 4;"),
        "{declared}"
    );
    assert!(
        report.contains("ft_psqt      ft_psqt      i32 "),
        "{report}"
    );
}

#[test]
fn stacks_are_found_by_what_their_formula_computes() {
    let expected = "\
        acc = accumulate(768, 32 @ 255) x 2;
        stacks 8 by material_count {
            output affine(screlu(acc), 1: f32);
        }
        format raw";
    for graph in ["buckets.pt2", "buckets.onnx"] {
        let (declared, _) = over_features(graph, "768");
        assert!(declared.contains(expected), "{declared}");
    }
    let (bags, _) = over_features("bags.pt2", "768");
    let expected = "\
        stacks 4 {
            let h1 = affine(crelu(acc), 16: f32);
            output affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 1: f32) + h1[15];
        }";
    assert!(bags.contains(expected), "{bags}");
}

/// A graph that looks listed rows up in a table says its rows itself. What it becomes is compared in random lists, quantised, and evaluated.
#[test]
fn lists_of_rows_need_no_features() {
    let [floats, network] = ["lists.safetensors", "lists.bin"].map(|name| file(name, b""));
    let import = ["import", "onnx", &made("lists.onnx"), "--check"];
    let files = ["--output", text(&floats), "--quantize", text(&network)];
    let printed = nnue(&[&import[..], &files].concat()).succeeds();
    for expected in [
        "acc = accumulate(rows[300, active 12], 32 @ 255);",
        "Compared in 200 positions, before rounding:",
        "//   fc0, declaration and graph: differs by ",
        "// Rounded as declared, the kernels (scalar",
    ] {
        assert!(printed.contains(expected), "{printed}");
    }
    assert!(
        !printed.contains("what the rows of the input mean"),
        "{printed}"
    );
    let declaration = file("lists.rs", printed.as_bytes());
    let eval = [
        "eval",
        "--declaration",
        text(&declaration),
        text(&network),
        "--rows",
        "-",
        "--tsv",
    ];
    let said = nnue_reading("3 17 299\n", &eval).succeeds();
    assert_eq!(said.lines().count(), 2, "{said}");
    let named = ["--features", "rows[300, active 12]"];
    assert_eq!(
        nnue(&[&import[..], &files, &named].concat()).succeeds(),
        printed
    );
    let other = ["--features", "rows[200]"];
    nnue(&[&import[..], &other].concat())
        .fails_naming(&["`rows[200]` has 200 rows, and the graph 300"]);
    let dense = [
        "import",
        "onnx",
        &made("digits.onnx"),
        "--quantize",
        text(&network),
    ];
    nnue(&dense).fails_naming(&["--quantize: a network over a dense input keeps its floats"]);
}

/// Pools and gates have names in the declaration, and so in the comparison: of graphs, and of models that the command wrote.
#[test]
fn named_values_of_graphs_are_compared() {
    let [weights, model] = ["pooled.bin", "pooled.onnx"].map(|name| file(name, b""));
    let pooled = [
        "import",
        "onnx",
        &made("pooled.onnx"),
        "--features",
        "768",
        "--check",
        "--report",
        "--quantize",
        text(&weights),
    ];
    let printed = nnue(&pooled).succeeds();
    for line in [
        "//   a1, declaration and graph: differs by ",
        "//   a5, kernels and graph: differs by ",
        " Max               max_neighbours(crelu(acc))\n",
        " DequantizeLinear  crelu(h1)\n",
    ] {
        assert!(printed.contains(line), "`{line}` is not in:\n{printed}");
    }
    let (_, declared) = printed
        .split_once("nnue::nnue! {")
        .expect("it declares a network");
    let (declared, _) = declared.split_once("\n}\n").expect("a brace closes");
    let declaration = file("pooled.rs", declared.as_bytes());
    let export = [
        "export",
        "onnx",
        "--declaration",
        text(&declaration),
        "--net",
        text(&weights),
        "-o",
        text(&model),
    ];
    nnue(&export).succeeds();
    let again = nnue(&["import", "onnx", text(&model), "--check"]).succeeds();
    assert!(
        again.contains("let x") && again.contains("//   x"),
        "{again}"
    );
    assert!(
        again.contains(", kernels and graph: differs by 0.0e0 at most, numbers are up to 127.000"),
        "{again}"
    );
    let tower = format!("--check={}", made("tower.npz"));
    let printed = nnue(&["import", "torch", &made("tower.pt2"), &tower]).succeeds();
    assert!(
        printed.contains("//   a4, declaration and graph: differs by "),
        "{printed}"
    );
}

#[test]
fn features_are_those_of_the_graph() {
    let import =
        |graph: &str, more: &[&str]| nnue(&[&["import", "torch", &made(graph)], more].concat());
    import("perspective.pt2", &["--features", "HalfKP"])
        .fails_naming(&["`HalfKP` has 41024 rows, and the graph 768"]);
    import("perspective.pt2", &["--features", "self::Mine[768]"]).succeeds();
    import(
        "perspective.pt2",
        &["--features", "self::Mine[768]", "--check"],
    )
    .fails_naming(&["the feature set `Mine`", "is defined by a program"]);
    import("perspective.pt2", &[]).fails_naming(&["`--features`"]);
    import("buckets.pt2", &[]).fails_naming(&["input `stm` has whole numbers", "`--features`"]);
    import("wdl.pt2", &[]).fails_naming(&["the numbers before the softmax", "make.py:"]);
    import("digits.pt2", &["--features", "768"]).fails_naming(&["the graph gives 10 numbers"]);
    let wrong = import("perspective.pt2", &["--features", "Chess678"]);
    assert!(
        wrong.err.contains("Chess678") && wrong.code == Some(1),
        "{}",
        wrong.err
    );
}

#[test]
fn networks_are_written_as_graphs_that_say_the_same() {
    let graph = file("default.onnx", b"old");
    let vectors = file("vectors.npz", b"");
    let out = nnue(&[
        "export",
        "onnx",
        "--check",
        "--output",
        text(&graph),
        "--vectors",
        text(&vectors),
    ])
    .succeeds();
    assert!(
        std::fs::read(&vectors)
            .expect("it was written")
            .starts_with(b"PK")
    );
    for line in [
        "ONNX with opset 17",
        "output     value [n, 1] of i32, exactly",
        "compared   differs by 0 at most in 325 positions",
    ] {
        assert!(out.contains(line), "`{line}` is not in:\n{out}");
    }
    let table = nnue(&["import", "onnx", text(&graph), "--print"]).succeeds();
    assert!(
        table.starts_with("input us [rows, ") && table.ends_with("output value\n"),
        "{table}"
    );
    let qdq = file("qdq.onnx", b"");
    let out = nnue(&["export", "onnx", "--qdq", "--check", "--output", text(&qdq)]).succeeds();
    assert!(
        out.contains("opset 17, QDQ") && out.contains("differs by 0 at most"),
        "{out}"
    );
    let table = nnue(&["import", "onnx", text(&qdq), "--print"]).succeeds();
    assert!(
        table.contains(" = QuantizeLinear(") && table.contains(" = DequantizeLinear("),
        "{table}"
    );
    let again = nnue(&["import", "onnx", text(&qdq), "--check"]).succeeds();
    assert!(
        again.contains("Every node and weight of the graph equals")
            && again.contains("fc0, kernels and graph: differs by 0.0e0"),
        "{again}"
    );
    // Imported again, it is the network that was exported, whose kernels the command has.
    let again = file("again.nnue", b"");
    let printed = nnue(&[
        "import",
        "onnx",
        text(&graph),
        "--check",
        "--name",
        "Again",
        "-o",
        text(&again),
    ])
    .succeeds();
    for line in [
        "// Every node and weight of the graph equals those of the export of this declaration.\n",
        "// Value, declaration and graph: differs by 0 at most in 325 positions",
        "// The kernels (scalar",
        "//   second, kernels and graph: differs by 0.0e0 at most, numbers are up to ",
        "//   fc2, kernels and graph: differs by 0.0e0 at most, numbers are up to ",
        "    pub struct Again {\n",
    ] {
        assert!(printed.contains(line), "`{line}` is not in:\n{printed}");
    }
    let (again, declaration) = (text(&again), file("again.rs", printed.as_bytes()));
    let evaluated = nnue(&["eval", "--net", again, "--declaration", text(&declaration)]).succeeds();
    assert!(!evaluated.is_empty());
    nnue(&["import", "onnx", text(&graph), "--features", "768"])
        .fails_naming(&["the model contains its declaration"]);
    let report = nnue(&["import", "onnx", text(&graph), "--report"]).succeeds();
    for clause in [
        "  acc\n",
        "  pairwise(acc)\n",
        "  fc0: affine(.., 16)\n",
        "  crelu(fc1)\n",
        "  output\n",
    ] {
        assert!(report.contains(clause), "`{clause}` is not in:\n{report}");
    }
    let (declaration, net) = (
        file("own.rs", OWN.as_bytes()),
        file("own.bin", &[0; OWN_BYTES]),
    );
    std::fs::write(&graph, b"old").expect("it is written");
    nnue(&[
        "export",
        "onnx",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
        "--output",
        text(&graph),
    ])
    .fails_with("`Own` has the activation `self::bell`, which is not written to graphs");
    assert_eq!(std::fs::read(&graph).expect("it is there"), b"old");
}

const OWN: &str =
    "pub struct Own = (768 -> 32)x2 @ 255 screlu -> 16: f32 self::bell -> 1: f32 { format raw };";

/// Rows and biases of 16 bits, two layers of floats.
const OWN_BYTES: usize = 2 * (768 * 32 + 32) + 4 * (64 * 16 + 16 + 16 + 1);

#[test]
fn golden_values_tell_the_order_of_rows() {
    let import = |golden: &str| {
        nnue(&[
            "import",
            "torch",
            &made("perspective.pt2"),
            "--features",
            "768",
            "--golden",
            golden,
        ])
    };
    import("8/8/8/8/8/8/8/8 w - - 0 1").fails_naming(&["expected FEN=NUMBER"]);
    import("8/8/8/8=0.5").fails_naming(&["--golden `8/8/8/8`"]);
    let fen = "r1bqk2r/pp2bppp/2n2n2/3p4/3P4/2N1BN2/PP3PPP/R2QKB1R b KQkq - 1 9";
    import(&format!("{fen}=12.5"))
        .fails_naming(&["no order of colours, kinds and squares", "not 12.5"]);
    let run = import(&format!("{fen}=12.5"));
    let value = run
        .err
        .split_once("the order of --features gives ")
        .and_then(|(_, rest)| rest.split(' ').next())
        .expect("a number is told");
    let printed = import(&format!("{fen}={value}")).succeeds();
    let words = "// The rows of the graph, as its golden values say: by colour, kind, square; own pieces first; P N B R Q K; squares from a1.";
    assert!(
        printed.contains(words) && !printed.contains("guessed: what the rows"),
        "{printed}"
    );
}

#[test]
fn golden_values_tell_the_order_of_king_buckets() {
    let features = ["--features", "Chess768[buckets: [0 x 3, 1 x 2, 0 x 59]]"];
    let import = |golden: &[&str]| {
        nnue(
            &[
                &["import", "torch", &made("kings.pt2")],
                &features[..],
                golden,
            ]
            .concat(),
        )
    };
    let fens = [
        "4k3/8/3q4/8/8/2N5/PP6/4K3 w - - 0 1",
        "2k5/8/3q4/8/8/2N5/PP6/2K5 w - - 0 1",
        "k7/8/3q4/8/7b/2N5/PP6/4K3 b - - 0 1",
    ];
    let values = fens.map(|fen| {
        let run = import(&["--golden", &format!("{fen}=12.5")]);
        let value = run
            .err
            .split_once("the order of --features gives ")
            .and_then(|(_, rest)| rest.split(' ').next())
            .map(str::to_owned);
        value.expect("a number is told")
    });
    // A number without decimals is within a half.
    let rounded: f32 = values[0].parse().expect("a number");
    import(&["--golden", &format!("{}={rounded:.0}", fens[0])])
        .fails_naming(&[" orders of rows give these golden values", " / .."]);
    let values: Vec<String> = fens
        .iter()
        .zip(values)
        .map(|(fen, value)| format!("{fen}={value}"))
        .collect();
    let goldens: Vec<&str> = values
        .iter()
        .flat_map(|golden| ["--golden", golden])
        .collect();
    let printed = import(&goldens).succeeds();
    let words = "squares from a1; own king before piece.\n";
    assert!(
        printed.contains(words) && !printed.contains("guessed: what the rows"),
        "{printed}"
    );
}

#[test]
fn graphs_are_quantised_on_the_way() {
    let (network, floats) = (
        file("on-the-way.bin", b""),
        file("on-the-way.safetensors", b""),
    );
    let features = [
        "--features",
        "768",
        "--check",
        "--quantize",
        text(&network),
        "--output",
        text(&floats),
    ];
    let printed = nnue(
        &[
            &["import", "torch", &made("perspective.pt2")],
            &features[..],
        ]
        .concat(),
    )
    .succeeds();
    assert!(
        printed.contains("// ft_weight    ft_weight    i16         255 "),
        "{printed}"
    );
    let declaration = file("on-the-way.rs", printed.as_bytes());
    // As in two steps.
    let again = file("in-two-steps.bin", b"");
    let quantise = [
        "quantize",
        text(&floats),
        "--declaration",
        text(&declaration),
        "--round",
        "nearest",
        "-o",
        text(&again),
    ];
    nnue(&quantise).succeeds();
    let bytes = std::fs::read(&network).expect("it was written");
    assert!(!bytes.is_empty() && bytes == std::fs::read(&again).expect("it was written"));
}

#[test]
fn scales_are_calibrated_on_the_way() {
    let [plain, calibrated] =
        ["declared-scales.bin", "calibrated-scales.bin"].map(|name| file(name, b""));
    let graph = made("quantised.pt2");
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suite.fen");
    let import = [
        "import",
        "torch",
        &graph,
        "--features",
        "768",
        "--positions",
        suite,
        "--quantize",
    ];
    nnue(&[&import[..], &[text(&plain)]].concat()).succeeds();
    let printed =
        nnue(&[&import[..], &[text(&calibrated), "--calibrate", "max"]].concat()).succeeds();
    assert!(printed.contains("// calibration  max"), "{printed}");
    let [plain, bytes] =
        [&plain, &calibrated].map(|path| std::fs::read(path).expect("it was written"));
    assert!(
        plain.len() == bytes.len() && plain != bytes,
        "other scales have other weights"
    );
    let declaration = file("calibrated-scales.rs", printed.as_bytes());
    let eval = [
        "eval",
        "--declaration",
        text(&declaration),
        "--net",
        text(&calibrated),
        "--tsv",
    ];
    assert_eq!(nnue(&eval).succeeds().lines().count(), 2);
}

/// Valid in PyTorch and ONNX: the padding is as wide as the kernel, so windows at the border see zeros only.
#[test]
fn a_convolution_with_padding_as_wide_as_its_kernel_has_a_wider_kernel() {
    let check = format!("--check={}", made("padded.npz"));
    let out = nnue(&["import", "onnx", &made("padded.onnx"), &check]).succeeds();
    assert!(
        out.contains("input[2, 3, 3] -> conv2d(2, kernel 3, padding 2) relu;"),
        "{out}"
    );
    assert!(out.contains("Compared in 8 recorded rows"), "{out}");
}

#[test]
fn one_of_several_outputs_is_chosen_by_its_name() {
    let heads = made("heads.onnx");
    nnue(&["import", "onnx", &heads]).fails_naming(&[
        "the graph has 2 outputs (`value`, `policy`): networks over a dense input have one; choose it with `--graph-output NAME`",
    ]);
    nnue(&["import", "onnx", &heads, "--graph-output", "wdl"])
        .fails_with("--graph-output wdl: the outputs of the graph are `value`, `policy`");
    let policy = ["--graph-output", "policy"];
    let check = format!("--check={}", made("heads.npz"));
    let out = nnue(&["import", "onnx", &heads, policy[0], policy[1], &check]).succeeds();
    assert!(out.contains("input[6] -> 4 relu -> 3;"), "{out}");
    assert!(out.contains("Compared in 8 recorded rows"), "{out}");
    let out = nnue(&["import", "onnx", &heads, policy[0], "value"]).succeeds();
    assert!(out.contains("input[6] -> 4 relu -> 1;"), "{out}");
}

#[test]
fn files_that_are_no_graph_are_named() {
    let pb = file(
        "weights.pb",
        b"\x0D\xC0\x01\0\0\x1A\x06\x08\0\x10\x15\x18\0",
    );
    for format in ["onnx", "torch"] {
        nnue(&["import", format, text(&pb)])
            .fails_naming(&["this is weights of Leela Chess Zero: evaluate with `--backend"]);
    }
}
