//! Graphs that are broken or hostile: one clear line each, and nothing is written.

use crate::{file, nnue, text};

/// A field of a message: its number, and bytes with their length before them.
fn bytes(field: u8, contents: &[u8]) -> Vec<u8> {
    [
        varint(u64::from(field) << 3 | 2),
        varint(contents.len() as u64),
        contents.to_vec(),
    ]
    .concat()
}

/// A field of a message: its number, and a whole number.
fn number(field: u8, value: u64) -> Vec<u8> {
    [varint(u64::from(field) << 3), varint(value)].concat()
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 127 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn node(operation: &str, inputs: &[&str], output: &str) -> Vec<u8> {
    let inputs: Vec<u8> = inputs
        .iter()
        .flat_map(|name| bytes(1, name.as_bytes()))
        .collect();
    bytes(
        1,
        &[
            inputs,
            bytes(2, output.as_bytes()),
            bytes(4, operation.as_bytes()),
        ]
        .concat(),
    )
}

/// Weights `w` with any lengths and numbers, and further fields.
fn weights(dims: &[u64], values: &[f32], more: &[u8]) -> Vec<u8> {
    let dims: Vec<u8> = dims.iter().flat_map(|&length| number(1, length)).collect();
    let raw: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    bytes(
        5,
        &[
            dims,
            number(2, 1),
            bytes(8, b"w"),
            bytes(9, &raw),
            more.to_vec(),
        ]
        .concat(),
    )
}

/// `x`, rows of four floats.
fn input() -> Vec<u8> {
    let axis = |length: u64| bytes(1, &number(1, length));
    let shape = bytes(2, &[axis(2), axis(4)].concat());
    bytes(
        11,
        &[
            bytes(1, b"x"),
            bytes(2, &bytes(1, &[number(1, 1), shape].concat())),
        ]
        .concat(),
    )
}

/// A model of this opset, whose output is `y`.
fn model(opset: u64, parts: &[Vec<u8>]) -> Vec<u8> {
    let graph = [parts.concat(), input(), bytes(12, &bytes(1, b"y"))].concat();
    [number(1, 8), bytes(7, &graph), bytes(8, &number(2, opset))].concat()
}

/// The nodes of `y = relu(x * w)`.
fn nodes() -> Vec<u8> {
    [node("MatMul", &["x", "w"], "h"), node("Relu", &["h"], "y")].concat()
}

/// Models of ONNX, and what is said about them.
fn models() -> Vec<(&'static str, Vec<u8>, &'static [&'static str])> {
    let good = weights(&[4, 2], &[0.5; 8], &[]);
    let entry = |key: &str, value: &str| {
        bytes(
            13,
            &[bytes(1, key.as_bytes()), bytes(2, value.as_bytes())].concat(),
        )
    };
    let outside = [number(14, 1), entry("location", "../../secret")].concat();
    let whole = model(20, &[nodes(), good.clone()]);
    let mut nan = [0.5; 8];
    nan[5] = f32::NAN;
    vec![
        ("good", whole.clone(), &[]),
        (
            "cycle",
            model(
                20,
                &[
                    node("MatMul", &["y", "w"], "h"),
                    node("Relu", &["h"], "y"),
                    good.clone(),
                ],
            ),
            &["nodes read each other in a circle: `y` -> `h` -> `y`"],
        ),
        (
            "missing",
            model(20, &[nodes()]),
            &["node `h` (MatMul) reads `w`, which no node, input or initializer makes"],
        ),
        (
            "huge",
            model(20, &[nodes(), weights(&[1 << 20, 1 << 20], &[], &[])]),
            &["tensor `w`: the shape", "the limit"],
        ),
        (
            "outside",
            model(20, &[nodes(), weights(&[4, 2], &[], &outside)]),
            &[
                "tensor `w` is in the file `../../secret`: only files in the folder of the model are read",
            ],
        ),
        (
            "opset",
            model(8, &[nodes(), good.clone()]),
            &["opset 8 is not read: 9 to 24 are"],
        ),
        (
            "unknown",
            model(20, &[node("Gelu", &["x"], "h"), node("LSTM", &["h"], "y")]),
            &[
                "2 nodes have no counterpart: `h` (Gelu): the language has no such activation; the nearest are `silu` and `hard_swish`; `y` (LSTM)",
            ],
        ),
        (
            "nan",
            model(20, &[nodes(), weights(&[4, 2], &nan, &[])]),
            &["`w` has the number NaN at 5", "finite"],
        ),
        (
            "cut",
            whole[..whole.len() - 9].to_vec(),
            &["the file is no ONNX model, or it is cut off"],
        ),
        (
            "lengths",
            model(20, &[nodes(), weights(&[2, 4], &[0.5; 8], &[])]),
            &["node `h` (MatMul): the matrices [2, 4] and [2, 4] do not fit together"],
        ),
        (
            "numbers",
            model(20, &[nodes(), weights(&[4, 2], &[0.5; 7], &[])]),
            &["the shape [4, 2] has 8 numbers"],
        ),
        (
            "twice",
            model(20, &[nodes(), node("Relu", &["x"], "h"), good]),
            &["`h` is made twice"],
        ),
        (
            "fields",
            [vec![0x3a], varint(6 << 20), [0x0a, 0].repeat(3 << 20)].concat(),
            &["fields, the limit"],
        ),
        ("nothing", Vec::new(), &["the file is empty"]),
        (
            "picture",
            b"\x89PNG\r\n\x1a\n".to_vec(),
            &["this is a PNG picture"],
        ),
    ]
}

#[test]
fn models_that_are_wrong_are_told_in_a_line_and_nothing_is_written() {
    let weights = file("hostile-graph.bin", b"old");
    for (name, contents, words) in models() {
        let path = file(&format!("hostile-{name}.onnx"), &contents);
        let run = nnue(&[
            "import",
            "onnx",
            text(&path),
            "--check",
            "--output",
            text(&weights),
        ]);
        if words.is_empty() {
            run.succeeds();
            assert_ne!(
                std::fs::read(&weights).expect("it is there"),
                b"old",
                "{name}"
            );
            std::fs::write(&weights, b"old").expect("it is written");
            continue;
        }
        assert_eq!(run.out, "", "{name}");
        run.fails_naming(&[words, &[&format!("hostile-{name}.onnx: ")]].concat());
        assert_eq!(
            std::fs::read(&weights).expect("it is there"),
            b"old",
            "{name}"
        );
    }
}

#[test]
fn programs_that_are_wrong_are_told_in_a_line_and_nothing_is_written() {
    let weights = file("hostile-program.bin", b"old");
    let program = std::fs::read(format!(
        "{}/../../tests/import/tower.pt2",
        env!("CARGO_MANIFEST_DIR")
    ))
    .expect("it is there");
    let mut flipped = program.clone();
    let last = flipped.len() / 2;
    flipped[last] ^= 1;
    let cases: [(&str, Vec<u8>, &[&str]); 5] = [
        (
            "pickle",
            vec![0x80, 2, b'c', b'o', b's'],
            &["the file is a pickle", "torch.export.save("],
        ),
        (
            "cut",
            program[..program.len() / 2].to_vec(),
            &["the archive is damaged or cut off"],
        ),
        ("flipped", flipped, &["hostile-flipped.pt2: "]),
        ("model", model(20, &[nodes()]), &["`nnue import onnx`"]),
        ("nothing", Vec::new(), &["the file is empty"]),
    ];
    for (name, contents, words) in cases {
        let path = file(&format!("hostile-{name}.pt2"), &contents);
        let run = nnue(&["import", "torch", text(&path), "--output", text(&weights)]);
        assert_eq!(run.out, "", "{name}");
        run.fails_naming(words);
        assert_eq!(
            std::fs::read(&weights).expect("it is there"),
            b"old",
            "{name}"
        );
    }
}
