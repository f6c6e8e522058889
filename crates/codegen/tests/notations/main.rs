//! Declarations as people write them, right and wrong, and what each is told.
//!
//! `table.txt` has one block for each declaration. The lines that begin with `| ` are written by people; what follows them is
//! what the compiler answers, and `NNUE_BLESS=1 cargo test -p nnue-codegen --test notations` writes it anew:
//!
//! ```text
//! | struct Tiny = Chess768[700] -> 64x2 -> 1;
//!                         ^^^ wrong-rows
//!   `Chess768` has 768 inputs, not 700
//!   help: write `768`
//!   then: Chess768[768] -> 64x2 -> 1
//! ```
//!
//! `then` is what comes of following the advice to the letter: the quoted text replaces what is underlined. It is the network
//! that was meant, or another message; advice never leads in a circle.

mod advice;
mod table;

use std::path::Path;

use table::Table;

#[test]
fn every_declaration_gets_the_answer_that_was_read() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/notations/table.txt");
    let committed = std::fs::read_to_string(&path).expect("the table is in the repository");
    let answered = Table::read(&committed).answered();
    if std::env::var_os("NNUE_BLESS").is_some() {
        std::fs::write(&path, answered).expect("the table can be written");
        return;
    }
    for (line, (is, was)) in (1..).zip(answered.lines().zip(committed.lines())) {
        assert_eq!(
            is, was,
            "line {line} of table.txt differs; read it, and write it anew with `NNUE_BLESS=1`"
        );
    }
    assert_eq!(
        answered.len(),
        committed.len(),
        "table.txt has more or fewer lines than there are answers"
    );
}

#[test]
fn advice_never_leads_in_a_circle() {
    let table = Table::read(include_str!("table.txt"));
    let mut followed = 0;
    for source in table.sources() {
        let steps = advice::follow(source);
        assert!(
            !steps.is_circle(),
            "following the advice leads back: {steps:#?}"
        );
        followed += usize::from(steps.len() > 1);
    }
    assert!(
        followed >= 60,
        "only {followed} declarations got advice that can be followed to the letter"
    );
}
