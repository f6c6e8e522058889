//! `nnue eval --rows` and what other commands say about networks over lists of rows.

use std::path::Path;

use nnue::dynamic::RowsStack;
use nnue::rows::{Integers, RowBatch, RowMatrix};
use nnue_spec::rows::RowSets;
use nnue_spec::{TensorRef, reference};

use crate::declared::{files, plan, random_tensors};
use crate::{nnue, nnue_reading, text};

const ONE: &str = "pub struct One = rows[users: 60, items: 40, active 6] -> 32 -> 8 -> 1;\n";
const TWO: &str = "pub struct Two = rows[50] -> 32x2 -> 1;\n";

/// The value of a list by the reference interpreter.
fn expected(declaration: &str, rows: &str) -> i32 {
    let plan = plan(declaration);
    let (tables, tensors) = (plan.tables(), random_tensors(&plan));
    let net = tables.descriptor();
    let mut sets = RowSets::new(&net.rows_shape().expect("lists of rows"));
    sets.set_text(rows).expect(rows);
    let refs: Vec<TensorRef<'_>> = tensors.refs();
    reference::evaluate(&net, &refs, &sets).value
}

fn eval(declaration: &str, name: &str, input: &str, more: &[&str]) -> crate::Run {
    let (declared, weights) = files(name, declaration);
    let all = [
        "eval",
        "--declaration",
        text(&declared),
        text(&weights),
        "--rows",
        "-",
    ];
    nnue_reading(input, &[&all, more].concat())
}

#[test]
fn lists_and_changes_are_evaluated() {
    let input = "3 17,40\n+5 -17\n\n99 60\nw\n+1\n";
    let lists = ["3 17 40", "3 5 40", "60 99", "", "1"];
    let out = eval(ONE, "rows-one", input, &["--tsv"]).succeeds();
    let mut lines = out.lines();
    assert_eq!(lines.next(), Some("rows\tpsqt\tpositional\tvalue\tbits"));
    for rows in lists {
        let line = lines.next().expect("a line for each list");
        let fields: Vec<_> = line.split('\t').collect();
        let value = expected(ONE, rows).to_string();
        assert_eq!((fields[0], fields[3], fields[4]), (rows, &*value, "-"));
    }
    assert_eq!(lines.next(), None);

    let out = eval(ONE, "rows-json", input, &["--json"]).succeeds();
    for (line, rows) in out.lines().zip(lists) {
        let object: serde_json::Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(object["rows"], rows);
        assert_eq!(object["value"], expected(ONE, rows));
        let real = object["real"].as_f64().expect("a number");
        assert_eq!(real.trunc() as i32, expected(ONE, rows));
    }
    let out = eval(ONE, "rows-human", "3 17 40\n", &[]).succeeds();
    let value = format!(
        "rows      3 17 40\nvalue     {:+}\n",
        expected(ONE, "3 17 40")
    );
    assert!(out.ends_with(&value), "{out}");
}

#[test]
fn both_lists_and_the_side_to_move_are_read() {
    let out = eval(TWO, "rows-two", "1 2 | 3\n+4 | -3 b\n", &["--tsv"]).succeeds();
    let values: Vec<_> = out
        .lines()
        .skip(1)
        .map(|line| line.split('\t').nth(3))
        .collect();
    let expected = ["1 2 | 3", "1 2 4 | b"].map(|rows| expected(TWO, rows).to_string());
    assert_eq!(
        values,
        expected.each_ref().map(|value| Some(value.as_str()))
    );
}

#[test]
fn a_long_line_of_changes_stays_exact() {
    let changes: String = (0..400)
        .map(|step| format!("-{} +{}\n", step % 30, (step + 1) % 30))
        .collect();
    let out = eval(ONE, "rows-long", &format!("0\n{changes}"), &["--tsv"]).succeeds();
    assert_eq!(out.lines().count(), 402);
    for (step, line) in out.lines().skip(1).enumerate() {
        let row = (step % 30).to_string();
        let fields: Vec<_> = line.split('\t').collect();
        assert_eq!(
            (fields[0], fields[3]),
            (&*row, &*expected(ONE, &row).to_string())
        );
    }
}

#[test]
fn what_is_wrong_with_a_line_is_said_with_its_place() {
    for (input, message) in [
        (
            "3\n100\n",
            "standard input, line 2: row 100: there are only 100 rows",
        ),
        (
            "3 63 63\n",
            "standard input, line 1: row 63 (row 3 of `items`) is listed twice",
        ),
        (
            "+3\n",
            "standard input, line 1: a change needs a list in a line before it",
        ),
        (
            "3\n-4\n",
            "standard input, line 2: row 4 (row 4 of `users`) is not active, it cannot be removed",
        ),
        (
            "0 1 2 3 4 5 6\n",
            "standard input, line 1: 7 rows are active, the declaration allows 6 (`active 6`)",
        ),
        (
            "3 | 4\n",
            "standard input, line 1: a position of this network has 1 list of rows, found 2",
        ),
        (
            "3 x\n",
            "standard input, line 1: expected the number of a row, found `x`",
        ),
    ] {
        eval(ONE, "rows-wrong", input, &["--tsv"]).fails_with(message);
    }
}

#[test]
fn lists_and_changes_are_measured() {
    let (declared, weights) = files("rows-bench", ONE);
    let bench = |input: &str, more: &[&str]| {
        let all = [
            "bench",
            text(&weights),
            "--declaration",
            text(&declared),
            "--rows",
            "-",
            "--repetitions",
            "3",
        ];
        nnue_reading(input, &[&all, more].concat())
    };
    let input = "3 17,40\n+5 -17\n-5\n99 60\n+1\n";
    let out = bench(input, &["--json", "--level", "scalar"]).succeeds();
    let object: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&object["lists"], &object["changes"]),
        (&5.into(), &3.into())
    );
    let report = &object["reports"][0];
    assert_eq!(report["level"], "scalar");
    for key in ["fresh_ns", "changes_ns"] {
        assert!(report[key].as_f64().is_some_and(|ns| ns > 0.0), "{out}");
    }
    let out = bench("3 17\n", &[]).succeeds();
    assert!(
        out.contains("  from scratch") && !out.contains("by changes"),
        "{out}"
    );
    for (input, message) in [
        (
            "3\n+3\n",
            "standard input, line 2: row 3 (row 3 of `users`) is active already, it cannot be added",
        ),
        (
            "+3\n",
            "standard input, line 1: a change needs a list in a line before it",
        ),
        ("\n", "-: no list of rows"),
    ] {
        bench(input, &[]).fails_with(message);
    }
}

#[test]
fn commands_for_chess_say_that_they_read_no_lists() {
    let (declared, weights) = files("rows-others", ONE);
    let line = "positions of `One` are lists of rows, and this command reads positions of chess; `nnue eval --rows FILE` evaluates lists";
    for command in ["eval", "bench"] {
        nnue(&[
            command,
            "--declaration",
            text(&declared),
            "--net",
            text(&weights),
        ])
        .fails_with(line);
    }
    let chess = "pub struct Chess = Chess768[..] -> 32 -> 1;";
    eval(chess, "rows-chess", "3\n", &[]).fails_with(
        "positions of `Chess` are not lists of rows: it is not declared over `rows[..]`",
    );
    nnue(&["inspect", "--declaration", text(&declared), text(&weights)]).succeeds();
    let expanded = nnue(&["expand", "--graph", text(&declared)]).succeeds();
    assert!(
        expanded.contains("accumulate(rows[users: 60, items: 40, active 6], 32 @ 127)"),
        "{expanded}"
    );
}

#[test]
fn every_level_is_compared_with_the_interpreter() {
    for (name, declaration) in [("rows-verify", ONE), ("rows-verify-two", TWO)] {
        let (declared, weights) = files(name, declaration);
        let out = nnue(&[
            "verify",
            "--declaration",
            text(&declared),
            text(&weights),
            "--games",
            "3",
        ])
        .succeeds();
        assert!(
            out.contains("scalar      240 evaluations equal: fresh, incremental\n"),
            "{out}"
        );
    }
}

#[test]
fn golden_rows_are_compared_on_loading() {
    let value = expected(ONE, "3 17");
    let golden = |value: i32| {
        format!(
            "pub struct One = rows[users: 60, items: 40, active 6] -> 32 -> 8 -> 1 {{ golden rows[3, 17] = {value}; }};"
        )
    };
    eval(&golden(value), "rows-golden", "3 17\n", &[]).succeeds();
    let (declared, weights) = files("rows-golden-wrong", &golden(value + 1));
    let found = format!(
        "`3 17` has the value {value} in `One`, declared is {}",
        value + 1
    );
    nnue(&[
        "eval",
        "--declaration",
        text(&declared),
        text(&weights),
        "--rows",
        "-",
    ])
    .fails_naming(&[&found]);
}

/// Compares the values of a table with those of the same lists in sparse matrices, on several threads.
fn as_matrices(declaration: &str, weights: &[u8], table: &str) {
    let net = nnue_codegen::described_text(declaration).expect("a declaration")[0];
    let network = nnue::dynamic::Network::from_bytes(net, weights).expect("a network");
    let (mut starts, mut rows) = ([vec![0_i64], vec![0]], [Vec::new(), Vec::new()]);
    let (mut sides, mut expected) = (Vec::new(), Vec::<i32>::new());
    for line in table.lines().skip(1) {
        let fields: Vec<_> = line.split('\t').collect();
        let lists = fields[0].trim_end_matches('b').split('|');
        for ((list, starts), rows) in lists.zip(&mut starts).zip(&mut rows) {
            rows.extend(
                list.split_whitespace()
                    .map(|row| row.parse::<u32>().expect("a row")),
            );
            starts.push(rows.len() as i64);
        }
        sides.push(u8::from(fields[0].ends_with('b')));
        expected.push(fields[3].parse().expect("a value"));
    }
    let [first, second] = [0, 1].map(|list| {
        RowMatrix::new(Integers::I64(&starts[list]), Integers::U32(&rows[list])).expect("lists")
    });
    let batch = match network.rows_shape().expect("rows").lists {
        1 => RowBatch::one(first),
        _ => RowBatch::two(first, second).expect("as many lists"),
    };
    let batch = batch.with_black_to_move(&sides).expect("as many sides");
    let mut stacks: Vec<_> = (0..3).filter_map(|_| RowsStack::new(&network)).collect();
    for threads in 1..=3 {
        let mut values = vec![nnue::Evaluation::default(); batch.len()];
        network
            .evaluate_rows_on_threads(&batch, &mut values, &mut stacks[..threads])
            .expect("right rows");
        let values: Vec<i32> = values.iter().map(|value| value.value).collect();
        assert_eq!(values, expected, "{declaration}");
    }
}

/// The vectors that Python, C and SQL are compared with. `NNUE_BLESS=1` writes them, except for the network `trained`, which
/// `tests/train/rows.rs` makes.
#[test]
fn vectors_for_other_languages_are_those_of_the_command() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/rows");
    for name in ["single", "double", "floats", "stacks", "trained"] {
        let path = |ending: &str| folder.join(format!("{name}.{ending}"));
        let read = |ending: &str| std::fs::read(path(ending)).unwrap_or_default();
        let text_of = |ending: &str| String::from_utf8(read(ending)).expect("UTF-8");
        let (declaration, lists) = (text_of("rs"), text_of("txt"));
        let is_trained = name == "trained";
        let (_, made) = files(&format!("rows-vectors-{name}"), &declaration);
        let file = if is_trained { path("nnue") } else { made };
        let declared = path("rs");
        let evaluate = [
            "eval",
            "--declaration",
            text(&declared),
            text(&file),
            "--rows",
            "-",
            "--tsv",
        ];
        let out = nnue_reading(&lists, &evaluate).succeeds();
        let weights = std::fs::read(file).expect("weights");
        if !is_trained && std::env::var_os("NNUE_BLESS").is_some() {
            std::fs::write(path("nnue"), &weights).expect("weights are written");
            std::fs::write(path("tsv"), &out).expect("values are written");
        }
        assert_eq!(read("nnue"), weights, "{name}");
        assert_eq!(text_of("tsv"), out, "{name}");
        assert_eq!(out.lines().count(), 1 + lists.lines().count(), "{name}");
        as_matrices(&declaration, &weights, &out);
        let is_random = matches!(name, "single" | "double" | "stacks");
        for line in out.lines().skip(1).filter(|_| is_random) {
            let fields: Vec<_> = line.split('\t').collect();
            let value = expected(&declaration, fields[0]).to_string();
            assert_eq!(fields[3], value, "{name}: {line}");
        }
    }
}
