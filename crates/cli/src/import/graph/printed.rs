//! Prints the declaration with its origin, and the translation of each node.

use std::io::Write;

use nnue_import::Origin;
use nnue_import::declare::Clause;

use crate::args::ImportGraphArgs;
use crate::error::Error;

/// Prints the declaration, with comments on its origin; `format` is `torch` or `onnx`.
pub(super) fn declaration(
    (format, args, origin): (&str, &ImportGraphArgs, &Origin),
    hash: &str,
    notes: &[String],
    text: &str,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Origin {
        format: kind,
        opset,
        producer,
        ..
    } = origin;
    let name = args.file.file_name().map_or(String::new(), |name| {
        name.to_string_lossy().escape_debug().to_string()
    });
    writeln!(out, "// Imported by `nnue import {format}` from `{name}`")?;
    writeln!(
        out,
        "// ({kind}, opset {opset}, by {producer}; sha256 {hash})."
    )?;
    for line in notes {
        writeln!(out, "{}", format!("// {line}").trim_end())?;
    }
    let indented: String = text.lines().map(|line| format!("    {line}\n")).collect();
    Ok(write!(out, "nnue::nnue! {{\n{indented}}}\n")?)
}

/// Lists the translation of each node, as comments.
pub(super) fn report(clauses: &[Clause], out: &mut dyn Write) -> Result<(), Error> {
    let width = |text: &dyn Fn(&Clause) -> usize| clauses.iter().map(text).max().unwrap_or(0);
    let (names, operations) = (
        width(&|clause| clause.node.chars().count()),
        width(&|clause| clause.operation.chars().count()),
    );
    writeln!(
        out,
        "\n// The nodes of the graph, and what they are in the declaration:"
    )?;
    for Clause {
        node,
        operation,
        line,
        clause,
    } in clauses
    {
        write!(
            out,
            "//   {node:<names$}  {operation:<operations$}  {clause}"
        )?;
        if let Some(line) = line {
            write!(out, "    {line}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
