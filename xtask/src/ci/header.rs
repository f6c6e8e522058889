//! Generates the header of the C library with `cbindgen`. Comments become C89 comments without rustdoc
//! headings.

use std::process::Command;

use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

/// Compares the header with the source, or writes it with `NNUE_BLESS=1`.
pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    let mut cbindgen = Command::new(repo::target_dir().join("cbindgen/bin/cbindgen"));
    cbindgen.args(["--quiet", "--config", "cbindgen.toml", "."]);
    cbindgen.current_dir(repo::root().join("crates/capi"));
    let made = with_comments_of_c89(&shell.output(cbindgen)?);
    let path = repo::root().join("crates/capi/include/nnue.h");
    if std::env::var_os("NNUE_BLESS").is_some() {
        return repo::write(&path, &made);
    }
    if repo::read(&path)? == made {
        return Ok(());
    }
    Err(Failure::new(
        "crates/capi/include/nnue.h is not that of the source: run `NNUE_BLESS=1 .ci/run header`",
    ))
}

/// Rewrites whole-line `// text` as `/* text */`; adjacent lines become one comment.
fn with_comments_of_c89(header: &str) -> String {
    let mut written = String::new();
    let mut lines = header.lines().peekable();
    while let Some(line) = lines.next() {
        let indentation = &line[..line.len() - line.trim_start().len()];
        let Some(first) = comment(line) else {
            written += &line.replace("// __cplusplus", "/* __cplusplus */");
            written.push('\n');
            continue;
        };
        let mut block = vec![first];
        while let Some(text) = lines.peek().copied().and_then(comment) {
            block.push(text);
            lines.next();
        }
        let text = without_headings(&block).join(&format!("\n{indentation} * "));
        let text = text.replace(" * \n", " *\n");
        written += &format!("{indentation}/* {text} */\n");
    }
    written
}

fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.strip_prefix(' ').unwrap_or(text))
}

/// Removes headings such as `# Safety` and the blank lines after them.
fn without_headings<'t>(lines: &[&'t str]) -> Vec<&'t str> {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_after_heading = false;
    for line in lines {
        let is_heading = line.starts_with("# ");
        let is_gap = is_after_heading && line.is_empty();
        if !is_heading && !is_gap {
            kept.push(line);
        }
        is_after_heading = is_heading;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_those_of_c89() {
        let made = "// One.\nint one;\n  // Two.\n  //\n  // # Safety\n  //\n  // Valid.\n  int two;\n#endif // __cplusplus\n";
        let header = "/* One. */\nint one;\n  /* Two.\n   *\n   * Valid. */\n  int two;\n#endif /* __cplusplus */\n";
        assert_eq!(with_comments_of_c89(made), header);
    }
}
