//! `nnue import net`: files of any form, and the errors for files that have the size of no network.

use nnue_testkit::random::Random;
use nnue_tools::compression::{Method, compress};

use crate::compressed::DEFAULT;
use crate::declared::{STACKS, files};
use crate::{Run, file, nnue, text};

fn import(name: &str, bytes: &[u8]) -> Run {
    nnue(&["import", "net", text(&file(name, bytes))])
}

/// Numbers without a pattern: no padding, no header.
fn numbers(bytes: usize) -> Vec<u8> {
    let mut random = Random::new(5);
    (0..bytes).map(|_| random.next() as u8 | 1).collect()
}

#[test]
fn compressed_files_have_the_declaration_of_what_is_in_them() {
    let (_, network) = files("import-net", STACKS);
    let bytes = std::fs::read(&network).expect("the network was written");
    let plain = import("import-net.bin", &bytes).succeeds();
    assert!(plain.contains("768"), "{plain}");
    for method in [Method::Gzip, Method::Zstd] {
        let compressed = compress(method, &bytes).expect("it is compressed");
        assert_eq!(import("import-net.packed", &compressed).succeeds(), plain);
    }
    let alias = nnue(&["import", "bullet", "--net", text(&network)]).succeeds();
    assert_eq!(alias, plain);
}

/// Where only the size fits, the numbers speak against the shape.
#[test]
fn numbers_that_no_trainer_leaves_are_doubted() {
    let (_, network) = files("import-doubted", STACKS);
    let bytes = std::fs::read(&network).expect("the network was written");
    let run = import("import-doubted.bin", &numbers(bytes.len()));
    let out = run.succeeds();
    assert!(
        out.contains("// doubtful: ")
            && out.contains("% of the numbers that would be `ft_weight` are above 8.0"),
        "{out}"
    );
    let out = import("import-undoubted.bin", &bytes).succeeds();
    assert!(!out.contains("doubtful"), "{out}");
}

#[test]
fn containers_are_declared_as_they_are() {
    let compressed = compress(Method::Zstd, DEFAULT).expect("it is compressed");
    for bytes in [DEFAULT, &compressed] {
        let out = import("import-net.nnue", bytes).succeeds();
        assert!(out.contains("recognised as `--arch default`"), "{out}");
        let plans = nnue_codegen::plan_text(&out).expect("a declaration");
        assert_eq!(plans[0].name, "Default");
    }
}

#[test]
fn what_no_network_has_the_size_of_is_explained() {
    let (_, network) = files("import-two", STACKS);
    let one = numbers(std::fs::read(&network).expect("a network").len() - 48);
    let two = [&one[..], &one].concat();
    let half = format!("two networks of {} bytes would have this size", one.len());
    let two = file("import-two.bin", &two);
    nnue(&[
        "import",
        "net",
        text(&two),
        "--width",
        "64",
        "--output-buckets",
        "8",
    ])
    .fails_naming(&[&half]);
    import("import-tensor.bin", &numbers(768 * 512 * 2))
        .fails_naming(&["768 rows of 512 `i16` have this size", "append the others"]);
}

#[test]
fn other_files_are_named() {
    let mut reversed = DEFAULT.to_vec();
    for word in reversed[..12].chunks_exact_mut(4) {
        word.reverse();
    }
    import("import-reversed.nnue", &reversed).fails_naming(&["bytes of its words reversed"]);
    let text = String::from_utf8_lossy(DEFAULT).into_owned();
    import("import-text.nnue", text.as_bytes()).fails_naming(&["read as UTF-8 text"]);
    import("import-empty.nnue", b"").fails_naming(&["zero length"]);
    let twice = compress(Method::Gzip, DEFAULT).expect("it is compressed");
    let twice = compress(Method::Gzip, &twice).expect("it is compressed");
    import("import-twice.gz", &twice).fails_naming(&["compressed twice"]);
}
