//! The examples of `docs/language.md` do what the page says.

use std::path::Path;

use nnue_codegen::{TextError, expand_text};

/// The fenced blocks of the page: language and text.
fn blocks() -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let page = std::fs::read_to_string(path).expect("the page is in the repository");
    let mut parts = page.split("```");
    let mut blocks = Vec::new();
    // Text and blocks alternate; a block begins with its language.
    while let (Some(_), Some(block)) = (parts.next(), parts.next()) {
        let (language, text) = block.split_once('\n').expect("a fence stands on a line of its own");
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
    lines.next().is_none() && !slug.is_empty() && slug.chars().all(|c| c.is_ascii_lowercase() || c == '-')
}

#[test]
fn examples_do_what_the_page_says() {
    let blocks = blocks();
    let mut shown = 0;
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
                shown += 1;
            }
            _ => assert_eq!(found, [], "{source}"),
        }
    }
    assert!(shown >= 15, "only {shown} wrong examples were found: is the page still written as this test reads it?");
}
