//! Golden values: expected results in some positions.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::input::MAX_OWN_ROWS;
use crate::decimal::Decimal;
use crate::descriptor::{FeatureSetId, HeadKind, Selector};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::fen::Fen;
use crate::graph::{Graph, Head, HeadGolden};
use crate::loc::Located;
use crate::model::{AccumulatorSpec, GoldenForm, GoldenSays, GoldenSpec, NetSpec};
use crate::rows::{RowSets, RowsShape};
use crate::suggest::nearest;

/// Golden values must fit in 32 bits, in valid chess positions or in positions of the program's own game.
pub(super) fn check_positions(spec: &NetSpec, sink: &mut Sink) {
    let is_custom = spec.inputs.iter().any(|input| input.set.value.is_custom());
    let shape = rows_shape(spec);
    for golden in &spec.goldens {
        let GoldenSpec { form, fen, says } = golden;
        if let GoldenSays::Value(value) = says
            && i32::try_from(value.value).is_err()
        {
            let message = format!("a value has 32 bits, {} has more", value.value);
            sink.push(
                Diagnostic::new(Code::GoldenRange, value.loc, message)
                    .help("write what the engine prints"),
            );
        }
        match (form, &shape) {
            (GoldenForm::Function, Some(_)) => sink.push(function_of_rows(fen)),
            (GoldenForm::Text, Some(shape)) => check_listed(fen, shape, sink),
            (GoldenForm::Function, None) if !is_custom => sink.push(function_of_chess(spec, fen)),
            (GoldenForm::Text, None) if !is_custom => check_fen(fen, sink),
            (GoldenForm::Function | GoldenForm::Text, None) => {}
        }
    }
}

/// The sizes of positions that are lists of rows; `None` if they are not, or the sizes are wrong, which was
/// reported.
fn rows_shape(spec: &NetSpec) -> Option<RowsShape<'static>> {
    let set = spec.inputs.iter().find_map(|input| match input.set.value {
        FeatureSetId::Custom(set) if set.is_listed() => Some(set),
        _ => None,
    })?;
    if !(1..=MAX_OWN_ROWS).contains(&u64::from(set.rows)) {
        return None;
    }
    let AccumulatorSpec {
        perspectives, psqt, ..
    } = spec.accumulator;
    Some(RowsShape {
        rows: set.rows,
        most_active: set.most_active,
        lists: if perspectives.value == 2 || psqt.is_some() {
            2
        } else {
            1
        },
        groups: &[],
    })
}

fn check_listed(text: &Located<String>, shape: &RowsShape<'_>, sink: &mut Sink) {
    if let Err(error) = RowSets::new(shape).set_text(&text.value) {
        let help = match shape.lists {
            1 => "list the active rows, for example `golden rows[3, 17, 40] = 12;`",
            _ => {
                "list the active rows of both perspectives, for example `golden rows[3, 17 | 8] = 12;`"
            }
        };
        let message = format!("not a position: {error}");
        sink.push(Diagnostic::new(Code::GoldenFen, text.loc, message).help(help));
    }
}

fn function_of_rows(function: &Located<String>) -> Diagnostic {
    let message = format!(
        "`{}` is a function, and the rows of a position are listed in the declaration",
        function.value
    );
    Diagnostic::new(Code::CustomGolden, function.loc, message)
        .help("list the active rows, for example `golden rows[3, 17, 40] = 12;`")
}

fn function_of_chess(spec: &NetSpec, function: &Located<String>) -> Diagnostic {
    let message = format!(
        "`{}` gives a position of a game of your own, this network reads positions of chess",
        function.value
    );
    let help = "write the position as a FEN: `golden \"8/8/4k3/8/8/3QK3/8/8 b - - 0 1\" = -1200;`";
    let diagnostic = Diagnostic::new(Code::CustomGolden, function.loc, message).help(help);
    match spec.inputs.first() {
        Some(input) => diagnostic.related(input.set.loc, "the feature set"),
        None => diagnostic,
    }
}

fn check_fen(fen: &Located<String>, sink: &mut Sink) {
    if let Err(error) = Fen::parse(&fen.value) {
        let help =
            "write a FEN, for example `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`";
        sink.push(
            Diagnostic::new(Code::GoldenFen, fen.loc, format!("not a position: {error}"))
                .help(help),
        );
    }
}

/// Golden numbers must name an output that exists, with as many numbers as it has, and rows that exist.
pub(super) fn check_heads(spec: &NetSpec, graph: &Graph, sink: &mut Sink) {
    for golden in &spec.goldens {
        let GoldenSays::Output {
            name,
            rows,
            numbers,
        } = &golden.says
        else {
            continue;
        };
        match graph.heads.iter().find(|head| head.name == name.value) {
            None => sink.push(unknown(graph, name)),
            Some(_) if has_custom_code(spec, graph) => sink.push(of_custom_code(name)),
            Some(head) if head.kind == HeadKind::Rows => {
                check_rows(head, name, rows, numbers, sink)
            }
            Some(head) => check_numbers(head, rows, numbers, sink),
        }
    }
}

/// The golden numbers of outputs, after [`check_heads`].
pub(super) fn of_heads(spec: &NetSpec, heads: &[Head]) -> Vec<HeadGolden> {
    let golden = |golden: &GoldenSpec| {
        let GoldenSays::Output {
            name,
            rows,
            numbers,
        } = &golden.says
        else {
            return None;
        };
        Some(HeadGolden {
            fen: golden.fen.value.clone(),
            head: heads.iter().position(|head| head.name == name.value)?,
            rows: rows.iter().map(|row| row.value as usize).collect(),
            numbers: numbers.value.clone(),
        })
    };
    spec.goldens.iter().filter_map(golden).collect()
}

fn has_custom_code(spec: &NetSpec, graph: &Graph) -> bool {
    let is_of_program = |set: FeatureSetId| set.is_custom() && !set.is_listed();
    let has_set = spec
        .inputs
        .iter()
        .any(|input| is_of_program(input.set.value));
    has_set || !graph.custom.activations.is_empty() || graph.stacks.selector == Selector::Custom
}

fn unknown(graph: &Graph, name: &Located<String>) -> Diagnostic {
    let names = || graph.heads.iter().map(|head| head.name.as_str());
    let help = match nearest(&name.value, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if graph.heads.is_empty() => {
            "write `golden \"FEN\" = 60;` for the value of the network".into()
        }
        None => format!(
            "the network has `{}`",
            names().collect::<Vec<_>>().join("`, `")
        ),
    };
    Diagnostic::new(
        Code::GoldenOutput,
        name.loc,
        format!("the network has no output `{}`", name.value),
    )
    .help(help)
}

/// Only the reference interpreter computes numbers of outputs, and it has no functions of the program.
fn of_custom_code(name: &Located<String>) -> Diagnostic {
    let message = "golden numbers of outputs are compared without functions of the program, and this network calls some";
    let help =
        "write `golden \"FEN\" = 60;` for the value, and compare outputs in a test of the program";
    Diagnostic::new(Code::GoldenOutput, name.loc, message).help(help)
}

fn check_rows(
    head: &Head,
    name: &Located<String>,
    rows: &[Located<u64>],
    numbers: &Located<Vec<Decimal>>,
    sink: &mut Sink,
) {
    let count = head.run.len;
    if rows.is_empty() {
        let message = format!("`{}` has {count} rows, and none is listed", head.name);
        let help = format!("write the rows of some moves: `{}[0, 7] = [..]`", head.name);
        sink.push(Diagnostic::new(Code::GoldenOutput, name.loc, message).help(help));
        return;
    }
    for row in rows.iter().filter(|row| row.value >= count as u64) {
        let message = format!("`{}` has no row {}", head.name, row.value);
        let help = format!("write a row from 0 to {}", count - 1);
        sink.push(Diagnostic::new(Code::GoldenOutput, row.loc, message).help(help));
    }
    check_count(rows.len(), "listed rows", numbers, sink);
}

fn check_numbers(
    head: &Head,
    rows: &[Located<u64>],
    numbers: &Located<Vec<Decimal>>,
    sink: &mut Sink,
) {
    if let Some(row) = rows.first() {
        let message = format!("`{}` is computed as a whole, not row by row", head.name);
        let help = "remove the brackets before `=`, and write all of its numbers after it";
        sink.push(Diagnostic::new(Code::GoldenOutput, row.loc, message).help(help));
        return;
    }
    let what = if head.kind == HeadKind::Wdl {
        "probabilities (of a loss, a draw and a win)"
    } else {
        "numbers"
    };
    check_count(head.run.len, what, numbers, sink);
}

fn check_count(expected: usize, what: &str, numbers: &Located<Vec<Decimal>>, sink: &mut Sink) {
    let found = numbers.value.len();
    if found != expected {
        let message = format!(
            "there are {expected} {what}, and {found} {} written",
            if found == 1 { "is" } else { "are" }
        );
        let help = format!("write {expected} numbers in brackets");
        sink.push(Diagnostic::new(Code::GoldenOutput, numbers.loc, message).help(help));
    }
}
