//! The text of the table: blocks of declarations, each with the answer of the compiler.

use nnue_codegen::TextError;

use crate::advice;

/// What marks the lines that people write.
const SOURCE: &str = "| ";

/// A part of the table.
enum Part {
    /// a line between the blocks: a heading, or nothing
    Line(String),
    /// a declaration
    Source(String),
}

/// The table without its answers.
pub(crate) struct Table {
    parts: Vec<Part>,
}

impl Table {
    /// Takes the headings and the declarations from a text, and leaves out the answers.
    pub(crate) fn read(text: &str) -> Self {
        let mut parts: Vec<Part> = Vec::new();
        for line in text.lines() {
            match (line.strip_prefix(SOURCE), parts.last_mut()) {
                (Some(more), Some(Part::Source(source))) => *source += &format!("\n{more}"),
                (Some(first), _) => parts.push(Part::Source(first.to_owned())),
                (None, _) if line.is_empty() || line.starts_with('#') => {
                    parts.push(Part::Line(line.to_owned()))
                }
                (None, _) => {}
            }
        }
        Self { parts }
    }

    /// The declarations.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Part::Source(source) => Some(source.as_str()),
            Part::Line(_) => None,
        })
    }

    /// The text of the table, with the answer of the compiler after each declaration.
    pub(crate) fn answered(&self) -> String {
        self.parts
            .iter()
            .map(|part| match part {
                Part::Line(line) => format!("{line}\n"),
                Part::Source(source) => block(source),
            })
            .collect()
    }
}

/// A declaration and its answer. An error stands below the line that it underlines.
fn block(source: &str) -> String {
    let answer = nnue_codegen::plan_text(source);
    let errors = answer.as_ref().err().map_or(&[][..], Vec::as_slice);
    let mut text = String::new();
    for (number, line) in (1..).zip(source.lines()) {
        text += &format!("{SOURCE}{line}\n");
        for error in errors.iter().filter(|error| error.line == number) {
            text += &shown(error);
        }
    }
    for plan in answer.unwrap_or_default() {
        text += &format!("  = {}\n", plan.notation);
    }
    for graph in nnue_codegen::dense_text(source).unwrap_or_default() {
        text += &format!("  = {}\n", graph.desc().notation());
    }
    for graph in nnue_codegen::subnets_text(source).unwrap_or_default() {
        text += &format!("  = {}\n", graph.desc(&graph.groups()).notation());
    }
    for step in advice::follow(source).later() {
        text += &format!("  then: {step}\n");
    }
    text
}

fn shown(error: &TextError) -> String {
    let indent = " ".repeat(SOURCE.len() + error.column - 1);
    let mut text = format!("{indent}{} {}\n", "^".repeat(error.length), error.slug);
    for line in error.message.lines().filter(|line| !line.is_empty()) {
        text += &format!("  {line}\n");
    }
    text
}
