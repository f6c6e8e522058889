//! `nnue train` of a network over a dense input.

use std::fmt::Write;

use crate::Folder;

/// Pictures of 4x4 pixels with a line across or down: a class that convolutions find.
fn lines() -> String {
    let mut text = String::from("label,pixels\n");
    for number in 0..120 {
        let (class, at) = (number % 2, number / 2 % 4);
        let pixel = |index: usize| {
            if [index / 4, index % 4][class] == at {
                16
            } else {
                (index * 7 + number) % 5
            }
        };
        let pixels: Vec<String> = (0..16).map(|index| pixel(index).to_string()).collect();
        let _ = writeln!(text, "{class},{}", pixels.join(","));
    }
    text.replacen("label,pixels", &["x"; 17].join(","), 1)
}

const RUN: &str = r#"
output = "out"
threads = 2
seed = 3
batch = 8
superbatches = 12
rate = { schedule = "cosine", start = 0.02, end = 0.001 }

[network]
declaration = "pub struct Lines = input[1, 4, 4] -> conv2d(8, kernel 3, padding 1) batch_norm -> conv2d(8 binary, kernel 3) relu -> flatten -> 2;"

[data]
files = ["lines.csv"]
divide = 16
shift = 1

[optimizer]
kind = "adam"
"#;

fn folder(name: &str, run: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("lines.csv", lines().as_bytes());
    folder.write("run.toml", run.as_bytes());
    folder
}

#[test]
fn pictures_are_learnt_and_the_network_is_that_of_its_declaration() {
    for gradient in ["exact", "approximate"] {
        let run = RUN.replace(
            "[network]",
            &format!("[network]\ngradient = \"{gradient}\""),
        );
        let folder = folder(&format!("dense-{gradient}"), &run);
        let said = folder.run("").succeeds();
        assert!(
            said.starts_with("96 examples to train with, 24 held out\nsuperbatch 1 of 12: loss "),
            "{said}"
        );
        let right = folder.last_logged("right");
        assert!(right > 0.9, "{gradient}: {right}");
        let declaration = String::from_utf8(folder.read("out/net.rs")).unwrap();
        let graphs = nnue_codegen::dense_text(&declaration).unwrap();
        nnue_format::dense::read(&graphs[0].desc(), &folder.read("out/net.bin")).unwrap();
        assert!(
            String::from_utf8(folder.read("out/report.html"))
                .unwrap()
                .contains("Share of the examples that are right")
        );
    }
}

#[test]
fn numbers_are_learnt_too() {
    let folder = Folder::new("dense-numbers");
    let examples: String = (0..64)
        .map(|x| format!("{},{},{}\n", 3.0 * f64::from(x) / 64.0 - 1.0, x, x % 8))
        .collect();
    folder.write("sums.csv", examples.as_bytes());
    let run = "output = \"out\"\nthreads = 1\nsuperbatches = 300\nrate = 0.02\n[network]\n\
        declaration = \"pub struct Line = input[2] -> 1;\"\n[data]\nfiles = [\"sums.csv\"]\ndivide = 64\n[validation]\nfiles = [\"sums.csv\"]\n\
        [optimizer]\nkind = \"adam\"\n";
    folder.write("run.toml", run.as_bytes());
    let said = folder.run("").succeeds();
    let last = said
        .lines()
        .rev()
        .nth(1)
        .expect("a line for each superbatch");
    let loss: f64 = last
        .split("held out ")
        .nth(1)
        .and_then(|rest| rest.split(',').next())
        .unwrap()
        .parse()
        .unwrap();
    assert!(loss < 0.01 && !last.contains("right"), "{last}");
}

#[test]
fn a_killed_run_goes_on_as_if_nothing_had_happened() {
    folder("dense-killed", RUN).assert_goes_on(&folder("dense-undisturbed", RUN));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    let said = |name: &str, from: &str, to: &str| {
        let wrong = RUN.replace(from, to);
        assert_ne!(wrong, RUN);
        folder(&format!("dense-wrong-{name}"), &wrong).run("").err
    };
    let key = said("key", "shift = 1", "shuffle = 5");
    assert!(key.contains("there is no key `data.shuffle`"), "{key}");
    let rounded = said(
        "rounded",
        "kind = \"adam\"",
        "kind = \"adam\"\nfake_quantize = true",
    );
    assert!(
        rounded.contains("a network over a dense input is not quantised"),
        "{rounded}"
    );
    let one = RUN
        .replace("flatten -> 2;", "flatten -> 1;")
        .replace("[data]", "[loss]\nerror = \"cross_entropy\"\n\n[data]");
    let classes = folder("dense-classes", &one).run("").err;
    assert!(
        classes.contains("cross entropy needs several classes, and the network has one output"),
        "{classes}"
    );
    let none = said("none", "[data]", "[validation]\nheld_out = 0\n\n[data]");
    assert!(
        none.contains("there are no examples that are held out"),
        "{none}"
    );
    let broken = folder("dense-broken", RUN);
    broken.write("lines.csv", format!("{}1,2\n", lines()).as_bytes());
    broken
        .run("")
        .fails_with("lines.csv, line 122: a class and 16 of an input are 17 numbers, found 2");
    broken.write("lines.csv", lines().replacen("\n1,", "\n2,", 1).as_bytes());
    broken
        .run("")
        .fails_with("lines.csv, line 3: the network has the classes 0 to 1, found 2");
}
