//! `nnue golden`, `export` and `import`: between a declaration and the trainer that saves its files.

use nnue_format::raw_size;
use nnue_spec::Padding;

use crate::declared::{ENDING, FLOATS, MIDDLE, STACKS, START, files, plan, trace};
use crate::{file, nnue, nnue_reading, text};

#[test]
fn golden_values_are_clauses_that_hold() {
    let (declaration, net) = files("goldens", STACKS);
    let run = |declaration: &str, more: &[&str]| {
        nnue(
            &[
                &["golden", "--declaration", declaration, "--net", text(&net)],
                more,
            ]
            .concat(),
        )
    };
    let out = run(text(&declaration), &["--fen", MIDDLE, "--fen", ENDING]).succeeds();
    let value = |fen| trace(STACKS, fen).value;
    assert_eq!(
        out,
        format!(
            "golden \"{MIDDLE}\" = {};\ngolden \"{ENDING}\" = {};\n",
            value(MIDDLE),
            value(ENDING)
        )
    );
    let built_in = run(text(&declaration), &[]);
    assert!(
        built_in.err.contains("what ")
            && built_in
                .err
                .contains("says about 6 positions, read as `Stacks`"),
        "{}",
        built_in.err
    );
    let clauses = built_in.succeeds();
    assert!(
        clauses.contains(&format!("golden \"{START}\" = {};\n", value(START))),
        "{clauses}"
    );
    let pasted = STACKS.replace("}\n}", &format!("}}\n{clauses}}}"));
    assert_eq!(plan(&pasted).goldens.len(), 6);
    let pasted = file("pasted.rs", pasted.as_bytes());
    let verified = nnue(&["verify", text(&net), "--declaration", text(&pasted)]).succeeds();
    assert!(
        verified.contains("golden    6 of 6 values are right"),
        "{verified}"
    );
    let stale = STACKS.replace(
        "}\n}",
        &format!("}}\ngolden \"{MIDDLE}\" = {};\n}}", value(MIDDLE) + 5),
    );
    let stale = run(
        text(&file("stale.rs", stale.as_bytes())),
        &["--fen", ENDING],
    );
    let note = format!(
        "the declaration says {} for `{MIDDLE}`, the file says {}",
        value(MIDDLE) + 5,
        value(MIDDLE)
    );
    assert!(stale.err.contains(&note), "{}", stale.err);
    assert_eq!(stale.succeeds().lines().count(), 1);
}

#[test]
fn golden_numbers_of_outputs_are_clauses_that_hold() {
    let source = "pub struct Heads { acc = accumulate(Chess768[..], 64) x 2; let h = affine(crelu(acc), 16); \
                  output value = affine(crelu(h), 1); output wdl = wdl(affine(crelu(h), 3)); \
                  output policy = rows(crelu(h), 40: i8 @ 32); format raw }";
    let (declaration, net) = files("golden_outputs", source);
    let run = |rows: &str| {
        nnue(&[
            "golden",
            "--declaration",
            text(&declaration),
            "--net",
            text(&net),
            "--fen",
            MIDDLE,
            "--rows",
            rows,
        ])
    };
    let clauses = run("39,0").succeeds();
    assert_eq!(clauses.lines().count(), 3, "{clauses}");
    assert!(
        clauses.contains(" wdl = [0.") && clauses.contains(" policy[39, 0] = ["),
        "{clauses}"
    );
    run("39,40").fails_with("`policy` has 40 rows, and no row 40");
    let verify = |clauses: &str| {
        let declared = source.replace("format raw }", &format!("format raw; {clauses} }}"));
        let file = file("golden_outputs_pasted.rs", declared.as_bytes());
        nnue(&["verify", text(&net), "--declaration", text(&file)])
    };
    let verified = verify(&clauses).succeeds();
    assert!(
        verified.contains("golden    3 of 3 values are right"),
        "{verified}"
    );
    verify(&clauses.replace(" wdl = [0.", " wdl = [9."))
        .fails_naming(&["has `wdl` = [", "declared is [9."]);
}

#[test]
fn golden_positions_are_read_from_files_and_judged() {
    let (declaration, net) = files("judged", STACKS);
    let arguments = [
        "golden",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
    ];
    let piped = nnue_reading(
        &format!("{MIDDLE}\tcomment\n"),
        &[&arguments[..], &["--fens", "-"]].concat(),
    )
    .succeeds();
    assert_eq!(
        piped,
        format!("golden \"{MIDDLE}\" = {};\n", trace(STACKS, MIDDLE).value)
    );
    let with = |fen: &str| nnue(&[&arguments[..], &["--fen", fen]].concat());
    with("4k3/8/8/8/8/8/8/4K3")
        .fails_with("`4k3/8/8/8/8/8/8/4K3`: `w` or `b` is missing after the board");
    with("8/8/8/8/8/8/8/K7 w - - 0 1").fails_naming(&["black has no king"]);
    nnue(&[
        "golden",
        "--declaration",
        text(&declaration),
        "--net",
        "no.bin",
    ])
    .fails_to_read("no.bin", "no such file");
}

#[test]
fn the_save_format_of_a_declaration_is_printed() {
    let export = |declaration: &str, more: &[&str]| {
        nnue_reading(
            declaration,
            &[&["export", "bullet", "--declaration", "-"], more].concat(),
        )
        .succeeds()
    };
    let expected = "\
// Stacks: 768hm[768] -> 64x2 @ 255 screlu -> (1: i16)x8 by (piece_count - 2) / 4
.save_format(&[
    SavedFormat::id(\"l0w\").round().quantise::<i16>(255), // ft_weight [input][output]
    SavedFormat::id(\"l0b\").round().quantise::<i16>(255), // ft_bias [output]
    SavedFormat::id(\"l1w\").round().quantise::<i16>(64).transpose(), // fc0_weight [stack][input]
    SavedFormat::id(\"l1b\").round().quantise::<i16>(16320), // fc0_bias [stack]
    // 100544 bytes with the 48 that bullet adds, `bulletbullet..`
])
";
    assert_eq!(export(STACKS, &[]), expected);
    let untransposed = export(
        &STACKS.replace(
            "padding: bullet",
            "padding: zeros, skip: 5, fc0_weight: [input][stack]",
        ),
        &[],
    );
    for line in [
        "    SavedFormat::custom(vec![0u8; 5]), // the header, which nnue does not look at\n",
        "    SavedFormat::id(\"l1w\").round().quantise::<i16>(64), // fc0_weight [input][stack]\n",
        "    SavedFormat::custom(vec![0u8; 43]), // up to 100544 bytes, so that bullet adds nothing\n",
    ] {
        assert!(untransposed.contains(line), "{untransposed}");
    }
    let floats = export(
        &FLOATS.replace("[input][stack][output]", "[stack][input][output]"),
        &[],
    );
    for line in [
        "file.push(weights[(input * 2 + stack) * 16 + output]);\n",
        ".round().quantise::<i8>(64), // fc0_weight [stack][input][output]\n",
        "    SavedFormat::id(\"l2w\").transpose(), // fc1_weight [stack][output][input]\n",
        "    SavedFormat::id(\"l3b\"), // fc2_bias [stack]\n",
        "bytes are declared; bullet adds 56: cut them off (`truncate -s 101768\n",
    ] {
        assert!(floats.contains(line), "`{line}` is not in:\n{floats}");
    }
    let kings = "struct Kings = Chess768[buckets: [0 x 16, 1 x 16], mirrored] -> 64x2 @ 255 screlu -> 1: i16 { format raw };";
    let merged = export(kings, &["--factoriser", "l0f"]);
    assert!(
        merged.contains("let factoriser = store.get(\"l0f\").values.repeat(2);\n"),
        "{merged}"
    );
    assert!(!export(kings, &[]).contains("factoriser"));
    let separate = "struct Apart = (768 -> 64)x2 @ 255 screlu separate -> 1: i16 { format raw };";
    let tensors =
        ["l0w", "l0b", "l0nw", "l0nb", "l1w", "l1b"].map(|id| format!("SavedFormat::id(\"{id}\")"));
    let exported = export(separate, &[]);
    let places = tensors.map(|id| {
        exported
            .find(&id)
            .unwrap_or_else(|| panic!("`{id}` is not in:\n{exported}"))
    });
    assert!(places.is_sorted(), "{exported}");
    nnue_reading(
        separate,
        &[
            "export",
            "bullet",
            "--declaration",
            "-",
            "--factoriser",
            "l0f",
        ],
    )
    .fails_naming(&[
        "each has a factoriser of its own",
        "let the trainer merge them",
    ]);
}

#[test]
fn what_the_trainer_cannot_save_is_refused() {
    let export =
        |declaration: &str| nnue_reading(declaration, &["export", "bullet", "--declaration", "-"]);
    export("struct Boxed = 768 -> 64x2 -> 1;").fails_naming(&[
        "`Boxed` is a network in Stockfish's container",
        "`format raw`",
    ]);
    export("struct Wide = (768 -> 64)x2 @ 512 screlu -> 1: i16 @ 64 { format raw };")
        .fails_naming(&["`fc0_bias`", "quantised by 32768", "fc0_bias: i32"]);
    nnue(&["export", "json"]).fails_with("name a declaration with --declaration or --arch");
}

#[test]
fn json_says_where_every_tensor_is() {
    let out = nnue_reading(FLOATS, &["export", "json", "--declaration", "-"]).succeeds();
    let json: serde_json::Value = serde_json::from_str(&out).expect("it is JSON");
    assert_eq!(json["file"]["bytes"], 101_768);
    assert_eq!(json["features"][0]["rows"], 768);
    assert_eq!(json["stacks"]["by_piece_count"][32], 1);
    let tensors = json["tensors"].as_array().expect("tensors are a list");
    let end = tensors.iter().fold(0, |end, tensor| {
        assert_eq!(tensor["offset"], end);
        let shape = tensor["shape"]
            .as_array()
            .expect("a shape is a list")
            .iter();
        let elements: u64 = shape
            .map(|length| length.as_u64().expect("a length"))
            .product();
        let size = match tensor["element"].as_str() {
            Some("i8") => 1,
            Some("i16") => 2,
            _ => 4,
        };
        assert_eq!(tensor["bytes"], elements * size);
        end + elements * size
    });
    assert_eq!(end, 101_768);
    let weights = &tensors[2];
    assert_eq!(
        (weights["name"].as_str(), weights["scale"].as_f64()),
        (Some("fc0_weight"), Some(64.0))
    );
    assert_eq!(
        weights["axes"].to_string(),
        "[\"input\",\"stack\",\"output\"]"
    );
    let known = nnue(&["export", "json", "--arch", "sfnnv5"]).succeeds();
    assert!(
        known.contains("\"format\": \"stockfish\"") && known.contains("\"name\": \"Sfnnv5\""),
        "{known}"
    );
}

/// The declaration that an import prints, and the notes about it.
fn imported(list: &str, more: &[&str]) -> (String, String) {
    let run = nnue_reading(
        list,
        &[&["import", "bullet", "--save-format", "-"], more].concat(),
    );
    let notes = run.err.clone();
    (run.succeeds(), notes)
}

#[test]
fn export_and_import_are_inverse() {
    let declarations = [
        STACKS.to_owned(),
        STACKS.replace("Chess768[mirrored] -> 64x2", "(768 -> 512)x2").replace("padding: bullet", "padding: bullet, fc0_weight: [input][stack]"),
        "struct Wide = (768 -> 1024)x2 @ 403 screlu -> 1: i16 @ 81 { format raw { fc0_bias: i32 } };".to_owned(),
        "struct First = (768 -> 64)x2 @ 181 screlu -> 1: i16 { format raw { skip: 64, order: [ft_bias, ft_weight, fc0_bias, fc0_weight] } };".to_owned(),
        "struct Kings = Chess768[buckets: [0, 1, 2, 3, 4, 4, 5, 5, 6 x 4, 7 x 4, 8 x 8, 9 x 8], mirrored] -> 1024x2 @ 255 screlu
            -> 1x8: i16 by material_count { format raw };".to_owned(),
        "struct Layers = (Chess768[mirrored] -> 1536)x2 @ 255 pairwise -> (16: i8 screlu -> 32: f32 screlu -> 1: f32)x8 { format raw };".to_owned(),
        "struct Apart = (768 -> 64)x2 @ 255 screlu separate -> 1: i16 { format raw };".to_owned(),
        "struct Alone = 768 -> 64 @ 255 screlu -> 1: i16 { format raw };".to_owned(),
        FLOATS.replace("8: f32", "32: f32").replace("sums 4", "").replace("padding: none", "padding: bullet"),
    ];
    for declaration in declarations {
        let declared = plan(&declaration);
        let tables = declared.tables();
        let size = raw_size(&tables.descriptor(), Padding::Text).expect("a raw file");
        let list =
            nnue_reading(&declaration, &["export", "bullet", "--declaration", "-"]).succeeds();
        let (text, notes) = imported(&list, &["--size", &size.to_string()]);
        let started = plan(&text);
        assert_eq!(started.tensors, declared.tensors, "{text}");
        assert_eq!(started.accumulator, declared.accumulator, "{text}");
        let axes =
            |plan: &nnue_spec::plan::Plan| plan.raw.clone().map(|raw| (raw.sections, raw.axes));
        assert_eq!(axes(&started), axes(&declared), "{text}");
        assert!(
            notes.starts_with(&format!("note: {size} bytes fit `Network` exactly; ")),
            "{notes}"
        );
        let back = nnue_reading(&text, &["export", "bullet", "--declaration", "-"]).succeeds();
        let entries = |list: &str| {
            list.lines()
                .filter(|line| line.contains("SavedFormat"))
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(entries(&back), entries(&list));
    }
}

#[test]
fn outputs_beside_the_value_are_named() {
    let declarations = [
        ("pub struct Many { acc = accumulate(768, 128 @ 255) x 2; stacks 4 by material_count { let x = pairwise(acc);
            let h = screlu(affine(x, 16: i8 @ 64)); output value = affine(h, 1: f32); output wdl = wdl(affine(h, 3: f32));
            output policy = rows(x, 96: i8 @ 64); } format raw }", &["--head", "wdl=l3:wdl", "--head", "policy=l4:rows:96", "--hidden", "16", "--output-buckets", "4"][..]),
        ("pub struct Words { acc = accumulate(768, 64 @ 181) x 2; let x = screlu(acc) as i16; output value = affine(x, 1: i16 @ 64);
            output left = affine(x, 2: i16 @ 64); format raw }", &["--head", "left=l2:2"]),
    ];
    for (declaration, more) in declarations {
        let declared = plan(declaration);
        let tables = declared.tables();
        let size = raw_size(&tables.descriptor(), Padding::Text)
            .expect("a raw file")
            .to_string();
        let list =
            nnue_reading(declaration, &["export", "bullet", "--declaration", "-"]).succeeds();
        let (text, _) = imported(&list, &[&["--size", &size], more].concat());
        let started = plan(&text);
        assert_eq!(
            (&started.tensors, &started.heads),
            (&declared.tensors, &declared.heads),
            "{text}"
        );
        assert_eq!(
            (started.accumulator, &started.steps),
            (declared.accumulator, &declared.steps),
            "{text}"
        );
        assert!(
            text.contains("// guessed: the inputs of the outputs beside the value"),
            "{text}"
        );
    }
    let wrong = |head: &str| {
        let list =
            "SavedFormat::id(\"l0w\"), SavedFormat::id(\"l0b\"), SavedFormat::id(\"l1w\"), SavedFormat::id(\"l1b\")"
                .replace("\")", "\").quantise::<i16>(64)");
        nnue_reading(
            &list,
            &[
                "import",
                "bullet",
                "--save-format",
                "-",
                "--size",
                "100544",
                "--head",
                head,
            ],
        )
    };
    wrong("wdl=l7:wdl").fails_naming(&["`l7w` and `l7b`", "0 tensors of it"]);
    wrong("wdl=l1:wdl").fails_naming(&["--head takes all layers"]);
    assert!(
        wrong("wdl=l1")
            .err
            .contains("`wdl=l1` is not of the form `NAME=LAYER:NUMBERS`")
    );
}

/// A trainer's program around a list.
fn program(perspectives: &str, list: &str, graph: &str) -> String {
    format!(
        "const QA: i16 = 255; const QB: i16 = 64;
        fn main() {{
            let mut trainer = ValueTrainerBuilder::default().{perspectives}().inputs(inputs::Chess768).save_format(&[{list}]).build({graph});
            let schedule = TrainingSchedule {{ eval_scale: 340.0, wdl_scheduler: wdl::ConstantWDL {{ value: 0.25 }} }};
        }}"
    )
}

const ONE_LAYER: &str =
    "SavedFormat::id(\"l0w\").quantise::<i16>(QA), SavedFormat::id(\"l0b\").quantise::<i16>(QA),
    SavedFormat::id(\"l1w\").quantise::<i16>(QB), SavedFormat::id(\"l1b\").quantise::<i16>(FACTOR)";

#[test]
fn what_the_program_says_is_not_guessed() {
    let list = ONE_LAYER.replace("FACTOR", "i32::from(QA) * i32::from(QB)");
    let alone = program(
        "single_perspective",
        &list,
        "|builder, stm| {
            let l0 = builder.new_affine(\"l0\", 768, 64);
            let l1 = builder.new_affine(\"l1\", 64, 1);
            l1.forward(l0.forward(stm).crelu())
        }",
    );
    let (text, _) = imported(&alone, &["--size", "98562"]);
    let declared = "pub struct Network = 768 -> 64 @ 255 crelu -> 1: i16 @ 64 {\n    format raw { padding: none }\n    \
                    value output * 340;\n};\n";
    assert!(text.ends_with(declared), "{text}");
    assert!(
        !text.contains("the activation") && !text.contains("output * 400"),
        "{text}"
    );
    let layers = "SavedFormat::id(\"l0w\").quantise::<i16>(QA), SavedFormat::id(\"l0b\").quantise::<i16>(QA),
        SavedFormat::id(\"l1w\").quantise::<i8>(QB).transpose(), SavedFormat::id(\"l1b\"),
        SavedFormat::id(\"l2w\").transpose(), SavedFormat::id(\"l2b\"), SavedFormat::id(\"l3w\").transpose(), SavedFormat::id(\"l3b\")";
    let layers = program(
        "dual_perspective",
        layers,
        "|builder, stm, ntm| {
            let l0 = builder.new_affine(\"l0\", 768, 64);
            let l1 = builder.new_affine(\"l1\", 64, 16);
            let l2 = builder.new_affine(\"l2\", 16, 32);
            let l3 = builder.new_affine(\"l3\", 32, 1);
            let stm = l0.forward(stm).crelu().pairwise_mul();
            let ntm = l0.forward(ntm).crelu().pairwise_mul();
            let hidden = l1.forward(stm.concat(ntm));
            let hidden = l2.forward(hidden.crelu());
            l3.forward(hidden.screlu())
        }",
    );
    let size = 2 * (768 * 64 + 64) + 64 * 16 + 4 * (16 + 16 * 32 + 32 + 32 + 1);
    let (text, _) = imported(&layers, &["--size", &size.to_string()]);
    let chain = "(768 -> 64)x2 @ 255 pairwise -> 16: i8 @ 64 crelu -> 32: f32 screlu -> 1: f32 {";
    assert!(
        text.contains(chain) && !text.contains("the activations"),
        "{text}"
    );
}

#[test]
fn a_single_perspective_is_tried_without_a_program() {
    let (text, _) = imported(
        &ONE_LAYER
            .replace("FACTOR", "16320")
            .replace("QA", "255")
            .replace("QB", "64"),
        &["--size", "98562"],
    );
    assert!(
        text.contains("pub struct Network = 768 -> 64 @ 255 screlu -> 1: i16 @ 64 {"),
        "{text}"
    );
    assert!(
        text.contains("// guessed: that only the side to move has an accumulator"),
        "{text}"
    );
}

#[test]
fn shapes_of_the_same_size_are_listed() {
    let (text, notes) = imported(
        "SavedFormat::id(\"l0w\").quantise::<i16>(255), SavedFormat::id(\"l0b\").quantise::<i16>(255),
        SavedFormat::id(\"l1w\").quantise::<i16>(64), SavedFormat::id(\"l1b\").quantise::<i16>(255 * 64)",
        &["--size", "1607744"],
    );
    assert!(
        text.contains(
            "pub struct Network = (768 -> 1024)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count {"
        ),
        "{text}"
    );
    assert!(
        text.contains("format raw { padding: any, fc0_weight: [input][stack] }"),
        "{text}"
    );
    assert!(text.contains("// guessed: `by material_count`"), "{text}");
    assert!(!notes.is_empty());
    let listed = text.lines().filter(|line| line.contains("--width")).count();
    assert_eq!(
        listed > 0,
        !notes.contains("no other shape"),
        "{text}{notes}"
    );
}

#[test]
fn an_import_looks_at_the_padding_of_the_file() {
    let (_, net) = files("looked", STACKS);
    let out = nnue(&["import", "bullet", "--net", text(&net), "--name", "Mine"]).succeeds();
    assert!(
        out.contains(
            "pub struct Mine = (768 -> 64)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count {"
        ),
        "{out}"
    );
    assert!(out.contains("format raw { padding: bullet }"), "{out}");
    assert!(out.contains("as the trainer's examples save them"), "{out}");
    let declaration = file("mine.rs", out.as_bytes());
    assert!(
        nnue(&[
            "eval",
            "--tsv",
            "--declaration",
            text(&declaration),
            "--net",
            text(&net)
        ])
        .succeeds()
        .lines()
        .count()
            == 2
    );
}

#[test]
fn files_of_engines_have_the_shapes_that_they_have() {
    let four = "(Chess768[buckets: [0 x 8, 1 x 8, 2 x 8, 3 x 8], mirrored] -> 512)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count";
    for (name, chain, padding) in [
        (
            "akimbo-256x2-crelu",
            "(768 -> 256)x2 @ 255 screlu -> 1: i16 @ 64",
            "zeros",
        ),
        (
            "akimbo-768x2-screlu181-ob8",
            "(768 -> 768)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count",
            "zeros",
        ),
        (
            "calvin-768hm-768x2-screlu",
            "(768 -> 768)x2 @ 255 screlu -> 1: i16 @ 64",
            "none",
        ),
        ("obsidian-4kbhm-512x2-screlu-ob8", four, "zeros"),
        (
            "pawnocchio-768hm-1024x2-screlu-ob8",
            "(768 -> 1024)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count",
            "bullet",
        ),
    ] {
        let Some(bytes) = nnue_testkit::bullet::network(&format!("{name}.bin")) else {
            continue;
        };
        let out = nnue(&[
            "import",
            "bullet",
            "--net",
            text(&file(&format!("{name}-imported.bin"), &bytes)),
        ])
        .succeeds();
        let declared = format!(
            "pub struct Network = {chain} {{\n    format raw {{ padding: {padding} }}\n}};\n"
        );
        assert!(out.ends_with(&declared), "{name}: {out}");
    }
}

#[test]
fn imports_that_make_no_sense_are_told() {
    let import = |arguments: &[&str]| nnue(&[&["import", "bullet"], arguments].concat());
    import(&[]).fails_with("name the file, or its size with --size");
    import(&["--size", "12345"]).fails_naming(&[
        "no network with the tensors l0w, l0b, l1w, l1b",
        "has 12345 bytes",
    ]);
    for name in ["two words", "fn", "Self", "A = 768 -> 32x2 -> 1; struct B"] {
        import(&["--size", "100544", "--name", name])
            .fails_with(&format!("`{name}` is no name of a type"));
    }
    import(&["--size", "100544", "--hidden", "16,32"]).fails_naming(&[
        "--hidden has 2 widths, and 0 hidden layers are saved by the trainer's examples",
        "--save-format",
    ]);
    let list = |quantised: &str| {
        format!("const QA: i16 = 255; SavedFormat::id(\"l0w\").quantise::<i16>({quantised})")
    };
    let read = |list: &str| {
        nnue_reading(
            list,
            &["import", "bullet", "--save-format", "-", "--size", "1"],
        )
    };
    read(&list("i32::from(QA) * i32::from(QB)")).fails_naming(&[
        "`l0w` is quantised by `i32::from(QA) * i32::from(QB)`, which is not a number: paste",
    ]);
    read(&list("QA + 1"))
        .fails_naming(&["`l0w` is quantised by `QA + 1`, which is not a number: write a product"]);
    let empty = file("overflowed.bin", b"");
    import(&["--net", text(&empty)])
        .fails_naming(&["zero length: the trainer's quantisation overflowed"]);
    import(&["--save-format", "no/such.rs", "--size", "1"])
        .fails_to_read("no/such.rs", "no such file");
    let list = nnue_reading(
        "let x = 5;",
        &["import", "bullet", "--save-format", "-", "--size", "1"],
    );
    list.fails_naming(&["standard input: there is no `SavedFormat::id"]);
}

#[test]
fn a_file_of_bullet_opened_without_a_declaration_is_told_what_to_do() {
    let (_, net) = files("undeclared", STACKS);
    let run = nnue(&["eval", "--net", text(&net)]);
    assert!(!run.err.contains("not a network"), "{}", run.err);
    run.fails_naming(&[
        "no header: ",
        "`format raw`",
        "`nnue import bullet`",
        "--declaration",
    ]);
}

#[test]
fn the_help_of_the_commands_has_examples() {
    for command in [
        &["golden"][..],
        &["export", "bullet"],
        &["export", "json"],
        &["import", "net"],
    ] {
        let help = nnue(&[command, &["--help"]].concat()).succeeds();
        assert!(
            help.contains("Example") && help.contains(&format!("nnue {}", command.join(" "))),
            "{help}"
        );
    }
}

#[test]
fn the_declarations_of_the_guide_are_right() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bullet.md"))
            .expect("the page is there");
    let blocks: Vec<&str> = page
        .split("```rust\n")
        .skip(1)
        .filter_map(|block| block.split("```").next())
        .collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        assert_eq!(plan(block).name, "Simple");
    }
}

/// 768 * 32 weights and 32 biases, 64 weights, and a bias of four bytes: other trainers save it so.
#[test]
fn an_output_bias_of_32_bits_is_tried_without_a_list() {
    let run = nnue(&["import", "bullet", "--size", "49348"]);
    let notes = run.err.clone();
    let text = run.succeeds();
    assert!(
        text.contains("pub struct Network = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 {\n    format raw { padding: none, fc0_bias: i32 }"),
        "{text}"
    );
    assert!(text.contains("// guessed: `@ 255` and `@ 64`"), "{text}");
    assert!(!notes.contains("no other shape"), "{notes}");
}

/// A program with this table of king buckets, these inputs and eight output buckets.
fn with_inputs(table: &str, inputs: &str) -> String {
    format!(
        "const EVAL: i32 = 410; const OB: usize = 8; const LAYOUT: {table};
        fn main() {{ let trainer = ValueTrainerBuilder::default().dual_perspective().inputs({inputs}::new(LAYOUT))
            .output_buckets(MaterialCount::<OB>).save_format(&[SavedFormat::id(\"l0w\").quantise::<i16>(255),
            SavedFormat::id(\"l0b\").quantise::<i16>(255), SavedFormat::id(\"l1w\").quantise::<i16>(64).transpose(),
            SavedFormat::id(\"l1b\").quantise::<i16>(255 * 64)]).build(|builder, stm, ntm, buckets| {{
            let l0 = builder.new_affine(\"l0\", 768 * 2, 64); let l1 = builder.new_affine(\"l1\", 128, 8);
            l1.forward(l0.forward(stm).screlu().concat(l0.forward(ntm).screlu())).select(buckets) }});
            let schedule = TrainingSchedule {{ eval_scale: EVAL as f32 }}; }}"
    )
}

#[test]
fn king_buckets_and_output_buckets_of_the_program_are_read() {
    let size = 2 * (2 * 768 * 64 + 64 + 128 * 8 + 8);
    let read = |table: &str, inputs: &str| {
        imported(&with_inputs(table, inputs), &["--size", &size.to_string()]).0
    };
    let first = format!("[usize; 64] = [0, 0, 1, {}]", "1, ".repeat(61));
    let plain = read(&first, "ChessBuckets");
    assert!(
        plain.contains("(Chess768[buckets: [0 x 2, 1 x 62]] -> 64)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count"),
        "{plain}"
    );
    assert!(
        plain.contains("value output * 410;") && !plain.contains("guessed"),
        "{plain}"
    );
    let half = format!("[usize; 32] = [0, {}]", "1, ".repeat(31));
    let mirrored = read(&half, "ChessBucketsMirrored");
    assert!(
        mirrored.contains("(Chess768[buckets: [0, 1 x 31], mirrored] -> 64)x2"),
        "{mirrored}"
    );
    let elsewhere = read("Table = elsewhere()", "ChessBuckets");
    assert!(
        elsewhere.contains("paste `const LAYOUT: .. = ..;` as well")
            && !elsewhere.contains("mirrored"),
        "{elsewhere}"
    );
}

/// Reads tables by their names, factorised inputs, save formats of older trainers, products as scales.
#[test]
fn names_of_the_program_stand_for_what_they_are_bound_to() {
    let size = 2 * (2 * 768 * 64 + 64 + 128 * 8 + 8);
    let half = format!("[0, {}]", "1, ".repeat(31));
    let layout = format!("static TABLE: &[usize; 32] = &{half}; const LAYOUT");
    let read = |inputs: &str| {
        let program = with_inputs("[usize; 32] = *TABLE", "ChessBucketsMirrored")
            .replace("const LAYOUT", &layout)
            .replace("ChessBucketsMirrored::new(LAYOUT)", inputs)
            .replace("let trainer", "let inputs = ChessBucketsMirrored::new(LAYOUT); let buckets = MaterialCount::<OB>; let trainer")
            .replace("MaterialCount::<OB>).", "buckets).")
            .replace("EVAL as f32", "EVAL as f32 * 2.0");
        imported(&program, &["--size", &size.to_string()]).0
    };
    for inputs in [
        "ChessBucketsMirrored::new(LAYOUT)",
        "inputs",
        "Factorised::from_parts(ChessBucketsMirrored::new(LAYOUT), Chess768)",
        "ChessBucketsMirroredFactorised::new(LAYOUT)",
    ] {
        let text = read(inputs);
        assert!(
            text.contains("(Chess768[buckets: [0, 1 x 31], mirrored] -> 64)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count")
                && text.contains("value output * 820;")
                && !text.contains("guessed"),
            "{text}"
        );
    }
    let own = read("threats::Inputs { wide: true }");
    assert!(
        own.contains("// guessed: which squares have which of the 2 king buckets, and that they are `mirrored`: the program has `threats::Inputs`, which is not read"),
        "{own}"
    );
}

#[test]
fn lists_of_older_trainers_are_read() {
    let list = "SavedFormat::new(\"l0w\", QuantTarget::I16(QA), Layout::Normal), SavedFormat::new(\"l0b\", QuantTarget::I16(QA), Layout::Normal),
        SavedFormat::new(\"l1w\", QuantTarget::I16(QB), Layout::LAYOUT), SavedFormat::new(\"l1b\", QuantTarget::I32(QA * QB), Layout::Normal)";
    let size = 2 * (768 * 64 + 64 + 128 * 8) + 4 * 8;
    for (layout, format) in [
        ("Normal", "fc0_weight: [input][stack], fc0_bias: i32"),
        ("Transposed", "fc0_bias: i32"),
    ] {
        let program = program(
            "dual_perspective",
            &list.replace("LAYOUT", layout),
            "|a, b| a",
        );
        let (text, _) = imported(&program, &["--size", &size.to_string()]);
        let declared = format!(
            "(768 -> 64)x2 @ 255 screlu -> 1x8: i16 @ 64 by material_count {{\n    format raw {{ padding: none, {format} }}"
        );
        assert!(text.contains(&declared), "{text}");
    }
}

/// A program with two trainers; one of them saved the file.
#[test]
fn one_of_several_lists_has_the_size_of_the_file() {
    let list = ONE_LAYER.replace("FACTOR", "i32::from(QA) * i32::from(QB)");
    let wide = format!(
        "SavedFormat::custom([0; 64]), {}",
        list.replace("l1b\").quantise::<i16>", "l1b\").quantise::<i32>")
    );
    let both = format!(
        "{} mod second {{ {} }}",
        program("dual_perspective", &list, "|a, b| a"),
        program("dual_perspective", &wide, "|a, b| a")
    );
    let size = 2 * (768 * 64 + 64 + 128);
    for (size, format) in [
        (size + 2, "padding: none"),
        (size + 4 + 64, "skip: 64, padding: none, fc0_bias: i32"),
    ] {
        let (text, _) = imported(&both, &["--size", &size.to_string()]);
        assert!(
            text.contains(&format!("format raw {{ {format} }}")),
            "{text}"
        );
        assert!(
            text.contains("// guessed: which of the 2 lists of tensors in the text saved the file"),
            "{text}"
        );
    }
    let twice = format!(
        "{} mod second {{ {} }}",
        program("dual_perspective", &list, "|a, b| a"),
        program("dual_perspective", &list, "|a, b| a")
    );
    let (text, _) = imported(&twice, &["--size", &(size + 2).to_string()]);
    assert!(!text.contains("lists of tensors"), "{text}");
}

/// Inputs of a built-in set of threats beside the pieces are guessed by their number of rows, and listed as a guess.
#[test]
fn threats_are_guessed_by_their_rows() {
    let list = "SavedFormat::id(\"l0w\").quantise::<i8>(255), SavedFormat::id(\"l0b\").quantise::<i16>(255),
        SavedFormat::id(\"l1w\").quantise::<i16>(64), SavedFormat::id(\"l1b\").quantise::<i16>(255 * 64)";
    for rows in [79856, 66864, 60144, 60720, 59808] {
        let size = (768 + rows) * 256 + 2 * (256 + 512 + 1);
        let inputs = format!("768 as i8 + FullThreats[{rows}]");
        let (text, _) = imported(list, &["--size", &size.to_string()]);
        let listed = text.contains(&format!(
            "//   --width 256 --king-buckets 1 --output-buckets 1 (with FullThreats[{rows}])"
        ));
        let declared = text.contains(&format!("pub struct Network = ({inputs} -> 256)x2"));
        assert!(listed || declared, "{text}");
        if declared {
            let guess =
                format!("// guessed: the inputs (`FullThreats[{rows}]` after 768 rows of pieces");
            assert!(text.contains(&guess), "{text}");
        }
    }
}
