//! Any text as a declaration: an expansion that is made of tokens, or errors with a position in the text.
//!
//! Random bytes hardly ever pass the tokenizer, so each byte is translated to a word of the language. If the input begins with `!`, the
//! rest is taken as text.
#![no_main]

use libfuzzer_sys::fuzz_target;

const WORDS: &[&str] = &[
    "pub struct",
    "N",
    "M",
    "=",
    "<",
    ">",
    "->",
    "HalfKAv2_hm",
    "HalfKAv2",
    "HalfKP",
    "Chess768",
    "FullThreats[59808]",
    "PawnPairs",
    "Threats",
    "P: NR",
    "N: PNBRQK",
    "pushes",
    "768",
    "[",
    "..",
    "]",
    "(",
    ")",
    "{",
    "}",
    ";\n",
    ":",
    ",",
    ".",
    "x",
    "x2",
    "x4",
    "x8",
    "0",
    "1",
    "2",
    "4",
    "8",
    "16",
    "32",
    "64",
    "127",
    "255",
    "1000",
    "1024",
    "22528",
    "1024x2",
    "@",
    "i8",
    "i16",
    "i32",
    "as",
    "by",
    "piece_count",
    "-",
    "+",
    "*",
    "/",
    ">>",
    "pairwise",
    "crelu",
    "sqr_crelu",
    "psqt",
    "acc",
    "inputs",
    "accumulate",
    "stacks",
    "let",
    "h",
    "a",
    "affine",
    "concat",
    "output",
    "format",
    "stockfish",
    "version",
    "encoding",
    "leb128",
    "raw",
    "value",
    "positional",
    "0x7AF32F20",
    "/// doc\n",
    "18446744073709551615",
    "18446744073709551616",
    "[..]",
    "-> 16 -> 32 -> 1",
    "-> (16 -> 32 -> 1)x8",
    "by (piece_count - 1) / 8",
    "pub struct N = Chess768[..] -> 64x2",
    "output affine(crelu(h), 1)",
    "h[..15]",
    "pub struct N { acc = accumulate(Chess768, 64) x 2; stacks 8 {",
    "let h = affine(crelu(acc), 16);",
];

fn text_of(data: &[u8]) -> String {
    match data.split_first() {
        Some((b'!', text)) => String::from_utf8_lossy(text).into_owned(),
        _ => data
            .iter()
            .map(|byte| WORDS[usize::from(*byte) % WORDS.len()])
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fuzz_target!(|data: &[u8]| {
    let text = text_of(data);
    // Clauses that embed a file are left out, because they would read it.
    if text.contains("weights") {
        return;
    }
    match nnue_codegen::expand_text(&text) {
        Ok(tokens) => {
            let again: Result<proc_macro2::TokenStream, _> = tokens.to_string().parse();
            assert!(again.is_ok(), "the expansion is text that lexes");
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "a refusal says why");
            let lines = text.lines().count().max(1);
            for error in errors {
                assert!(!error.message.is_empty());
                assert!(
                    (1..=lines + 1).contains(&error.line),
                    "line {} of {lines}",
                    error.line
                );
            }
        }
    }
    // Otherwise the text of every run would be kept for its spans.
    proc_macro2::extra::invalidate_current_thread_spans();
});
