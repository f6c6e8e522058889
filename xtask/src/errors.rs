//! Generates `docs/errors.md` from `tests/ui`: every diagnostic with a wrong declaration, its message and its
//! help.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use nnue_spec::diagnostic::Code;

use crate::repo::{self, Failure, Outcome};

const INTRODUCTION: &str = "\
<!-- Generated from tests/ui by `cargo xtask errors`. -->

# Index of errors

Every error that `nnue!` and the command report about a declaration, by the name of its diagnostic. Under each name stand the examples of its test
`tests/ui/<theme>/<name>.rs`: the wrong line with the mistake underlined, the message, and what to write instead (`help`) or why (`note`).
";

/// The folders of `tests/ui`, each with a heading.
const THEMES: [(&str, &str); 13] = [
    ("declaration", "Declarations"),
    ("words", "Feature sets, functions and types"),
    ("chain", "Chains"),
    ("graph", "Graphs"),
    ("names", "Names"),
    ("accumulator", "Accumulators"),
    ("layers", "Layers and activations"),
    ("arithmetic", "Arithmetic"),
    ("dense", "Dense inputs"),
    ("subnets", "Subnets"),
    ("stacks", "Layer stacks"),
    ("output", "Output"),
    ("file", "Values and files"),
];

/// Writes the page, or compares it with `--check`.
pub(crate) fn run(args: &[String]) -> Outcome {
    let path = repo::root().join("docs/errors.md");
    let wanted = page(&repo::root().join("tests/ui"))?;
    if !args.iter().any(|arg| arg == "--check") {
        return repo::write(&path, &wanted);
    }
    if repo::read(&path)? == wanted {
        return Ok(());
    }
    Err(Failure::new(
        "docs/errors.md differs from tests/ui; run `cargo xtask errors`",
    ))
}

fn page(folder: &Path) -> Outcome<String> {
    let mut page = INTRODUCTION.to_owned();
    let mut shown = 0;
    for (theme, heading) in THEMES {
        let _ = writeln!(page, "\n## {heading}");
        for (slug, file) in tests(folder, theme) {
            let _ = write!(
                page,
                "\n### `{slug}`\n\n```text\n{}```\n",
                examples(&repo::read(&file)?)
            );
            shown += 1;
        }
    }
    if shown == Code::ALL.len() {
        Ok(page)
    } else {
        Err(Failure::new("a theme of tests/ui is not in THEMES"))
    }
}

/// The diagnostics of a theme, with the expected outputs of their tests.
fn tests(folder: &Path, theme: &str) -> Vec<(&'static str, PathBuf)> {
    let file = |slug| folder.join(theme).join(slug).with_extension("stderr");
    Code::ALL
        .iter()
        .map(|code| (code.slug(), file(code.slug())))
        .filter(|(_, file)| file.exists())
        .collect()
}

/// The errors in compiler output: the wrong line, the message, the help and the notes of each.
fn examples(output: &str) -> String {
    let errors: Vec<String> = output.split("\n\nerror").map(example).collect();
    errors.join("\n")
}

fn example(error: &str) -> String {
    let (text, drawing) = error.split_once(" --> ").unwrap_or((error, ""));
    let message = text
        .strip_prefix("error")
        .unwrap_or(text)
        .trim_start_matches(": ");
    // `2 |     pub struct ..`: the text after the bar, without the common indentation.
    let lines: Vec<&str> = drawing
        .lines()
        .skip(1)
        .filter_map(|line| Some(line.split_once('|')?.1))
        .collect();
    let lines: Vec<&str> = lines
        .into_iter()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let indent = lines
        .iter()
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let wrong = lines.iter().map(|line| format!("{}\n", &line[indent..]));
    let said = message
        .lines()
        .filter(|line| !line.trim().is_empty())
        .enumerate();
    let said = said.map(|(number, line)| match number {
        0 => format!("error: {}\n", line.trim()),
        _ => format!("  {}\n", line.trim()),
    });
    wrong.chain(said).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_its_line_its_message_and_its_help() {
        let output = "error: too wide\n\n       help: write `2`\n --> tests/ui/a/b.rs:2:5\n  |\n2 |     a 3;\n  |       ^\n";
        assert_eq!(
            examples(output),
            "a 3;\n  ^\nerror: too wide\n  help: write `2`\n"
        );
        let twice = format!("{output}\n{output}");
        assert_eq!(examples(&twice).matches("error: too wide").count(), 2);
    }

    #[test]
    fn the_page_is_current() {
        run(&["--check".to_owned()]).expect("docs/errors.md is as `cargo xtask errors` writes it");
    }
}
