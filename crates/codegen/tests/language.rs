//! The examples of `docs/guide.md`, `docs/language.md` and `docs/engines.md` do what the pages say.

use std::path::Path;

use nnue_codegen::{TextError, expand_text};

/// The fenced blocks of a page: language and text.
fn blocks(name: &str) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name);
    let page = std::fs::read_to_string(path).expect("the page is in the repository");
    let mut parts = page.split("```");
    let mut blocks = Vec::new();
    // Text and blocks alternate; a block begins with its language.
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        let (language, text) = block
            .split_once('\n')
            .expect("a fence is on a line of its own");
        blocks.push((language.to_owned(), text.to_owned()));
    }
    blocks
}

fn errors(source: &str) -> Vec<TextError> {
    expand_text(source).err().unwrap_or_default()
}

/// True for the two lines of an error: a message and the name of a diagnostic. Grammars look different.
fn is_error(text: &str) -> bool {
    let mut lines = text.lines();
    let (_, slug) = (lines.next(), lines.next().unwrap_or_default());
    lines.next().is_none()
        && !slug.is_empty()
        && slug.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

/// Compiles the examples of a page, and returns how many right and wrong ones there are.
fn check(page: &str) -> (usize, usize) {
    let blocks = blocks(page);
    let (mut right, mut wrong) = (0, 0);
    for (index, (language, source)) in blocks.iter().enumerate() {
        if language != "rust" {
            continue;
        }
        let found = errors(source);
        match blocks.get(index + 1) {
            Some((language, text)) if language == "text" && is_error(text) => {
                let said = found.first().map(|error| {
                    let first = error.message.lines().next().unwrap_or_default();
                    format!("{first}\n{}\n", error.slug)
                });
                assert_eq!(said.as_ref(), Some(text), "{source}");
                wrong += 1;
            }
            _ => {
                assert_eq!(found, [], "{source}");
                right += 1;
            }
        }
    }
    (right, wrong)
}

#[test]
fn examples_do_what_the_guide_says() {
    let (right, wrong) = check("guide.md");
    assert!(
        right >= 15 && wrong >= 4,
        "only {right} and {wrong}: is the page still written as this test reads it?"
    );
}

#[test]
fn engines_are_declared() {
    assert_eq!(check("engines.md"), (14, 0));
}

#[test]
fn examples_do_what_the_reference_says() {
    let (right, wrong) = check("language.md");
    assert!(
        right >= 25 && wrong >= 1,
        "only {right} and {wrong}: is the page still written as this test reads it?"
    );
}
