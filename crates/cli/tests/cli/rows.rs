//! `nnue eval --rows` and what other commands say about networks over lists of rows.

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
    reference::evaluate_sets(&net, &refs, &sets).value
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
