//! Texts that are read again and again leave nothing behind.

#![cfg(target_os = "linux")]

use std::fs::read_to_string;

use nnue_codegen::described_text;

/// Bytes of memory of this process.
fn resident() -> usize {
    let status = read_to_string("/proc/self/status").expect("Linux says it");
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))
        .expect("it is a line");
    let kilobytes = line.trim().trim_end_matches(" kB");
    1024 * kilobytes.parse::<usize>().expect("a number")
}

#[test]
fn different_texts_of_equal_networks_take_no_memory() {
    let read = |from: usize, to: usize| {
        for number in from..to {
            let filler = format!("// {number} {}\n", "x".repeat(20_000));
            let text = format!("{filler}struct X = Chess768[..] -> 64x2 -> 16 -> 1;");
            assert_eq!(described_text(&text).expect("it is a network").len(), 1);
            described_text(&format!("{filler}struct")).expect_err("it is none");
        }
    };
    read(0, 50);
    let before = resident();
    read(50, 2000);
    let grown = resident().saturating_sub(before);
    assert!(grown < 8 << 20, "{grown} bytes of 40 MB of texts");
}
