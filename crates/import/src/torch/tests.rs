//! Broken or malicious programs give one clear line each, and never panic.

use std::io::Write as _;

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::read;
use crate::evaluate::evaluate;
use crate::fold::fold;
use crate::tensor::Tensor;

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, contents) in files {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        zip.start_file(format!("net/{path}"), options)
            .expect("a file begins");
        zip.write_all(contents).expect("it is written");
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// `y = relu(x * transpose(w))` in PyTorch's JSON.
fn program() -> Value {
    let tensor = |name: &str| json!({"as_tensor": {"name": name}});
    let call = |target: &str, inputs: &[(&str, &str)], output: &str| {
        let inputs: Vec<Value> = inputs
            .iter()
            .map(|(name, value)| json!({"name": name, "arg": tensor(value)}))
            .collect();
        let trace = "File \"model.py\", line 3, in forward\n    return self.l(x).relu()";
        json!({"target": format!("torch.ops.aten.{target}"), "inputs": inputs, "outputs": [tensor(output)], "metadata": {"stack_trace": trace}})
    };
    let symbol = json!({"as_expr": {"expr_str": "Symbol('s77', positive=True, integer=True)"}});
    json!({
        "schema_version": {"major": 8, "minor": 20}, "torch_version": "2.15.0", "opset_version": {"aten": 10},
        "graph_module": {
            "graph": {
                "nodes": [call("linear.default", &[("input", "x"), ("weight", "p_w")], "linear"), call("relu.default", &[("self", "linear")], "relu")],
                "tensor_values": {"x": {"dtype": 7, "sizes": [symbol, {"as_int": 3}]}},
            },
            "signature": {
                "input_specs": [{"parameter": {"arg": {"name": "p_w"}, "parameter_name": "l.weight"}}, {"user_input": {"arg": tensor("x")}}],
                "output_specs": [{"user_output": {"arg": tensor("relu")}}],
            },
        },
    })
}

/// A 2x3 weight, stored column by column.
fn config() -> Value {
    let int = |value: i64| json!({"as_int": value});
    let meta = json!({"dtype": 7, "sizes": [int(2), int(3)], "strides": [int(1), int(2)], "storage_offset": int(1)});
    json!({"config": {"l.weight": {"path_name": "weight_0", "use_pickle": false, "tensor_meta": meta}}})
}

fn weights() -> Vec<u8> {
    (0..7_u8)
        .flat_map(|value| f32::from(value).to_le_bytes())
        .collect()
}

fn file(program: &Value, config: &Value, weights: &[u8]) -> Vec<u8> {
    archive(&[
        ("models/model.json", program.to_string().as_bytes()),
        (
            "data/weights/model_weights_config.json",
            config.to_string().as_bytes(),
        ),
        ("data/weights/weight_0", weights),
    ])
}

/// The error for a modified program or configuration of weights.
fn message(change: impl FnOnce(&mut Value, &mut Value)) -> String {
    let (mut program, mut config) = (program(), config());
    change(&mut program, &mut config);
    let read = read(&file(&program, &config, &weights())).and_then(|graph| fold(&graph));
    let message = read.expect_err("it is wrong").to_string();
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
    message
}

#[test]
fn a_program_is_read_with_weights_in_any_order() {
    let graph = read(&file(&program(), &config(), &weights())).expect("it is right");
    assert_eq!(
        graph.table(),
        "input x [s77, 3] f32\nconstant p_w = f32 [2, 3]\nlinear = aten.linear.default(x, p_w, -)    # model.py:3 `return self.l(x).relu()`\n\
         relu = aten.relu.default(linear)    # model.py:3 `return self.l(x).relu()`\noutput relu\n"
    );
    let x = std::sync::Arc::new(Tensor::floats(&[1, 3], vec![1.0, 10.0, -100.0]).expect("it fits"));
    let numbers = evaluate(&graph, &[x]).expect("lengths fit");
    let linear = numbers
        .iter()
        .flatten()
        .find(|tensor| tensor.shape() == [1, 2])
        .expect("it is made");
    assert_eq!(
        linear.as_floats(),
        Some(&[1.0 + 30.0 - 500.0, 2.0 + 40.0 - 600.0][..])
    );
}

/// `x.max(1)` also returns indices.
#[test]
fn maxima_have_values_and_places() {
    let mut program = program();
    let tensor = |name: &str| json!({"as_tensor": {"name": name}});
    program["graph_module"]["graph"]["nodes"][1] = json!({
        "target": "torch.ops.aten.max.dim", "outputs": [tensor("relu"), tensor("places")],
        "inputs": [{"name": "self", "arg": tensor("linear")}, {"name": "dim", "arg": {"as_int": 1}}],
    });
    let graph = read(&file(&program, &config(), &weights())).expect("it is right");
    let x = std::sync::Arc::new(Tensor::floats(&[1, 3], vec![1.0, 10.0, 100.0]).expect("it fits"));
    let numbers = evaluate(&graph, &[x]).expect("lengths fit");
    let greatest = numbers[graph.outputs[0]].as_ref().expect("it is made");
    assert_eq!(
        (greatest.shape(), greatest.as_floats()),
        (&[1][..], Some(&[2.0 + 40.0 + 600.0][..]))
    );
}

#[test]
fn broken_programs_are_told() {
    let version = message(|program, _| program["schema_version"]["major"] = json!(7));
    assert_eq!(
        version,
        "the schema of the program, 7.20 is not read: version 8 is; export the model with PyTorch 2.8 or newer"
    );
    let pickled = message(|_, config| config["config"]["l.weight"]["use_pickle"] = json!(true));
    assert!(
        pickled.starts_with("tensor `l.weight` is a pickle, which is a program and is not run; "),
        "{pickled}"
    );
    let missing = message(|_, config| config["config"] = json!({}));
    assert_eq!(missing, "tensor `l.weight`: is not in the archive");
    let far = message(|_, config| {
        config["config"]["l.weight"]["tensor_meta"]["storage_offset"]["as_int"] = json!(2)
    });
    assert_eq!(
        far,
        "tensor `l.weight`: the shape [2, 3] does not fit into its file of 7 numbers"
    );
    let huge = message(|_, config| {
        config["config"]["l.weight"]["tensor_meta"]["sizes"] =
            json!([{"as_int": 1_u64 << 40}, {"as_int": 3}]);
    });
    assert!(
        huge.contains("more than 268435456 elements, the limit"),
        "{huge}"
    );
    let stride = message(|_, config| {
        config["config"]["l.weight"]["tensor_meta"]["strides"][0]["as_int"] = json!(i64::MAX);
    });
    assert!(stride.contains("does not fit into its file"), "{stride}");
    let unknown = message(|program, _| {
        program["graph_module"]["graph"]["nodes"][1]["target"] =
            json!("torch.ops.aten.gelu.default");
    });
    assert_eq!(
        unknown,
        "a node has no counterpart: `relu` (aten.gelu.default) at model.py:3 `return self.l(x).relu()`: the language has no such \
         activation; the nearest are `silu` and `hard_swish`"
    );
    let open = message(|program, _| {
        program["graph_module"]["graph"]["tensor_values"]["x"]["sizes"][1] =
            json!({"as_expr": {"expr_str": "s1"}});
    });
    assert!(
        open.starts_with("input `x` leaves axis 1 (`s1`) open"),
        "{open}"
    );
    let training = message(|program, _| {
        program["graph_module"]["signature"]["output_specs"][0] = json!({"buffer_mutation": {}});
    });
    assert!(training.contains("call `model.eval()`"), "{training}");
    let circle = message(|program, _| {
        program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] =
            json!({"as_tensor": {"name": "relu"}});
    });
    assert_eq!(
        circle,
        "nodes read each other in a circle: `relu` -> `linear` -> `relu`"
    );
}

#[test]
fn pickles_are_never_run() {
    let error = |file: &[u8]| read(file).expect_err("it is no program").to_string();
    for (path, what) in [
        ("data.pkl", "`torch.save`"),
        ("constants.pkl", "TorchScript"),
        ("serialized_exported_program.json", "before PyTorch 2.8"),
        ("data/aotinductor/x.so", "compiled"),
        ("readme", "without `models/model.json`"),
    ] {
        let message = error(&archive(&[(path, b"")]));
        assert!(
            message.contains(what) && message.contains("torch.export.save("),
            "{message}"
        );
    }
    for pickle in [vec![0x80, 2, 0x63], archive(&[("data.pkl", b"")])] {
        let message = error(&pickle);
        for advice in [
            "the file is a pickle",
            "`nnue quantize` from safetensors",
            "`serialize.py`",
        ] {
            assert!(message.contains(advice), "`{advice}` is not in: {message}");
        }
    }
    assert!(error(&[8, 10, 18]).contains("`nnue import onnx`"));
    assert!(error(b"PK\x03\x04").starts_with("the archive is damaged or cut off"));
    let two = archive(&[("models/a.json", b"{}"), ("models/b.json", b"{}")]);
    assert!(error(&two).starts_with("the archive has 2 programs"));
    let bare = archive(&[
        ("models/model.json", b"{"),
        ("data/weights/model_weights_config.json", b""),
    ]);
    assert!(error(&bare).contains("`models/model.json` is no JSON"));
    let deep = archive(&[("models/model.json", "[".repeat(1 << 20).as_bytes())]);
    assert!(error(&deep).contains("is no JSON"));
}

#[test]
fn cut_and_flipped_archives_never_panic() {
    let bytes = file(&program(), &config(), &weights());
    for cut in 0..bytes.len() {
        assert!(
            read(&bytes[..cut]).is_err(),
            "{cut} bytes of {} are no program",
            bytes.len()
        );
    }
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        if let Ok(graph) = read(&flipped) {
            let _ = fold(&graph);
        }
    }
}

/// A weight that no input refers to, and one whose input no node reads.
#[test]
fn weights_that_nothing_reads_are_named() {
    use crate::fold::all_is_read;

    let graph = read(&file(&program(), &config(), &weights())).expect("it is right");
    all_is_read(&graph).expect("its only weight is read");
    let mut more = config();
    more["config"]["head.weight"] = more["config"]["l.weight"].clone();
    let graph = read(&file(&program(), &more, &weights())).expect("it is right");
    let error = all_is_read(&graph).expect_err("a weight is left over");
    assert_eq!(
        error.to_string(),
        "a tensor of the file is read by nothing that leads to an output: `head.weight`"
    );
    let mut given = program();
    given["graph_module"]["signature"]["input_specs"]
        .as_array_mut()
        .expect("a list")
        .push(json!({"parameter": {"arg": {"name": "p_h"}, "parameter_name": "head.weight"}}));
    let graph = read(&file(&given, &more, &weights())).expect("it is right");
    let error = all_is_read(&graph).expect_err("a weight is left over");
    assert!(error.to_string().ends_with(": `p_h` [2, 3]"), "{error}");
}
