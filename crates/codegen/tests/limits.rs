//! Declarations of any length are refused or compiled in a time that grows with their length: limits and costs.

use std::fmt::Write;
use std::time::{Duration, Instant};

use nnue_codegen::{TextError, expand_text, plan_text};

/// Far above what is needed on a slow and busy machine without optimisation, and far below what took minutes.
const PATIENCE: Duration = Duration::from_secs(20);

fn refused(text: &str) -> Vec<TextError> {
    let begin = Instant::now();
    let errors = expand_text(text).expect_err("there is a limit");
    let shown: usize = errors
        .iter()
        .map(|error| error.shown_in("text", text).len())
        .sum();
    assert!(shown < 1 << 20, "{shown} bytes of messages");
    assert!(errors.len() <= 102, "{} errors", errors.len());
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
    errors
}

fn slugs(text: &str) -> Vec<&'static str> {
    refused(text).iter().map(|error| error.slug).collect()
}

/// A chain of `layers` layers as a graph.
fn layers(layers: usize) -> String {
    let mut text = "struct X { acc = accumulate(Chess768[..], 64 @ 255) x 2; let h0 = affine(pairwise(acc), 32); ".to_owned();
    for layer in 1..=layers {
        write!(text, "let h{layer} = affine(crelu(h{}), 32); ", layer - 1).expect("memory");
    }
    write!(text, "output affine(crelu(h{layers}), 1); }}").expect("memory");
    text
}

/// A network of one layer with these clauses besides.
fn with(clauses: &str) -> String {
    format!(
        "struct X {{ acc = accumulate(768, 64) x 2; let h = affine(crelu(acc), 16); {clauses} }}"
    )
}

#[test]
fn a_thousand_layers_are_refused_and_five_hundred_compiled_in_time() {
    assert_eq!(slugs(&layers(1000)), ["limit"]);
    let begin = Instant::now();
    assert_eq!(plan_text(&layers(500)).expect("it is a network").len(), 1);
    expand_text(&layers(500)).expect("it is a network");
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

#[test]
fn sets_declarations_clauses_terms_and_parts_have_limits() {
    let sets = format!(
        "struct X = Chess768[..]{} -> 64x2 -> 1;",
        " + PawnPairs[..]".repeat(10_000)
    );
    assert_eq!(slugs(&sets), ["limit"]);
    let copies = "struct X = Chess768[..] -> 64x2 -> 1;\n".repeat(3000);
    assert!(slugs(&copies).contains(&"limit"));
    let networks: String = (0..3000)
        .map(|n| format!("struct X{n} = Chess768[..] -> 64x2 -> 1;\n"))
        .collect();
    assert_eq!(slugs(&networks), ["limit"]);
    let goldens = with(&"golden \"8/8/8/8/8/8/8/8 w - -\" = 0; ".repeat(10_000));
    assert!(slugs(&goldens).contains(&"limit"));
    let terms = with(&format!(
        "output affine(crelu(h), 1){};",
        " + h[0]".repeat(5000)
    ));
    assert_eq!(slugs(&terms), ["bad-output"]);
    let parts = with(&format!(
        "output affine(concat(crelu(h)[0]{}), 1);",
        ", crelu(h)[3]".repeat(5000)
    ));
    assert_eq!(slugs(&parts), ["limit"]);
    let tokens = with(&format!(
        "output affine(crelu(h), 1); {}",
        "[] ".repeat(1 << 18)
    ));
    assert_eq!(slugs(&tokens), ["limit"]);
    assert_eq!(slugs(&" ".repeat((1 << 22) + 1)), ["limit"]);
}

#[test]
fn values_that_are_wide_have_a_limit_together() {
    let mut text = "output affine(crelu(x0), 1);".to_owned();
    for layer in (0..500).rev() {
        let reads = if layer == 0 {
            "acc".to_owned()
        } else {
            format!("x{}", layer - 1)
        };
        text = format!("let x{layer} = affine(crelu({reads}), 16384); {text}");
    }
    let text = with(&text.replace("crelu(x0), 1)", "crelu(x499), 1) + h[0]"));
    assert!(slugs(&text).contains(&"limit"));
}

#[test]
fn errors_beyond_a_hundred_are_counted() {
    let unknown: String = (0..3000)
        .map(|n| format!("let a{n} = crelu(name{n}); "))
        .collect();
    let errors = refused(&with(&format!("{unknown} output affine(crelu(h), 1);")));
    let last = errors.last().expect("there are errors");
    assert_eq!((last.slug, errors.len()), ("limit", 101));
    assert!(last.message.contains("more errors"), "{last}");
}

/// What is read of what through pools took twice as long for each pool of a pool.
#[test]
fn pools_of_pools_cost_no_more_than_their_number() {
    let mut pools = "let a0 = crelu(h)[..8]; ".to_owned();
    for pool in 1..200 {
        write!(pools, "let a{pool} = max(a{0}, a{0}); ", pool - 1).expect("memory");
    }
    let text = with(&format!("{pools} output affine(a199, 1) + h[15];"));
    let begin = Instant::now();
    let plans = plan_text(&text).expect("it is a network");
    assert!(plans[0].notation.contains("15+1"), "{}", plans[0].notation);
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

/// Buffers of the same made name got one prime more each, and were compared with all.
#[test]
fn names_that_are_made_cost_no_more_than_their_number() {
    let parts: Vec<String> = (0..900)
        .map(|n| {
            format!(
                "max(crelu(w)[{}..{}], crelu(w)[{}..{}])",
                n,
                n + 2,
                n + 3,
                n + 5
            )
        })
        .collect();
    let text = format!(
        "struct X {{ acc = accumulate(768, 64) x 2; let w = affine(crelu(acc), 1024); output affine(concat({}), 1); }}",
        parts.join(", ")
    );
    let begin = Instant::now();
    plan_text(&text).expect("it is a network");
    assert!(begin.elapsed() < PATIENCE, "{:?}", begin.elapsed());
}

#[test]
fn long_lines_are_shown_around_the_place() {
    let text = with(&format!(
        "let b = crelu(h); {} output affine(b, 1) + x[0];",
        " ".repeat(5000)
    ));
    let errors = refused(&text);
    let shown = errors[0].shown_in("text", &text);
    let lines: Vec<&str> = shown.lines().collect();
    let (line, marks) = (
        lines[2].trim_start_matches("1 | "),
        lines[3].trim_start_matches("  | "),
    );
    let at = marks.find('^').expect("a place");
    assert_eq!(&line[at..at + 1], "x", "{shown}");
    assert!(shown.len() < 2000, "{}", shown.len());
}

/// The one test that runs in a process of its own, with little memory.
const INSIDE: &str = "a_million_tokens_are_refused";

/// Runs [`INSIDE`] under `ulimit -v`: what is not refused in time is killed.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough() {
    nnue_testkit::process::passes_in_little_memory(1_000_000, INSIDE);
}

#[test]
#[ignore = "run by `little_memory_is_enough`, in a process with little memory"]
fn a_million_tokens_are_refused() {
    for token in ["a ", "+ ", "1 ", "[] ", "{} ", "'a "] {
        let tokens = token.repeat(1_000_000);
        assert_eq!(slugs(&with(&tokens)), ["limit"], "{token}");
        assert_eq!(slugs(&tokens), ["limit"], "{token}");
    }
}

/// Opening a pipe without a writer would block the compiler.
#[cfg(unix)]
#[test]
fn a_pipe_is_not_opened() {
    let pipe = std::env::temp_dir().join(format!("nnue-weights.{}", std::process::id()));
    nnue_testkit::process::make_pipe(&pipe);
    let text = format!(
        "struct X = Chess768[..] -> 64x2 -> 1 {{ weights {:?}; }}",
        pipe.display().to_string()
    );
    let refused = nnue_testkit::process::within(std::time::Duration::from_secs(20), move || {
        nnue_codegen::expand_text(&text).err()
    });
    std::fs::remove_file(pipe).expect("it can be removed");
    let errors = refused.expect("a pipe is no file of weights");
    assert_eq!(errors[0].slug, "weights-not-found");
    let message = &errors[0].message;
    assert!(message.contains("a regular file is expected"), "{message}");
}
