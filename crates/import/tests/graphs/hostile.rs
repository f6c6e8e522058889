//! Files of a few bytes that ask for gibibytes: each is refused with both numbers, in less memory than it asks for.

use std::io::Write as _;

use nnue_import::fold::fold;
use nnue_import::{ImportError, npz, onnx, torch};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The one test that runs in a process of its own, with little memory.
const INSIDE: &str = "hostile::small_files_ask_for_much";

/// Kibibytes of address space for [`INSIDE`].
const MEMORY: usize = 2_000_000;

/// Runs [`INSIDE`] under `ulimit -v`: what is not refused in time is killed.
#[test]
#[cfg(target_os = "linux")]
fn little_memory_is_enough() {
    nnue_testkit::process::passes_in_little_memory(MEMORY, INSIDE);
}

/// Asserts that the file needs more than it may.
fn too_much(name: &str, result: Result<(), ImportError>) {
    match result.expect_err(name) {
        ImportError::Memory { needed, most, .. } => assert!(needed > most, "{name}"),
        other => panic!("{name}: {other}"),
    }
}

#[test]
#[ignore = "run by `little_memory_is_enough`, in a process with little memory"]
fn small_files_ask_for_much() {
    let made = |file: &[u8]| fold(&onnx::read(file.to_vec(), None)?).map(drop);
    too_much("expand", made(include_bytes!("hostile/expand28.onnx")));
    too_much("range", made(include_bytes!("hostile/range28.onnx")));
    too_much("concat", made(include_bytes!("hostile/doubleconcat.onnx")));

    let read = |file: &[u8]| torch::read(file).map(drop);
    let zeros = vec![0; 4 << 20];
    too_much("one entry, many weights", read(&program(&zeros, 40)));
    let mut large = program(&zeros, 1);
    claim_size(&mut large, "net/data/weights/weight_0", 2 << 30);
    too_much("a large entry", read(&large));
    let objects = format!("[{}0]", "{},".repeat(1 << 20));
    let text = archive(&[("models/model.json", objects.as_bytes())]);
    too_much("many objects", read(&text));

    let mut arrays = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    put(&mut arrays, "x.npy", &zeros);
    let mut arrays = arrays.finish().expect("it ends").into_inner();
    claim_size(&mut arrays, "x.npy", 3 << 30);
    too_much("an array", npz::read(&arrays).map(drop));
}

/// Opening a pipe without a writer would wait for ever.
#[test]
#[cfg(unix)]
fn tensors_are_read_from_regular_files_only() {
    let folder = std::env::temp_dir().join(format!("nnue-import-pipe.{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    nnue_testkit::process::make_pipe(&folder.join("fifo"));
    let file = include_bytes!("hostile/externalfifo.onnx");
    let error = onnx::read(file.to_vec(), Some(&folder)).expect_err("a pipe is no file");
    assert_eq!(
        error.to_string(),
        "tensor `w` is in the file `fifo`: it is no regular file"
    );
    std::fs::remove_dir_all(&folder).expect("it can be removed");
}

/// A program with so many weights, all of them the bytes of one file.
fn program(weight: &[u8], weights: usize) -> Vec<u8> {
    let name = |index: usize| format!("w{index}");
    let int = |value: usize| json!({"as_int": value});
    let spec = |index: usize| json!({"parameter": {"arg": {"name": name(index)}, "parameter_name": name(index)}});
    let specs: Vec<Value> = (0..weights).map(spec).collect();
    let model = json!({
        "schema_version": {"major": 8, "minor": 20},
        "graph_module": {
            "graph": {"nodes": [], "tensor_values": {}},
            "signature": {
                "input_specs": specs,
                "output_specs": [{"user_output": {"arg": {"as_tensor": {"name": name(0)}}}}],
            },
        },
    });
    // Bytes, which become integers of 64 bits.
    let meta = json!({"dtype": 1, "sizes": [int(weight.len())], "strides": [int(1)], "storage_offset": int(0)});
    let entry = json!({"path_name": "weight_0", "use_pickle": false, "tensor_meta": meta});
    let config: serde_json::Map<String, Value> = (0..weights)
        .map(|index| (name(index), entry.clone()))
        .collect();
    archive(&[
        ("models/model.json", model.to_string().as_bytes()),
        (
            "data/weights/model_weights_config.json",
            json!({ "config": config }).to_string().as_bytes(),
        ),
        ("data/weights/weight_0", weight),
    ])
}

fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, contents) in files {
        put(&mut zip, &format!("net/{path}"), contents);
    }
    zip.finish().expect("the archive ends").into_inner()
}

/// A deflated file.
fn put(zip: &mut ZipWriter<std::io::Cursor<Vec<u8>>>, path: &str, contents: &[u8]) {
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    zip.start_file(path, options).expect("a file begins");
    zip.write_all(contents).expect("it is written");
}

/// Changes the size that the directory of an archive says of a file.
fn claim_size(archive: &mut [u8], path: &str, size: u32) {
    const ENTRY: usize = 46;
    let at = (0..archive.len() - ENTRY)
        .find(|&at| {
            archive[at..].starts_with(b"PK\x01\x02")
                && archive[at + ENTRY..].starts_with(path.as_bytes())
        })
        .expect("the directory has the file");
    archive[at + 24..at + 28].copy_from_slice(&size.to_le_bytes());
}
