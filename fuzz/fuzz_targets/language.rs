//! Any text as a declaration: an expansion that is made of tokens, or errors with a place in the text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    // what embeds a file would read it
    if text.contains("weights") {
        return;
    }
    match nnue_codegen::expand_text(text) {
        Ok(tokens) => {
            let again: Result<proc_macro2::TokenStream, _> = tokens.to_string().parse();
            assert!(again.is_ok(), "the expansion is text that lexes");
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "a refusal says why");
            let lines = text.lines().count().max(1);
            for error in errors {
                assert!(!error.message.is_empty());
                assert!((1..=lines + 1).contains(&error.line), "line {} of {lines}", error.line);
            }
        }
    }
    // the text of every run is kept for its spans otherwise
    proc_macro2::extra::invalidate_current_thread_spans();
});
