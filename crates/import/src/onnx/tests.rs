//! Broken or malicious models give one clear line each, and never panic.

use prost::Message as _;

use super::proto::{
    Attribute, Dimension, Entry, Graph, Model, Node, Opset, Shape, Tensor, TensorType, Type,
    ValueInfo,
};
use super::read;
use crate::fold::fold;

fn input(name: &str, lengths: &[Option<i64>]) -> ValueInfo {
    let dim = |value: &Option<i64>| Dimension {
        value: *value,
        parameter: String::new(),
    };
    let shape = Some(Shape {
        dim: lengths.iter().map(dim).collect(),
    });
    ValueInfo {
        name: name.into(),
        r#type: Some(Type {
            tensor: Some(TensorType { element: 1, shape }),
        }),
    }
}

fn floats(name: &str, dims: &[i64], values: &[f32]) -> Tensor {
    let raw_data = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect::<Vec<u8>>()
        .into();
    Tensor {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: 1,
        raw_data,
        ..Tensor::default()
    }
}

fn node(operation: &str, inputs: &[&str], output: &str) -> Node {
    let input = inputs.iter().map(|&name| name.to_owned()).collect();
    Node {
        op_type: operation.into(),
        input,
        output: vec![output.into()],
        ..Node::default()
    }
}

/// `y = relu(x * w)` over four elements.
fn model() -> Model {
    let graph = Graph {
        node: vec![node("MatMul", &["x", "w"], "h"), node("Relu", &["h"], "y")],
        initializer: vec![floats("w", &[4, 2], &[0.5; 8])],
        input: vec![input("x", &[None, Some(4)])],
        output: vec![input("y", &[None, Some(2)])],
        sparse_initializer: Vec::new(),
        name: String::new(),
    };
    let opset_import = vec![Opset {
        domain: String::new(),
        version: 20,
    }];
    Model {
        ir_version: 8,
        opset_import,
        graph: Some(graph),
        ..Model::default()
    }
}

/// The error for a modified model.
fn message(change: impl FnOnce(&mut Model, &mut Graph)) -> String {
    let (mut model, mut graph) = (model(), model().graph.expect("it has a graph"));
    change(&mut model, &mut graph);
    model.graph = Some(graph);
    let read = read(model.encode_to_vec(), None).and_then(|graph| fold(&graph));
    let message = read.expect_err("it is wrong").to_string();
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
    message
}

#[test]
fn a_model_is_read() {
    let graph = read(model().encode_to_vec(), None).expect("it is right");
    assert_eq!(
        graph.table(),
        "input x [?, 4] f32\nconstant w = f32 [4, 2]\nh = MatMul(x, w)\ny = Relu(h)\noutput y\n"
    );
    assert_eq!(
        fold(&graph).expect("lengths fit").shapes[*graph.outputs.first().expect("an output")],
        [2, 2]
    );
}

#[test]
fn broken_models_are_told() {
    let circle = message(|_, graph| graph.node[0].input[0] = "y".into());
    assert_eq!(
        circle,
        "nodes read each other in a circle: `y` -> `h` -> `y`"
    );
    let missing = message(|_, graph| graph.initializer.clear());
    assert_eq!(
        missing,
        "node `h` (MatMul) reads `w`, which no node, input or initializer makes"
    );
    let huge = message(|_, graph| graph.initializer[0].dims = vec![1 << 20, 1 << 20]);
    assert_eq!(
        huge,
        "tensor `w`: the shape [1048576, 1048576] has more than 268435456 elements, the limit"
    );
    let old = message(|model, _| model.opset_import[0].version = 8);
    assert_eq!(
        old,
        "opset 8 is not read: 9 to 24 are; export it with `opset_version=20`"
    );
    assert!(message(|model, _| model.opset_import.clear()).starts_with("opset (none) is not read"));
    let nan = message(|_, graph| {
        graph.initializer[0] = floats("w", &[4, 2], &[0.0, 0.0, f32::NAN, 0.0, 0.0, 0.0, 0.0, 0.0])
    });
    assert_eq!(
        nan,
        "`w` has the number NaN at 2: floats of a network are finite, the training diverged"
    );
    let short = message(|_, graph| graph.initializer[0] = floats("w", &[4, 2], &[0.5; 7]));
    assert_eq!(
        short,
        "tensor `w`: the shape [4, 2] has 8 numbers, the data have 7"
    );
    let twice = message(|_, graph| graph.node[1].output[0] = "h".into());
    assert_eq!(twice, "`h` is made twice");
    let lengths = message(|_, graph| graph.initializer[0].dims = vec![2, 4]);
    assert_eq!(
        lengths,
        "node `h` (MatMul): the matrices [2, 4] and [2, 4] do not fit together"
    );
    let open = message(|_, graph| graph.input[0] = input("x", &[None, None]));
    assert!(
        open.starts_with("input `x` leaves axis 1 (`?`) open: only the first axis"),
        "{open}"
    );
    let row = message(|_, graph| {
        graph.node[0] = node("Gather", &["w", "i"], "h");
        graph.initializer.push(Tensor {
            data_type: 7,
            dims: vec![1],
            int64_data: vec![9],
            name: "i".into(),
            ..Tensor::default()
        });
    });
    assert_eq!(row, "node `h` (Gather): index 9 of 4");
}

#[test]
fn all_unknown_operations_are_listed_with_their_lines() {
    let unknown = message(|_, graph| {
        let trace = "File \"train/model.py\", line 7, in forward\n    x = gelu(x)".to_owned();
        let metadata = vec![Entry {
            key: "pkg.torch.onnx.stack_trace".into(),
            value: trace,
        }];
        graph.node[0] = Node {
            metadata,
            ..node("Gelu", &["x"], "h")
        };
        graph.node[1] = Node {
            domain: "com.example".into(),
            ..node("Magic", &["h"], "y")
        };
        graph.node.push(node("Dead", &["h"], "d"));
    });
    assert_eq!(
        unknown,
        "2 nodes have no counterpart: `h` (Gelu) at model.py:7 `x = gelu(x)`: the language has no such activation; the nearest are \
         `silu` and `hard_swish`; `y` (com.example.Magic): operations beside ONNX's own are not read; export the model without them"
    );
}

#[test]
fn data_outside_the_folder_are_not_read() {
    let outside = |path: &str| {
        message(|_, graph| {
            let entry = Entry {
                key: "location".into(),
                value: path.into(),
            };
            let tensor = &mut graph.initializer[0];
            (tensor.data_location, tensor.external_data) = (1, vec![entry]);
        })
    };
    for path in ["../../secret", "/etc/passwd", "a/../../b", ""] {
        let expected = format!(
            "tensor `w` is in the file `{path}`: only files in the folder of the model are read"
        );
        assert_eq!(outside(path), expected);
    }
    assert!(outside("weights.bin").ends_with("the model was not read from a folder"));
}

#[test]
fn data_in_the_folder_are_read() {
    let folder = std::env::temp_dir().join(format!("nnue-import.{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    std::fs::write(
        folder.join("w.bin"),
        [&[0; 4][..], &1.0_f32.to_le_bytes().repeat(8)].concat(),
    )
    .expect("it is written");
    let mut model = model();
    let tensor = &mut model.graph.as_mut().expect("a graph").initializer[0];
    let entry = |key: &str, value: &str| Entry {
        key: key.into(),
        value: value.into(),
    };
    tensor.raw_data.clear();
    (tensor.data_location, tensor.external_data) =
        (1, vec![entry("location", "w.bin"), entry("offset", "4")]);
    let graph = read(model.encode_to_vec(), Some(&folder)).expect("it is right");
    let weights = graph
        .values
        .iter()
        .find_map(|value| value.constant.as_ref())
        .expect("there are weights");
    assert_eq!(weights.as_floats(), Some(&[1.0; 8][..]));
    let tensor = &mut model.graph.as_mut().expect("a graph").initializer[0];
    tensor.external_data[1] = entry("offset", "5");
    let error = read(model.encode_to_vec(), Some(&folder)).expect_err("the file is too short");
    assert_eq!(
        error.to_string(),
        "tensor `w` is in the file `w.bin`: the file is too short: it has 36 bytes, 37 are needed"
    );
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc/hostname", folder.join("link"))
            .expect("a link can be made");
        let tensor = &mut model.graph.as_mut().expect("a graph").initializer[0];
        tensor.external_data = vec![entry("location", "link")];
        let error = read(model.encode_to_vec(), Some(&folder))
            .expect_err("it leads out")
            .to_string();
        assert!(
            error.ends_with("no such file in the folder of the model"),
            "{error}"
        );
    }
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

#[test]
fn cut_and_flipped_models_never_panic() {
    let bytes = model().encode_to_vec();
    for cut in 0..bytes.len() {
        let result = read(bytes[..cut].to_vec(), None);
        assert!(
            result.is_err(),
            "{cut} bytes of {} are no model",
            bytes.len()
        );
    }
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << bit;
            if let Ok(graph) = read(flipped, None) {
                let _ = fold(&graph);
            }
        }
    }
}

#[test]
fn files_that_would_fill_the_memory_are_refused() {
    // Nodes of two bytes each.
    let nodes = [0x0a, 0].repeat(3 << 20);
    let mut model = vec![0x3a];
    let mut length = nodes.len();
    while length > 127 {
        model.push(length as u8 | 128);
        length >>= 7;
    }
    model.push(length as u8);
    model.extend(nodes);
    let error = read(model, None)
        .expect_err("they are too many")
        .to_string();
    assert_eq!(error, "the file has more than 2097152 fields, the limit");
}

#[test]
fn other_files_are_named() {
    let error = |file: &[u8]| {
        read(file.to_vec(), None)
            .expect_err("it is no model")
            .to_string()
    };
    assert!(error(b"PK\x03\x04").contains("`nnue import torch`"));
    assert!(error(&[0x80, 2, 0x63]).starts_with("the file is a pickle"));
    assert!(error(b"").starts_with("the file is empty"));
    assert!(error(b"\x89PNG\r\n").starts_with("the file is no ONNX model"));
}

#[test]
fn attributes_become_inputs() {
    let mut model = model();
    model.opset_import[0].version = 9;
    let clip = model.graph.as_mut().expect("a graph");
    let limit = |name: &str, f: f32| Attribute {
        name: name.into(),
        f,
        ..Attribute::default()
    };
    clip.node[1] = Node {
        attribute: vec![limit("min", 0.25), limit("max", 0.75)],
        ..node("Clip", &["h"], "y")
    };
    let graph = read(model.encode_to_vec(), None).expect("it is right");
    let x = std::sync::Arc::new(
        crate::Tensor::floats(&[3, 4], [[0.0; 4], [0.25; 4], [1.0; 4]].concat()).expect("it fits"),
    );
    let numbers = crate::evaluate::evaluate(&graph, &[x]).expect("lengths fit");
    let y = numbers[graph.outputs[0]].as_ref().expect("it is made");
    assert_eq!(y.as_floats(), Some(&[0.25, 0.25, 0.5, 0.5, 0.75, 0.75][..]));
}

#[test]
fn weights_of_8_bits_are_floats() {
    let integers = |name: &str, dims: &[i64], data_type: i32, values: &[i32]| Tensor {
        name: name.into(),
        dims: dims.to_vec(),
        data_type,
        int32_data: values.to_vec(),
        ..Tensor::default()
    };
    let along = |axis: i64| Attribute {
        name: "axis".into(),
        i: axis,
        kind: 2,
        ..Attribute::default()
    };
    let weights = |scale: Tensor, axis: i64| {
        let mut model = model();
        let graph = model.graph.as_mut().expect("a graph");
        let zero = integers(
            "z",
            &scale.dims,
            3,
            &vec![1; scale.dims.iter().product::<i64>() as usize],
        );
        graph.initializer = vec![
            integers("q", &[4, 2], 3, &[1, 2, 3, 4, 5, 6, 7, -127]),
            scale,
            zero,
        ];
        let dequantize = Node {
            attribute: vec![along(axis)],
            ..node("DequantizeLinear", &["q", "s", "z"], "w")
        };
        graph.node.insert(0, dequantize);
        let graph = read(model.encode_to_vec(), None).expect("it is right");
        let folded = fold(&graph).expect("lengths fit");
        let found = folded
            .graph
            .values
            .iter()
            .filter_map(|value| value.constant.as_ref());
        found
            .filter(|tensor| tensor.shape() == [4, 2])
            .find_map(|tensor| tensor.as_floats().map(<[f32]>::to_vec))
    };
    let one = weights(floats("s", &[], &[0.5]), 1).expect("they are floats");
    assert_eq!(one, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, -64.0]);
    let rows = weights(floats("s", &[4], &[1.0, 2.0, 4.0, 8.0]), 0).expect("they are floats");
    assert_eq!(rows, [0.0, 1.0, 4.0, 6.0, 16.0, 20.0, 48.0, -1024.0]);
    let columns = weights(floats("s", &[2], &[1.0, 0.25]), -1).expect("they are floats");
    assert_eq!(columns, [0.0, 0.25, 2.0, 0.75, 4.0, 1.25, 6.0, -32.0]);
    let rounded = message(|_, graph| {
        graph.initializer.push(floats("s", &[2], &[0.5, 0.25]));
        graph.node[1] = node("DequantizeLinear", &["h", "s"], "y");
    });
    assert!(
        rounded.contains("values are rounded in steps of one scale, to 8 or 16 bits"),
        "{rounded}"
    );
}

#[test]
fn a_graph_that_is_only_its_input_is_told() {
    let mut model = model();
    let graph = model.graph.as_mut().expect("a graph");
    graph.node = vec![node("Identity", &["x"], "y")];
    let graph = read(model.encode_to_vec(), None).expect("it is right");
    let folded = fold(&graph).expect("lengths fit");
    let error = crate::declare::dense(&graph, &folded, "Net").expect_err("it has no operation");
    assert_eq!(
        error.to_string(),
        "the output of the graph is its input: a network has one operation or more"
    );
}
