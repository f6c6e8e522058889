//! `--declaration`: networks of the user's own, whose files have no header.

use std::path::{Path, PathBuf};

use nnue_format::{Header, Tensors, write};
use nnue_spec::plan::Plan;
use nnue_spec::{Fen, TensorMut, reference};
use nnue_testkit::bullet::{network, table};
use nnue_testkit::random::Random;

use crate::{file, nnue, nnue_reading, text};

/// A network of 16-bit weights with eight stacks.
pub(crate) const STACKS: &str =
    "pub struct Stacks = Chess768[mirrored] -> 64x2 @ 255 screlu -> 1x8: i16 by material_count {
    format raw { padding: bullet }
};\n";

/// A network with a head of floats.
pub(crate) const FLOATS: &str =
    "pub struct Floats = (768 -> 64)x2 @ 255 pairwise -> (16: i8 screlu -> 8: f32 screlu -> 1: f32 sums 4)x2 {
    format raw { padding: none, fc0_weight: [input][stack][output] }
};\n";

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
pub(crate) const MIDDLE: &str =
    "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 0 7";
pub(crate) const ENDING: &str = "8/5k2/8/3P4/8/8/4K3/8 b - - 0 1";

/// The only network in a text.
pub(crate) fn plan(declaration: &str) -> Plan {
    nnue_codegen::plan_text(declaration)
        .unwrap_or_else(|errors| panic!("{}", errors[0]))
        .remove(0)
}

/// Weights that depend on nothing but the declaration.
pub(crate) fn random_tensors(plan: &Plan) -> Tensors {
    let mut tensors = Tensors::zeroed(&plan.tables().descriptor());
    let mut random = Random::new(7);
    for tensor in tensors.muts() {
        match tensor {
            TensorMut::I8(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i8),
            TensorMut::I16(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i16 / 128),
            TensorMut::I32(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i32 / 65536),
            TensorMut::F32(out) => out
                .iter_mut()
                .for_each(|value| *value = random.next() as i8 as f32 / 64.0),
        }
    }
    tensors
}

/// The files of a declaration and of a network with random weights for it, both called `name`.
pub(crate) fn files(name: &str, declaration: &str) -> (PathBuf, PathBuf) {
    let plan = plan(declaration);
    let tables = plan.tables();
    let net = tables.descriptor();
    let mut bytes = Vec::new();
    write(
        &net,
        &Header::new(&net, []),
        &random_tensors(&plan).refs(),
        &mut bytes,
    )
    .expect("a vector takes everything");
    (
        file(&format!("{name}.rs"), declaration.as_bytes()),
        file(&format!("{name}.bin"), &bytes),
    )
}

/// What the reference interpreter says about a position with the random weights of a declaration.
pub(crate) fn trace(declaration: &str, fen: &str) -> reference::Trace {
    let plan = plan(declaration);
    let fen = Fen::parse(fen).expect("a FEN");
    let board = reference::Board::new(fen.pieces, fen.black_to_move);
    reference::evaluate(
        &plan.tables().descriptor(),
        &random_tensors(&plan).refs(),
        &board,
    )
}

#[test]
fn raw_sums_and_values_are_those_of_the_reference() {
    let (declaration, net) = files("sums", STACKS);
    let arguments = [
        "eval",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
        "--tsv",
        "--fen",
        START,
    ];
    let out = nnue(&[&arguments[..], &["--fen", MIDDLE, "--fen", ENDING]].concat()).succeeds();
    let mut expected = "fen\tbucket\tpsqt\tpositional\tvalue\traw_sum\n".to_owned();
    for (fen, bucket) in [(START, 7), (MIDDLE, 7), (ENDING, 0)] {
        let trace = trace(STACKS, fen);
        let sum = trace.stacks[bucket]
            .direct
            .expect("16-bit weights have a sum");
        expected += &format!(
            "{fen}\t{bucket}\t0\t{}\t{}\t{sum}\n",
            trace.positional[bucket], trace.value
        );
    }
    assert_eq!(out, expected);
}

#[test]
fn values_are_those_of_the_side_to_move_where_white_is_first() {
    let forms = [
        ("negated", "screlu white_first -> 1: i16 {"),
        (
            "certain",
            "pairwise white_first -> 16 screlu -> 1: f32 { value sigmoid(output) * 1000;",
        ),
        (
            "expected",
            "pairwise white_first -> 16 screlu -> 3: f32 { value wdl * 1000;",
        ),
    ];
    let black = "r1bqkb1r/pp3ppp/2n1pn2/3p4/3P4/2N2N2/PP2PPPP/R1BQKB1R b KQkq - 0 7";
    for (name, head) in forms {
        let declare = |goldens: &str| {
            format!("pub struct WhiteFirst = 768 -> 64x2 @ 255 {head} format raw; {goldens} }}\n")
        };
        let declaration = declare("");
        let (declared, net) = files(&format!("white_first_{name}"), &declaration);
        let arguments = ["--declaration", text(&declared), "--net", text(&net)];
        let golden = nnue(
            &[
                &["golden"],
                &arguments[..],
                &["--fen", MIDDLE, "--fen", black],
            ]
            .concat(),
        )
        .succeeds();
        let eval = nnue(
            &[
                &["eval", "--tsv"],
                &arguments[..],
                &["--fen", MIDDLE, "--fen", black],
            ]
            .concat(),
        )
        .succeeds();
        let mut sides = Vec::new();
        for (fen, row) in [MIDDLE, black].into_iter().zip(eval.lines().skip(1)) {
            let value = trace(&declaration, fen).value;
            assert!(
                golden.contains(&format!("golden \"{fen}\" = {value};")),
                "{value} of {fen} is not in {golden}"
            );
            assert_eq!(
                row.split('\t').nth(4),
                Some(value.to_string().as_str()),
                "{row}"
            );
            sides.push(value);
        }
        assert_ne!(
            sides[0], sides[1],
            "the test needs a network that tells whose move it is"
        );
        let (again, _) = files(&format!("white_first_{name}_golden"), &declare(&golden));
        nnue(&["verify", text(&net), "--declaration", text(&again)]).succeeds();
    }
}

#[test]
fn heads_of_floats_show_their_bits() {
    let (declaration, net) = files("bits", FLOATS);
    let arguments = [
        "eval",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
        "--fen",
        MIDDLE,
    ];
    let trace = trace(FLOATS, MIDDLE);
    let output = trace.stacks[1].floats[2][0];
    let tsv = nnue(&[&arguments[..], &["--tsv"]].concat()).succeeds();
    let line = format!(
        "{MIDDLE}\t1\t0\t{0}\t{0}\t{1:08x}",
        trace.value,
        output.to_bits()
    );
    assert_eq!(
        tsv.lines().collect::<Vec<_>>(),
        ["fen\tbucket\tpsqt\tpositional\tvalue\tbits", &line]
    );
    let shown = nnue(&arguments).succeeds();
    for part in [
        "output (bits)",
        &format!("({:08x})", output.to_bits()),
        &format!("value     {:+} for white", trace.value),
    ] {
        assert!(shown.contains(part), "`{part}` is not in:\n{shown}");
    }
    assert!(
        shown.contains("; the declaration was read at run time"),
        "{shown}"
    );
    assert_eq!(
        shown
            .lines()
            .filter(|line| line.trim_start().starts_with(['*', '0', '1']))
            .count(),
        3,
        "{shown}"
    );
}

#[test]
fn outputs_beside_the_value_are_shown() {
    let source = "pub struct Heads { acc = accumulate(Chess768[..], 64) x 2; let h = affine(crelu(acc), 16); \
                  output value = affine(crelu(h), 1); output wdl = wdl(affine(crelu(h), 3)); output parts = h[2..4] * 10; format raw }";
    let (declaration, net) = files("outputs", source);
    let arguments = ["--declaration", text(&declaration), "--net", text(&net)];
    let shown = nnue(&[&["eval", "--fen", MIDDLE], &arguments[..]].concat()).succeeds();
    let plan = plan(source);
    let head = |index| trace(source, MIDDLE).stacks[0].head(&plan.tables().descriptor(), index);
    let [loss, draw, win] = head(0)[..] else {
        panic!("three numbers")
    };
    let [loss, draw, win] = nnue::Wdl::new([loss, draw, win]).probabilities();
    assert!(
        shown.contains(&format!("wdl       {loss:+.6} {draw:+.6} {win:+.6}\n")),
        "{shown}"
    );
    assert!(
        shown.contains(&format!(
            "parts     {:+.6} {:+.6}\n",
            head(1)[0],
            head(1)[1]
        )),
        "{shown}"
    );
    let json = nnue(&["export", "json", "--declaration", text(&declaration)]).succeeds();
    assert!(json.contains("\"kind\": \"loss, draw, win\""), "{json}");
}

#[test]
fn games_are_evaluated_at_every_ply() {
    let (declaration, net) = files("games", STACKS);
    let line = format!("x\t{START}\te2e4 d7d5 e4d5\n");
    let arguments = [
        "eval",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
        "--games",
        "-",
    ];
    let out = nnue_reading(&line, &[&arguments[..], &["--tsv"]].concat()).succeeds();
    let after = "rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2";
    let trace = trace(STACKS, after);
    let sum = trace.stacks[7].direct.expect("16-bit weights have a sum");
    let last = format!(
        "x\t3\t31\t7\t0\t{}\t{}\t{sum}",
        trace.positional[7], trace.value
    );
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines.first(),
        Some(&"game\tply\tpieces\tbucket\tpsqt\tpositional\tvalue\traw_sum")
    );
    assert_eq!((lines.len(), lines.last()), (5, Some(&last.as_str())));
    assert!(
        nnue_reading(&line, &arguments)
            .succeeds()
            .lines()
            .any(|line| line.trim_start().starts_with("3  e4d5"))
    );
}

#[test]
fn inspect_shows_where_tensors_stand() {
    let (declaration, net) = files("inspected", FLOATS);
    let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    for part in [
        "declaration   Floats: Chess768[768] -> 64x2 @ 255 pairwise -> (16 screlu -> 8: f32 screlu -> 1: f32 sums 4)x2",
        "padding       none, 101768 bytes in all",
        "[input][stack][output]",
        "      98304  [output]",
        "accumulator",
        "fc2 sums                 32-bit floats, about which nothing is proved",
    ] {
        assert!(out.contains(part), "`{part}` is not in:\n{out}");
    }
    assert!(
        !out.contains("fc2 pairs") && !out.contains("no position can give more"),
        "{out}"
    );
    let floats = out
        .lines()
        .find(|line| line.starts_with("fc2_weight"))
        .expect("every tensor has a line");
    assert!(
        floats.contains("f32") && floats.contains("-1.8125..=1.8594"),
        "{floats}"
    );
    let (declaration, net) = files("padded", STACKS);
    let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    assert!(
        out.contains("padding       48 bytes `bullet`, 100544 in all"),
        "{out}"
    );
}

#[test]
fn inspect_prints_everything_in_a_file() {
    let shipped = r#"struct Shipped = (768 -> 64)x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw { order: ["NNSC", skip 60, ft_weight, ft_bias, stacks [fc0_weight, fc0_bias, skip 6]] }
    };"#;
    let boxed = "struct Boxed = Chess768[..] -> 64x2 -> (16 -> 1)x2 { format stockfish { encoding: leb128 } };";
    let lines: [&[&str]; 2] = [
        &[
            "           0            4        \"NNSC\"",
            "          64        98304  i16   ft_weight [input][output]",
            "       98496          256  i16   fc0_weight of stack 0 [input]",
            "       98754            6        kept of stack 0",
            "      100608               end",
        ],
        &[
            "           0            4        version 0x7af32f20",
            "COMPRESSED_LEB128 and the length of the block",
            "i16   ft_weight [input][output] LEB128",
            "i8    fc0_weight of stack 1 [output][input]",
        ],
    ];
    for ((name, declared), lines) in [("shipped", shipped), ("boxed", boxed)]
        .into_iter()
        .zip(lines)
    {
        let (declaration, net) = files(name, declared);
        let arguments = [
            "inspect",
            text(&net),
            "--layout",
            "--declaration",
            text(&declaration),
        ];
        let out = nnue(&arguments).succeeds();
        for line in lines {
            assert!(out.contains(line), "`{line}` is not in:\n{out}");
        }
        let size = std::fs::metadata(&net).expect("it was just written").len();
        assert!(
            out.trim_end()
                .ends_with(&format!("{size}               end")),
            "{size}\n{out}"
        );
    }
}

/// Layers after the first have a choice of forms too, where they read whole lines of one buffer.
/// The size of a file does not tell the threats of two engines apart: what is read of it is a guess, unless golden values tell.
#[test]
fn inspect_says_which_sets_are_guessed() {
    let guessed = "guessed       the size of `FullThreats[79856]` fits also threats of Halogen";
    let network = |rows: usize| {
        format!("Chess768[..] + FullThreats[{rows}] -> 32x2 @ 255 pairwise -> 8 -> 1")
    };
    for (rows, golden, is_guess) in [
        (79856, false, true),
        (60144, false, false),
        (79856, true, false),
    ] {
        let mut source = format!("pub struct Sets = {} {{ format raw }};\n", network(rows));
        let (declaration, net) = files("sets", &source);
        if golden {
            let arguments = [
                "golden",
                "--declaration",
                text(&declaration),
                "--net",
                text(&net),
            ];
            let clauses = nnue(&arguments).succeeds();
            source = source.replace("format raw", &format!("format raw; {clauses}"));
            std::fs::write(&declaration, &source).expect("a file");
        }
        let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
        assert_eq!(out.contains(guessed), is_guess, "{rows}: {out}");
    }
}

#[test]
fn inspect_shows_the_forms_of_hidden_layers() {
    let (declaration, net) = files(
        "hidden",
        "pub struct Hidden = 768 -> 64x2 -> 128 -> 24 -> 1 { format raw };\n",
    );
    let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    let table = out
        .split("layers at level ")
        .nth(1)
        .unwrap_or_else(|| panic!("{out}"));
    for (layer, active) in [("fc0 ", " 50 % "), ("fc1 ", " 94 % ")] {
        let line = table
            .lines()
            .find(|line| line.starts_with(layer))
            .unwrap_or_else(|| panic!("{out}"));
        assert!(
            line.contains(active)
                && line.matches('*').count() == 1
                && line.contains("whole vectors"),
            "{line}"
        );
    }
    assert!(
        table
            .lines()
            .any(|line| line.starts_with("fc2 ") && line.ends_with("a row")),
        "{out}"
    );
}

/// A value and a policy of the same accumulators.
const POLICY: &str = "pub struct Policy {
    acc = accumulate(Chess768[mirrored] as i8, 64 @ 128);
    let h = affine(pairwise(acc) as i16, 16: i16 @ 1024);
    output value = affine(screlu(h), 3: f32);
    value wdl * 1000;
    output left = relu(affine(screlu(h), 1: f32)) * 100;
    output policy = rows(pairwise(acc) >> 2 as i16, 1880: i8 @ 128);
    format raw
}\n";

#[test]
fn inspect_shows_outputs_and_what_is_read_for_them() {
    let (declaration, net) = files("outputs", POLICY);
    let out = nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    for part in [
        "value        loss, draw, win              fc1",
        "left         1 ",
        "policy       1 for each of 1880 rows      fc3          1 / 524288",
        // 32 rows of 64, 16 of 32 words with 16 floats, 4 of 16 floats with 4, 30 rows of 32
        "a position from scratch reads at most 4.3 KB of weights:",
        "      2.0 KB  up to 32 rows of features\n",
        "      1.3 KB  layers",
        "      0.9 KB  30 of the rows of 58.8 KB, for as many moves",
    ] {
        assert!(out.contains(part), "`{part}` is not in:\n{out}");
    }
}

#[test]
fn verify_checks_the_file() {
    let value = trace(STACKS, MIDDLE).value;
    let golden = STACKS.replace("}\n", &format!("}}\n    golden \"{MIDDLE}\" = {value};\n"));
    let (declaration, net) = files("verified", STACKS);
    let verify =
        |declaration: &Path| nnue(&["verify", text(&net), "--declaration", text(declaration)]);
    let out = verify(&declaration).succeeds();
    assert!(
        out.contains("100544 bytes, exactly as declared; written again byte for byte"),
        "{out}"
    );
    assert!(out.contains("golden    none declared"), "{out}");
    let out = verify(&file("golden.rs", golden.as_bytes())).succeeds();
    assert!(out.contains("golden    1 of 1 values are right"), "{out}");
    let wrong = golden.replace(&format!("= {value}"), &format!("= {}", value + 1));
    verify(&file("wrong.rs", wrong.as_bytes()))
        .fails_naming(&[&format!("declared is {}", value + 1)]);
}

#[test]
fn one_of_several_declarations_is_named() {
    let both = format!(
        "use nnue::nnue;\nnnue! {{ {STACKS} }}\nmod inner {{ nnue::nnue! {{ {FLOATS} }} }}\n"
    );
    let (_, net) = files("named", FLOATS);
    let both = file("both.rs", both.as_bytes());
    let named = |name: &str| {
        nnue(&[
            "eval",
            "--tsv",
            "--net",
            text(&net),
            "--declaration",
            &format!("{}{name}", text(&both)),
        ])
    };
    assert!(
        named(":Floats")
            .succeeds()
            .starts_with("fen\tbucket\tpsqt\tpositional\tvalue\tbits\n")
    );
    named("").fails_naming(&[
        "has 2 declarations",
        "both.rs:Stacks",
        "(there are `Stacks`, `Floats`)",
    ]);
    named(":Other").fails_naming(&["does not declare `Other`; there are `Stacks`, `Floats`"]);
    named(":Stacks").fails_naming(&["named.bin: ", "bytes of `Stacks`"]);
    let piped = nnue_reading(
        FLOATS,
        &["eval", "--tsv", "--net", text(&net), "--declaration", "-"],
    )
    .succeeds();
    assert_eq!(piped, named(":Floats").succeeds());
}

#[test]
fn wrong_declarations_are_underlined() {
    let declaration = file(
        "misspelt.rs",
        b"// two lines\npub struct Tiny = Chess786[..] -> 64x2 -> 1 { format raw };\n",
    );
    let run = nnue(&[
        "eval",
        "--declaration",
        text(&declaration),
        "--net",
        "no.bin",
    ]);
    let expected = format!(
        "error: {}:2:19: unknown feature set `Chess786`
  |
2 | pub struct Tiny = Chess786[..] -> 64x2 -> 1 {{ format raw }};
  |                   ^^^^^^^^
  = help: did you mean `Chess768`?\n",
        text(&declaration)
    );
    assert!(run.err.starts_with(&expected), "{}", run.err);
    assert_eq!(run.code, Some(1));
    let two = nnue_reading(
        "struct A = 768 -> 60x2 -> 1;\nstruct B = 768 -> 65x2 -> 1;\n",
        &["eval", "--declaration", "-"],
    );
    assert_eq!(two.err.matches(" ^^^^\n").count(), 2, "{}", two.err);
}

/// `>` of Windows PowerShell writes UTF-16.
#[test]
fn declarations_may_be_in_utf_16() {
    let text_of =
        "\u{feff}pub struct Raw = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\r\n";
    let net = file("utf16.bin", &[0; 2 * (768 * 32 + 32 + 64 + 1)]);
    let little: Vec<u8> = text_of.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text_of.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [text_of.as_bytes(), &little, &big] {
        let declaration = file("utf16.rs", bytes);
        nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
    }
    let cut = file("utf16-cut.rs", &little[..little.len() - 1]);
    let run = nnue(&["inspect", text(&net), "--declaration", text(&cut)]);
    assert!(run.err.contains("it is not text"), "{}", run.err);
}

#[test]
fn a_declaration_needs_a_file_and_says_the_same_at_every_level() {
    let (declaration, net) = files("alone", STACKS);
    nnue(&["eval", "--declaration", text(&declaration)])
        .fails_with("no network for `Stacks`: name the file with its weights");
    nnue(&["eval", "--declaration", "no/such.rs"]).fails_to_read("no/such.rs", "no such file");
    let at = |level: &str| {
        nnue(&[
            "eval",
            "--declaration",
            text(&declaration),
            "--net",
            text(&net),
            "--tsv",
            "--level",
            level,
        ])
    };
    let scalar = at("scalar").succeeds();
    for level in nnue::Level::available() {
        assert_eq!(at(level.level().name()).succeeds(), scalar, "{level}");
    }
    at("mmx").fails_naming(&["unknown level `mmx`"]);
}

#[test]
fn what_only_a_program_can_evaluate_is_told() {
    let own = "struct Ataxx = self::Planes[147] -> 64x2 @ 255 screlu -> 1: i16 { format raw };";
    let told = "struct Ataxx = self::Planes[147] -> 64x2 @ 255 screlu -> 1: i16 {
        format raw; golden self::opening = 7; golden \"x5o/7/7/7/7/7/o5x x\" = 8;
    };";
    let function = "struct ByColor = (768 -> 64)x2 @ 255 screlu -> 1x2: i16 by self::by_color {
        format raw; golden \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\" = 7;
    };";
    let activation = "struct Steps = (768 -> 64)x2 -> 16 self::step -> 1 {
        format raw; golden \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\" = 7; golden \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\" = 8;
    };";
    for (name, declaration, what, goldens) in [
        (
            "own",
            own,
            "the feature set `Planes` of `Ataxx` is defined by a program",
            "none declared, so other axes would not be noticed; with `golden self::my_position = 12;` in its declaration",
        ),
        (
            "told",
            told,
            "the feature set `Planes` of `Ataxx` is defined by a program, so only that program can evaluate the network",
            "2 declared, not compared: the feature set `Planes` is defined by a program, which checks",
        ),
        (
            "function",
            function,
            "the function that chooses the layer stack of `ByColor` is defined by a program",
            "1 declared, not compared: the function that chooses the layer stack is defined by a program, which checks",
        ),
        (
            "activation",
            activation,
            "the activation `self::step` of `Steps` is defined by a program",
            "2 declared, not compared: the activation `self::step` is defined by a program, which checks",
        ),
    ] {
        let (declaration, net) = files(name, declaration);
        let arguments = ["--declaration", text(&declaration), "--net", text(&net)];
        nnue(&[&["eval"], &arguments[..]].concat()).fails_naming(&[what]);
        nnue(&[&["golden"], &arguments[..]].concat()).fails_naming(&[what]);
        let inspected =
            nnue(&["inspect", text(&net), "--declaration", text(&declaration)]).succeeds();
        assert!(inspected.contains("ft_weight"), "{inspected}");
        let verified =
            nnue(&["verify", text(&net), "--declaration", text(&declaration)]).succeeds();
        assert!(
            verified.contains(&format!("\ngolden    {goldens}")),
            "{verified}"
        );
        let json = nnue(&["export", "json", "--declaration", text(&declaration)]).succeeds();
        assert_eq!(
            json.contains("by_piece_count"),
            name != "function",
            "{json}"
        );
    }
}

/// The declaration of a network whose values are in the table of the same name.
fn published(name: &str) -> Option<String> {
    let declarations = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/behaviour/bullet_networks.rs"
    );
    let text =
        std::fs::read_to_string(declarations).expect("the declarations are in the repository");
    let at = text.find(&format!("/// {name}\n"))?;
    let declared = text[at..].split("pub struct ").nth(1)?;
    let struct_name: String = declared
        .chars()
        .take_while(|c| c.is_alphanumeric())
        .collect();
    Some(format!("{declarations}:{struct_name}"))
}

#[test]
fn networks_of_engines_have_the_values_of_the_engines() {
    for name in [
        "calvin-64x2-screlu",
        "akimbo-512x2-crelu-ob8",
        "obsidian-4kbhm-512x2-screlu-ob8",
    ] {
        let declaration = published(name).unwrap_or_else(|| panic!("{name} is declared"));
        let Some(bytes) = network(&format!("{name}.bin")) else {
            continue;
        };
        let net = file(&format!("{name}.bin"), &bytes);
        let rows = table(name);
        let fens: String = rows
            .iter()
            .map(|row| format!("{}\n", row.text("fen")))
            .collect();
        let arguments = [
            "eval",
            "--declaration",
            &declaration,
            "--net",
            text(&net),
            "--fens",
            "-",
            "--tsv",
        ];
        let out = nnue_reading(&fens, &arguments).succeeds();
        assert_eq!(out.lines().count(), rows.len() + 1);
        for (row, line) in rows.iter().zip(out.lines().skip(1)) {
            let columns: Vec<&str> = line.split('\t').collect();
            assert_eq!(
                (columns[0], columns[4].parse().ok()),
                (row.text("fen"), row.number("eval")),
                "{name}"
            );
            if let Some(sum) = row.number("raw_sum") {
                assert_eq!(columns[5].parse(), Ok(sum), "{name} on {}", columns[0]);
            }
        }
    }
}
