//! `nnue quantize` and `nnue inspect` of networks over a dense input.

use std::path::PathBuf;

use crate::{file, nnue, text};

const SMALL: &str = "pub struct Small = input[1, 4, 4] -> conv2d(2, kernel 3) relu -> batch_norm -> flatten -> 3;\n";

/// The tensors as PyTorch has them, in another order than that of the network, with a count of batches.
fn tensors() -> Vec<(&'static str, &'static str, Vec<f32>)> {
    let numbers = |count: u8, first: f32| {
        (0..count)
            .map(|index| first + f32::from(index) / 8.0)
            .collect::<Vec<f32>>()
    };
    vec![
        ("fc0.bias", "[3]", numbers(3, -1.0)),
        ("fc0.weight", "[3,8]", numbers(24, -1.5)),
        ("bn0.running_mean", "[2]", numbers(2, 0.25)),
        ("bn0.running_var", "[2]", numbers(2, 1.0)),
        ("bn0.weight", "[2]", numbers(2, 0.5)),
        ("bn0.bias", "[2]", numbers(2, -0.5)),
        ("conv0.weight", "[2,1,3,3]", numbers(18, -1.0)),
        ("conv0_bias", "[2]", numbers(2, 0.75)),
    ]
}

/// The file of the network that these tensors are.
fn expected() -> Vec<u8> {
    let tensors = tensors();
    let order = [6, 7, 4, 5, 2, 3, 1, 0];
    let values = order
        .into_iter()
        .flat_map(|index: usize| tensors[index].2.clone());
    values.flat_map(f32::to_le_bytes).collect()
}

fn safetensors(name: &str, tensors: &[(&str, &str, Vec<f32>)]) -> PathBuf {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, shape, values) in tensors {
        let start = data.len();
        data.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        entries.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape},"data_offsets":[{start},{}]}}"#,
            data.len()
        ));
    }
    let (start, end) = (data.len(), data.len() + 8);
    entries.push(format!(
        r#""bn0.num_batches_tracked":{{"dtype":"I64","shape":[],"data_offsets":[{start},{end}]}}"#
    ));
    data.extend([7, 0, 0, 0, 0, 0, 0, 0]);
    let header = format!("{{{}}}", entries.join(","));
    file(
        name,
        &[
            &(header.len() as u64).to_le_bytes()[..],
            header.as_bytes(),
            &data,
        ]
        .concat(),
    )
}

#[test]
fn tensors_of_pytorch_become_a_network() {
    let source = file("small.rs", SMALL.as_bytes());
    let path = safetensors("small.safetensors", &tensors());
    let output = source.with_file_name("small.bin");
    let report = nnue(&[
        "quantize",
        text(&path),
        "--declaration",
        text(&source),
        "-o",
        text(&output),
    ])
    .succeeds();
    assert_eq!(std::fs::read(&output).expect("it was written"), expected());
    assert!(
        report.contains("conv0_weight   2 x 1 x 3 x 3              18    -1.0000     1.1250"),
        "{report}"
    );
    assert!(
        report.contains(&format!("small.bin, {} bytes", expected().len())),
        "{report}"
    );
    // The network's own file is read as well, and is what it was.
    let again = source.with_file_name("small-again.bin");
    nnue(&[
        "quantize",
        text(&output),
        "--declaration",
        text(&source),
        "-o",
        text(&again),
    ])
    .succeeds();
    assert_eq!(std::fs::read(&again).expect("it was written"), expected());

    let shown = nnue(&["inspect", text(&output), "--declaration", text(&source)]).succeeds();
    assert!(
        shown.contains(
            "declaration   Small: input[1, 4, 4] -> conv2d(2, kernel 3) -> relu -> batch_norm -> "
        ),
        "{shown}"
    );
    assert!(
        shown.contains("input         1x4x4\noutput        3\nparameters    "),
        "{shown}"
    );
    assert_eq!(
        shown.lines().filter(|line| line.contains("..")).count(),
        8,
        "{shown}"
    );
    nnue(&["inspect", "--declaration", text(&source)]).fails_naming(&["no network for `Small`"]);
    let cut = file("small-cut.bin", &expected()[..100]);
    nnue(&["inspect", text(&cut), "--declaration", text(&source)])
        .fails_naming(&["the file ends after 100 bytes"]);
}

#[test]
fn all_tensors_that_are_wrong_are_told() {
    let source = file("wrong-small.rs", SMALL.as_bytes());
    let mut wrong = tensors();
    (wrong[0].0, wrong[2].1, wrong[4].0) = ("head.bias", "[1,2]", "scale");
    let path = safetensors("wrong-small.safetensors", &wrong);
    let quantize = |more: &[&str]| {
        nnue(
            &[
                &["quantize", text(&path), "--declaration", text(&source)],
                more,
            ]
            .concat(),
        )
    };
    quantize(&[]).fails_naming(&[
        "`bn0_weight` [2] is not there: no tensor is called `bn0_weight` or `bn0.weight` (`scale` has its shape)",
        "`bn0.running_mean` is to be `bn0_mean` [2], and has the shape [1, 2]",
        "`fc0_bias` [3] is not there",
        "not used are `head.bias`, `scale`",
        "--name TENSOR=NAME",
        "--ignore NAME",
    ]);
    let named = ["--name", "bn0_weight=scale", "--name", "fc0_bias=head.bias"];
    quantize(&named)
        .fails_naming(&["wrong-small.safetensors: `bn0.running_mean` is to be `bn0_mean` [2]"]);
    quantize(&["--name", "fc1_bias=x"])
        .fails_naming(&["there is no such tensor; the tensors are conv0_weight, conv0_bias"]);
    quantize(&["--ignore", "x"]).fails_naming(&["--ignore x: the file has no such tensor"]);
    let mut infinite = tensors();
    infinite[6].2[4] = f32::INFINITY;
    let path = safetensors("infinite.safetensors", &infinite);
    nnue(&["quantize", text(&path), "--declaration", text(&source)])
        .fails_naming(&["`conv0_weight[4]`", "is inf"]);
}

#[test]
fn scales_are_refused_where_all_is_floats() {
    let source = file("floats-small.rs", SMALL.as_bytes());
    let path = safetensors("floats-small.safetensors", &tensors());
    for more in [
        &["--round", "nearest"][..],
        &["--factor", "fc0_weight=2"],
        &["--factoriser"],
        &["--saturate"],
        &["--positions", "x"],
        &["--calibrate", "kl", "--positions", "x"],
    ] {
        let run = nnue(
            &[
                &["quantize", text(&path), "--declaration", text(&source)],
                more,
            ]
            .concat(),
        );
        run.fails_naming(&["is for integer networks", "`Small` has a dense input"]);
    }
}

#[test]
fn a_file_may_declare_networks_of_both_kinds() {
    let both = format!(
        "nnue! {{ {SMALL} pub struct Other = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 {{ format raw }}; }}"
    );
    let source = file("both.rs", both.as_bytes());
    let path = safetensors("both.safetensors", &tensors());
    let quantize = |name: &str| {
        nnue(&[
            "quantize",
            text(&path),
            "--declaration",
            &format!("{}{name}", text(&source)),
        ])
    };
    quantize(":Small").succeeds();
    quantize(":Other").fails_naming(&["both.safetensors: ft_weight is not there"]);
    quantize("").fails_naming(&["has 2 declarations", "there are `Other`, `Small`"]);
    quantize(":None").fails_naming(&["does not declare `None`; there are `Other`, `Small`"]);
}
