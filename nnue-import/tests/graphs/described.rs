//! Descriptors as declarations: those of Stockfish, of the examples and of the reference of the language compile to the same descriptor again.

use std::path::{Path, PathBuf};

use nnue_codegen::plan_text;
use nnue_import::declare::described;
use nnue_spec::plan::Plan;

/// A file of the repository.
pub(crate) fn source(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// What stands in the braces of each `nnue! { .. }` of a program, without embedded weights.
pub(crate) fn declared(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("the file is there");
    let mut found = Vec::new();
    for (at, start) in text.match_indices("nnue! {") {
        let is_code = text[..at].rsplit('\n').next().is_some_and(|line| !line.contains("//") && !line.contains('`'));
        let inside = &text[at + start.len()..];
        let mut depth = 1;
        let end = inside.find(|letter| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0
        });
        if is_code {
            let inside = inside[..end.expect("a brace closes")].lines();
            let lines: Vec<&str> = inside.filter(|line| !line.trim_start().starts_with("weights ")).collect();
            found.push(lines.join("\n"));
        }
    }
    found
}

/// A plan without the names of its values.
fn nameless(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.name.clear();
    plan.notation.clear();
    plan.buffers.iter_mut().for_each(|buffer| buffer.name.clear());
    plan
}

/// Asserts that a plan, written as a declaration, is the same plan.
fn comes_back(plan: &Plan) {
    let tables = plan.tables();
    let text = described(&tables.descriptor());
    let again = plan_text(&text).unwrap_or_else(|errors| panic!("{text}\n{errors:?}"));
    assert_eq!(nameless(&again[0]), nameless(plan), "{text}");
}

#[test]
fn all_generations_of_stockfish_come_back() {
    let plans = plan_text(&declared(&source("src/stockfish.rs")).concat()).expect("they compile");
    assert_eq!(plans.len(), 19);
    plans.iter().for_each(comes_back);
}

/// Without what tells nothing about the network: embedded weights, and golden values that functions of the program give.
#[test]
fn the_examples_of_the_reference_come_back() {
    let text = std::fs::read_to_string(source("docs/language.md")).expect("the reference is there");
    let mut count = 0;
    for block in text.split("\n```rust\n").skip(1).filter_map(|block| block.split("\n```").next()) {
        let own = block.contains(" by ") && (block.contains("rules::") || block.contains("stack_by"));
        let Ok(plans) = plan_text(block) else { continue };
        for mut plan in plans.into_iter().filter(|_| !own) {
            if plan.tables().descriptor().has_custom_set() {
                plan.goldens.clear();
            }
            comes_back(&plan);
            count += 1;
        }
    }
    assert!(count > 60, "{count} declarations");
}

#[test]
fn the_text_is_the_one_that_people_write() {
    let written = "\
pub struct Sfnnv16 {
    inputs = HalfKAv2_hm[22528] + FullThreats[59808] + PawnPairs[4560];
    acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;
    stacks 8 {
        let h1 = affine(pairwise(acc), 32: i8 @ 128);
        let x2 = sqr_crelu(h1);
        let x3 = crelu(h1);
        let h2 = affine(concat(x2, x3), 32);
        output (affine(concat(x2, x3, sqr_crelu(h2), crelu(h2)), 1) + h1[30] - h1[31]) as i64 * 9600 / 16384;
    }
    value psqt / 16 + positional / 16;
    format stockfish { version: 0x6A448AFA, encoding: leb128 }
}
";
    let plans = plan_text(written).expect("it compiles");
    assert_eq!(described(&plans[0].tables().descriptor()), written);
}
