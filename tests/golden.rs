//! Expansions for review. `NNUE_BLESS=1 cargo test --test golden` rewrites them.
//!
//! If only this test fails after an intended change, review the difference and commit it. `tests/golden_compiles.rs` tests that the
//! committed files compile.

use std::fs;
use std::path::PathBuf;

/// File names and declarations.
const CASES: [(&str, &str); 4] = [
    (
        "chain",
        "/// One line.\npub struct Chain = < Chess768[..] -> 32x2 -> 8 -> 1 >;",
    ),
    (
        "graph",
        "pub struct Graph {
            acc = accumulate(HalfKAv2_hm[22528], 64) x 2, psqt 8;
            x = pairwise(acc);
            stacks 8 by (piece_count - 1) / 4 {
                let h = affine(x, 16);
                output affine(concat(sqr_crelu(h[..15]), crelu(h[..15])), 1) + h[15] * 9600 / 8128;
            }
            format stockfish { encoding: leb128 }
        }",
    ),
    (
        "single",
        "struct Single = 768 -> 64 @ 255 sqr_crelu >> 9 -> 1x4 { value positional / 400; };",
    ),
    (
        "crate_path",
        "#[nnue(crate = crate::renamed)]
        pub(crate) struct CratePath = HalfKP[..] -> 256x2 -> 1;",
    ),
];

/// The greatest length of an expansion that can be reviewed.
const LONGEST: usize = 250;

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden")
        .join(name)
        .with_extension("rs")
}

fn expansion(declaration: &str) -> String {
    let tokens = nnue_codegen::expand_formatted(declaration);
    tokens.unwrap_or_else(|errors| panic!("{declaration}: {errors:?}"))
}

#[test]
fn expansions_are_the_committed_ones() {
    for (name, declaration) in CASES {
        let expansion = expansion(declaration);
        if std::env::var_os("NNUE_BLESS").is_some() {
            fs::write(file(name), &expansion).expect("the folder is there");
        }
        let committed = fs::read_to_string(file(name)).expect("every case has a file");
        assert!(
            committed == expansion,
            "{name}.rs differs; `NNUE_BLESS=1 cargo test --test golden` writes it anew"
        );
    }
}

#[test]
fn expansions_are_short_and_safe() {
    for (name, declaration) in CASES {
        let expansion = expansion(declaration);
        let lines = expansion.lines().count();
        assert!(lines <= LONGEST, "{name} has {lines} lines");
        assert!(!expansion.contains("unsafe"), "{name} contains `unsafe`");
        assert!(
            !expansion.contains(" for ") || !expansion.contains(" while "),
            "{name} contains a loop"
        );
    }
}

#[test]
fn a_crate_path_is_used_for_everything() {
    let (_, declaration) = CASES[3];
    assert!(!expansion(declaration).contains("::nnue"));
}
