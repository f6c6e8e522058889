//! Generates README.md from the crate documentation of `nnue`.
//!
//! Headings below the title go one level down, hidden lines of code are removed, links between items become
//! plain code, and links into the repository become relative.

use crate::repo::{self, Failure, Outcome};

const NOTICE: &str = "<!-- Generated from src/lib.rs by `cargo xtask readme`. Edit it there. -->";
const REPOSITORY: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/");

/// Writes README.md, or compares it with `--check`.
pub(crate) fn run(args: &[String]) -> Outcome {
    let path = repo::root().join("README.md");
    let wanted = from_crate_docs(&repo::read(&repo::root().join("src/lib.rs"))?);
    if !args.iter().any(|arg| arg == "--check") {
        return repo::write(&path, &wanted);
    }
    if repo::read(&path)? == wanted {
        return Ok(());
    }
    Err(Failure::new(
        "README.md differs from the crate documentation in src/lib.rs; run `cargo xtask readme`",
    ))
}

fn from_crate_docs(source: &str) -> String {
    let docs = source
        .lines()
        .filter_map(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    let mut readme = format!("{NOTICE}\n\n# nnue\n\n");
    let mut fence = Fence::Outside;
    for line in docs {
        let (next, text) = fence.step(line);
        fence = next;
        if let Some(text) = text {
            readme.push_str(text.trim_end());
            readme.push('\n');
        }
    }
    readme
}

/// The code block that a line is in, if any.
#[derive(Clone, Copy, PartialEq)]
enum Fence {
    Outside,
    Rust,
    Other,
}

impl Fence {
    /// The state after `line`, and the line for the README, if it is kept.
    fn step(self, line: &str) -> (Self, Option<String>) {
        match (self, line.trim_start().strip_prefix("```")) {
            (Self::Outside, Some(info)) if is_rust(info) => (Self::Rust, Some("```rust".into())),
            (Self::Outside, Some(_)) => (Self::Other, Some(line.into())),
            (Self::Outside, None) => (self, prose(line)),
            (_, Some(_)) => (Self::Outside, Some(line.into())),
            (Self::Rust, None) => (self, shown_code(line)),
            (Self::Other, None) => (self, Some(line.into())),
        }
    }
}

/// Whether rustdoc takes this info string for Rust.
fn is_rust(info: &str) -> bool {
    const WORDS: [&str; 6] = [
        "",
        "rust",
        "no_run",
        "compile_fail",
        "should_panic",
        "ignore",
    ];
    info.split(',').all(|word| WORDS.contains(&word.trim()))
}

/// A line of Rust; `None` if rustdoc hides it.
fn shown_code(line: &str) -> Option<String> {
    let code = line.trim_start();
    match code.strip_prefix('#') {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => None,
        Some(rest) if rest.starts_with('#') => Some(line.replacen("##", "#", 1)),
        _ => Some(line.into()),
    }
}

/// A line outside code; `None` for the definition of a link to an item.
fn prose(line: &str) -> Option<String> {
    if line.starts_with('#') {
        return Some(format!("#{line}"));
    }
    if let Some((name, target)) = line
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]: "))
    {
        return is_url(target).then(|| format!("[{name}]: {}", relative(target)));
    }
    Some(links(line))
}

fn links(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((open, close)) = rest
        .find('[')
        .and_then(|open| Some((open, open + rest[open..].find(']')?)))
    {
        out.push_str(&rest[..open]);
        let (text, after) = (&rest[open + 1..close], &rest[close + 1..]);
        let target = after
            .strip_prefix('(')
            .and_then(|after| after.split_once(')'));
        rest = match target {
            Some((target, after)) if is_url(target) => {
                out.push_str(&format!("[{text}]({})", relative(target)));
                after
            }
            Some((_, after)) => {
                out.push_str(text);
                after
            }
            None if text.starts_with('`') && text.ends_with('`') => {
                out.push_str(text);
                after
            }
            None => {
                out.push_str(&rest[open..=close]);
                after
            }
        };
    }
    out + rest
}

/// Whether a link target is valid outside rustdoc.
fn is_url(target: &str) -> bool {
    target.contains("//") || target.starts_with('#')
}

/// Turns a link into the repository into a relative path.
fn relative(target: &str) -> &str {
    target.strip_prefix(REPOSITORY).unwrap_or(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(docs: &str) -> String {
        let source: String = docs.lines().map(|line| format!("//! {line}\n")).collect();
        let readme = from_crate_docs(&(source + "pub mod code {}\n"));
        readme
            .strip_prefix(&format!("{NOTICE}\n\n# nnue\n\n"))
            .expect("the title")
            .to_owned()
    }

    #[test]
    fn headings_go_below_the_title() {
        assert_eq!(
            body("Text.\n\n# Tests\n\n## More"),
            "Text.\n\n## Tests\n\n### More\n"
        );
    }

    #[test]
    fn hidden_lines_of_code_are_left_out() {
        let docs =
            "```no_run\n# use nnue::nnue;\nnnue! {}\n#\n## [attribute]\n#[test]\n```\n# Heading";
        assert_eq!(
            body(docs),
            "```rust\nnnue! {}\n# [attribute]\n#[test]\n```\n## Heading\n"
        );
    }

    #[test]
    fn blocks_that_are_not_rust_stay_as_they_are() {
        assert_eq!(
            body("```text\n# [`Network`]\n```"),
            "```text\n# [`Network`]\n```\n"
        );
    }

    #[test]
    fn links_to_items_become_code_and_links_into_the_repository_relative() {
        let docs = format!(
            "[`Network`] and [`open`](Network::open), [map]({REPOSITORY}docs/map.md), [x[0]], [w](https://a.b/c)."
        );
        assert_eq!(
            body(&docs),
            "`Network` and `open`, [map](docs/map.md), [x[0]], [w](https://a.b/c).\n"
        );
        assert_eq!(
            body("See [a link\nof two lines](https://a.b)."),
            "See [a link\nof two lines](https://a.b).\n"
        );
        assert_eq!(
            body("[`A`]: crate::A\n[b]: https://a.b"),
            "[b]: https://a.b\n"
        );
    }
}
