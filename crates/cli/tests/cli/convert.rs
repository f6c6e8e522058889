//! `nnue convert`: one network in every form, and back.

use std::path::{Path, PathBuf};

use crate::compressed::DEFAULT;
use crate::declared::{ENDING, FLOATS, MIDDLE, STACKS, START, files};
use crate::{file, nnue, text};

/// Formats of [`STACKS`].
const FORMS: [&str; 5] = [
    "raw",
    "raw { fc0_weight: [input][stack], padding: none }",
    "raw { padding: none, order: [\"NETS\", 7u16, skip 10, stacks [fc0_weight, fc0_bias, align 64], ft_bias, ft_weight] }",
    "raw { encoding: leb128, padding: zeros, ft_weight: [output][input] }",
    "raw { skip: 64, padding: bullet, fc0_weight: [stack][input / 4][output][input % 4] }",
];

/// Converts a file and returns the declaration that reads the new one, in a file.
fn convert(from: &Path, declaration: Option<&Path>, format: &str, to: &Path) -> PathBuf {
    let mut arguments = vec!["convert", text(from), "--force", "--json", "-o", text(to)];
    if let Some(declaration) = declaration {
        arguments.extend(["--declaration", text(declaration)]);
    }
    arguments.extend(["--format", format]);
    let out = nnue(&arguments).succeeds();
    let report: serde_json::Value = serde_json::from_str(&out).expect("a report");
    let bytes = std::fs::metadata(to).expect("it was written").len();
    assert_eq!(report["output_bytes"], bytes);
    let declaration = report["declaration"].as_str().expect("another format");
    let name = to
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    file(&format!("{name}.rs"), declaration.as_bytes())
}

fn bytes(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

#[test]
fn every_form_gives_the_same_file_back() {
    let (declaration, original) = files("convert", STACKS);
    for (index, form) in FORMS.iter().enumerate() {
        for end in ["", ".gz", ".zst"] {
            let to = original.with_file_name(format!("convert-{index}.bin{end}"));
            let declared = convert(&original, Some(&declaration), form, &to);
            let back = original.with_file_name("convert-back.bin");
            convert(&to, Some(&declared), "raw { padding: bullet }", &back);
            assert!(bytes(&back) == bytes(&original), "{form}{end}");
        }
    }
}

#[test]
fn networks_with_floats_come_back() {
    let (declaration, original) = files("convert-floats", FLOATS);
    let to = original.with_file_name("convert-floats.zst");
    let declared = convert(&original, Some(&declaration), "raw", &to);
    let back = original.with_file_name("convert-floats-back.bin");
    let format = "raw { padding: none, fc0_weight: [input][stack][output] }";
    convert(&to, Some(&declared), format, &back);
    assert!(bytes(&back) == bytes(&original));
}

#[test]
fn containers_come_back() {
    let original = file("convert.nnue", DEFAULT);
    let description = u32::from_le_bytes(DEFAULT[8..12].try_into().expect("a word"));
    let plain = original.with_file_name("convert-plain.nnue");
    let convert_to = |from: &Path, encoding: &str, to: &Path| {
        let arguments = [
            "convert",
            text(from),
            "--encoding",
            encoding,
            "--force",
            "-o",
            text(to),
        ];
        nnue(&arguments).succeeds()
    };
    let out = convert_to(&original, "raw", &plain);
    assert!(out.contains("read back, every tensor is equal"), "{out}");
    assert!(bytes(&plain).len() > DEFAULT.len());
    let back = original.with_file_name("convert-back.nnue");
    convert_to(&plain, "leb128", &back);
    assert!(bytes(&back) == DEFAULT);
    let raw = original.with_file_name("convert-raw.bin.gz");
    let keeping = format!("raw {{ skip: {description} }}");
    let declared = convert(&original, None, &keeping, &raw);
    convert(
        &raw,
        Some(&declared),
        "stockfish { encoding: leb128 }",
        &back,
    );
    assert!(bytes(&back) == DEFAULT);
    let run = nnue(&[
        "convert",
        text(&original),
        "--format",
        "raw",
        "--force",
        "-o",
        text(&raw),
    ]);
    assert_eq!(run.code, Some(0));
    let lost = format!("{description} bytes, is not in the new file");
    assert!(run.err.contains(&lost), "{}", run.err);
}

#[test]
fn what_cannot_be_converted_is_said_and_nothing_is_written() {
    let (declaration, original) = files("convert-wrong", STACKS);
    let to = original.with_file_name("convert-wrong.out");
    let _ = std::fs::remove_file(&to);
    let run = |more: &[&str]| {
        let arguments = [
            "convert",
            text(&original),
            "--declaration",
            text(&declaration),
        ];
        nnue(&[&arguments[..], more].concat())
    };
    let to_there = ["-o", text(&to)];
    let with = |more: &[&str]| run(&[&to_there[..], more].concat());
    with(&["--encoding", "leb128"]).fails_naming(&["--encoding", "Stockfish container"]);
    with(&[
        "--format",
        "raw }; pub struct Other = 768 -> 32x2 -> 16 -> 1 { format raw",
    ])
    .fails_naming(&["--format"]);
    let wrong = with(&["--format", "raw { fc9_bias: i16 }"]);
    assert_eq!(wrong.code, Some(1));
    assert!(
        wrong.err.contains("^^^") && wrong.err.contains("fc9_bias"),
        "{}",
        wrong.err
    );
    let (deep, network) = files(
        "convert-deep",
        "pub struct Deep = 768 -> 32x2 -> 16 -> 1 { format raw };\n",
    );
    let arguments = [
        "convert",
        text(&network),
        "--declaration",
        text(&deep),
        "-o",
        text(&to),
    ];
    nnue(&[&arguments[..], &["--format", "raw { fc0_bias: i8 @ 64 }"]].concat())
        .fails_naming(&["fc0_bias"]);
    assert!(!to.exists());
    run(&["-o", "no/such/folder/net.bin"]).fails_naming(&["cannot write", "no such file"]);
    std::fs::write(&to, "there").expect("a file");
    with(&[]).fails_naming(&["is there already", "--force"]);
    run(&["--force", "-o", text(&original)]).fails_naming(&["would overwrite"]);
    assert_eq!(bytes(&to), b"there");
    with(&["--force"]).succeeds();
    assert!(bytes(&to) == bytes(&original));
}

#[test]
fn networks_over_dense_inputs_are_only_compressed() {
    let declaration = file(
        "convert-dense.rs",
        b"pub struct Dense = input[1, 2, 2] -> flatten -> 8 relu -> 1;",
    );
    let numbers: Vec<u8> = (0..4 * 8 + 8 + 8 + 1)
        .flat_map(|n: u8| f32::from(n).to_le_bytes())
        .collect();
    let original = file("convert-dense.bin", &numbers);
    let (to, back) = (
        original.with_file_name("convert-dense.bin.zst"),
        original.with_file_name("convert-dense-back.bin"),
    );
    for (from, to) in [(&original, &to), (&to, &back)] {
        let arguments = [
            "convert",
            text(from),
            "--declaration",
            text(&declaration),
            "--force",
            "-o",
            text(to),
        ];
        nnue(&arguments).succeeds();
    }
    assert!(bytes(&back) == numbers);
    let arguments = [
        "convert",
        text(&original),
        "--declaration",
        text(&declaration),
        "--force",
        "-o",
        text(&back),
    ];
    nnue(&[&arguments[..], &["--format", "raw"]].concat()).fails_naming(&["one form"]);
}

/// Real networks of bullet and of Stockfish, where they are at hand.
#[test]
fn published_networks_come_back() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let declarations = root.join("tests/behaviour/bullet_networks.rs");
    for (name, net, format) in [
        ("Akimbo256", "akimbo-256x2-crelu", "raw { padding: zeros }"),
        (
            "Akimbo512",
            "akimbo-512x2-crelu-ob8",
            "raw { padding: zeros }",
        ),
        (
            "Akimbo768",
            "akimbo-768x2-screlu181-ob8",
            "raw { padding: zeros }",
        ),
        (
            "Calvin768",
            "calvin-768hm-768x2-screlu",
            "raw { padding: none }",
        ),
        (
            "Calvin64",
            "calvin-64x2-screlu",
            "raw { padding: none, order: [ft_weight, ft_bias, fc0_weight, fc0_bias], fc0_bias: i16 }",
        ),
    ] {
        let Some(network) = nnue_testkit::bullet::network(&format!("{net}.bin")) else {
            continue;
        };
        let original = file(&format!("{net}.bin"), &network);
        let declaration = PathBuf::from(format!("{}:{name}", text(&declarations)));
        for (form, end) in [
            ("raw { padding: none }", ".zst"),
            ("raw { encoding: leb128, padding: none }", ""),
        ] {
            let to = folder.join(format!("{net}-converted.bin{end}"));
            let declared = convert(&original, Some(&declaration), form, &to);
            let back = folder.join(format!("{net}-back.bin"));
            convert(&to, Some(&declared), format, &back);
            assert!(bytes(&back) == network, "{net}: {form}{end}");
        }
    }
}

#[test]
fn published_containers_come_back() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(nets) = std::env::var_os("NNUE_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_NETS names no folder of networks");
        return;
    };
    for (name, own, other, end) in [
        ("nn-37f18f62d772", "leb128", "raw", ".zst"),
        ("nn-ad9b42354671", "raw", "leb128", ""),
        ("nn-1c0000000000", "leb128", "raw", ""),
    ] {
        let original = nets.join(format!("{name}.nnue"));
        let between = folder.join(format!("{name}-{other}.nnue{end}"));
        let back = folder.join(format!("{name}.nnue"));
        for (from, encoding, to) in [(&original, other, &between), (&between, own, &back)] {
            nnue(&[
                "convert",
                text(from),
                "--encoding",
                encoding,
                "--force",
                "-o",
                text(to),
            ])
            .succeeds();
        }
        assert!(bytes(&back) == bytes(&original), "{name}");
        let _ = (std::fs::remove_file(&between), std::fs::remove_file(&back));
    }
}

#[test]
fn the_report_names_what_changed() {
    let (declaration, original) = files("convert-report", STACKS);
    let to = original.with_file_name("convert-report.bin.gz");
    let arguments = [
        "convert",
        text(&original),
        "--declaration",
        text(&declaration),
        "--force",
        "-o",
        text(&to),
    ];
    let out = nnue(&arguments).succeeds();
    let lines: Vec<&str> = out.lines().collect();
    let [network, read, written] = lines[..] else {
        panic!("three lines: {out}");
    };
    assert!(network.starts_with("network    Stacks: "), "{out}");
    let size = bytes(&original).len();
    assert!(
        read.ends_with(&format!("convert-report.bin, {size} bytes")),
        "{out}"
    );
    let size = bytes(&to).len();
    assert!(
        written.ends_with(&format!(
            "{size} bytes, gzip; read back, every tensor is equal"
        )),
        "{out}"
    );
    let shown = [
        "--declaration",
        text(&declaration),
        "--net",
        text(&to),
        "--fen",
        START,
    ];
    nnue(&[&["eval"], &shown[..]].concat()).succeeds();
}

/// A folder with a file for each tensor becomes one file, in the declared form or another one.
#[test]
fn tensors_in_separate_files_become_one() {
    let (declaration, original) = files("separate", STACKS);
    let whole = bytes(&original);
    let folder = original.with_file_name("separate-tensors");
    let _ = std::fs::remove_dir_all(&folder); // of an earlier run
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut rest = &whole[..];
    for (name, numbers) in [
        ("ft_weight", 768 * 64),
        ("ft_bias", 64),
        ("fc0_weight", 8 * 2 * 64),
        ("fc0_bias", 8),
    ] {
        let (tensor, after) = rest.split_at(2 * numbers);
        std::fs::write(folder.join(format!("{name}.bin")), tensor).expect("a file");
        rest = after;
    }
    let back = original.with_file_name("separate-back.bin");
    let mut arguments = vec!["convert", text(&folder), "-o", text(&back), "--force"];
    nnue(&arguments).fails_naming(&["--declaration", "nnue import net FOLDER"]);
    arguments.extend(["--declaration", text(&declaration)]);
    let out = nnue(&arguments).succeeds();
    let read = format!("{} bytes", whole.len() - rest.len());
    assert!(out.contains(&read), "{out}");
    assert!(bytes(&back) == whole);
    arguments.extend(["--format", "raw { encoding: leb128 }"]);
    let out = nnue(&arguments).succeeds();
    assert!(out.contains("encoding: leb128"), "{out}");
    let out = nnue(&["import", "net", text(&folder)]).succeeds();
    assert!(out.contains("768 -> 64") && out.contains("x8"), "{out}");
    std::fs::remove_file(folder.join("ft_bias.bin")).expect("it was there");
    nnue(&arguments).fails_naming(&["no file `ft_bias` or `l0b`"]);
}

/// Rows that no legal position has are zero, and values are those of before.
#[test]
fn unused_rows_are_zeroed() {
    let original = file("unused.nnue", DEFAULT);
    let zeroed = original.with_file_name("unused-zeroed.nnue");
    let arguments = [
        "convert",
        text(&original),
        "--zero-unused",
        "--encoding",
        "leb128",
        "--force",
        "--json",
        "-o",
        text(&zeroed),
    ];
    let report = nnue(&arguments).succeeds();
    let report: serde_json::Value = serde_json::from_str(&report).expect("a report");
    let (before, after) = (bytes(&original), bytes(&zeroed));
    assert!(before != after, "{report}");
    // Pawns of both sides on the first and last ranks: 2 * 16 in each of four buckets; a bucket of several squares of the king has the rest.
    assert_eq!(report["zeroed"]["of"], 4 * 768);
    assert!(
        report["zeroed"]["rows"].as_u64() >= Some(4 * 32),
        "{report}"
    );
    assert!(report["zeroed"]["numbers"].as_u64() > Some(0), "{report}");
    let saved = before.len() as i64 - after.len() as i64;
    assert_eq!(report["zeroed"]["bytes_saved"], saved);
    let values = |net: &Path| {
        let positions = ["--fen", START, "--fen", MIDDLE, "--fen", ENDING];
        nnue(&[&["eval", "--net", text(net), "--tsv"], &positions[..]].concat()).succeeds()
    };
    assert_eq!(values(&original), values(&zeroed));
    let again = original.with_file_name("unused-again.nnue");
    let mut arguments = vec![
        "convert",
        text(&zeroed),
        "--zero-unused",
        "--force",
        "-o",
        text(&again),
    ];
    let out = nnue(&arguments).succeeds();
    assert!(out.contains(": 0 numbers, 0 bytes less"), "{out}");
    assert!(bytes(&again) == after);
    let (declaration, own) = files(
        "unused-own",
        "pub struct Own = rows[64, active 3] -> 32 -> 1;",
    );
    arguments[1] = text(&own);
    arguments.extend(["--declaration", text(&declaration)]);
    nnue(&arguments).fails_naming(&["--zero-unused", "`Own`"]);
}
