//! `nnue quantize`.

use std::path::PathBuf;

use nnue_format::Tensors;
use nnue_spec::TensorRole;
use nnue_spec::plan::Plan;
use nnue_testkit::random::Random;
use nnue_tools::quantize::factors;

use crate::{file, nnue, text};

pub(crate) const SIMPLE: &str =
    "pub struct Simple = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };\n";

/// Tensors of [`SIMPLE`] by their names in bullet.
pub(crate) fn floats() -> Vec<(&'static str, Vec<f32>)> {
    let mut random = Random::new(5);
    let mut tensor = |count: usize| {
        (0..count)
            .map(|_| random.below(3801) as f32 / 1000.0 - 1.9)
            .collect::<Vec<f32>>()
    };
    vec![
        ("l0b", tensor(32)),
        ("l0w", tensor(768 * 32)),
        ("l1b", tensor(1)),
        ("l1w", tensor(64)),
    ]
}

fn bytes(values: &[f32]) -> impl Iterator<Item = u8> {
    values.iter().flat_map(|value| value.to_le_bytes())
}

/// As bullet's `weights.bin`.
pub(crate) fn weights(name: &str, tensors: &[(&str, Vec<f32>)]) -> PathBuf {
    let mut contents = Vec::new();
    for (name, values) in tensors {
        contents.extend(
            format!("{name}\n")
                .bytes()
                .chain((values.len() as u64).to_le_bytes())
                .chain(bytes(values)),
        );
    }
    file(name, &contents)
}

/// As safetensors, with the usual shapes.
fn safetensors(name: &str, tensors: &[(&str, Vec<f32>)]) -> PathBuf {
    let (mut entries, mut data) = (Vec::new(), Vec::new());
    for (name, values) in tensors {
        let shape = match *name {
            "l0w" => "[768,32]".into(),
            "l1w" => "[1,64]".into(),
            _ => format!("[{}]", values.len()),
        };
        let start = data.len();
        data.extend(bytes(values));
        entries.push(format!(
            r#""{name}":{{"dtype":"F32","shape":{shape},"data_offsets":[{start},{}]}}"#,
            data.len()
        ));
    }
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

fn declaration(name: &str, source: &str) -> PathBuf {
    file(name, source.as_bytes())
}

/// The whole numbers of the network, in the order of the file: l0w, l0b, l1w, l1b.
fn expected(tensors: &[(&str, Vec<f32>)], whole: fn(f64) -> f64) -> Vec<u8> {
    let order = [(1, 255.0), (0, 255.0), (3, 64.0), (2, 255.0 * 64.0)];
    let numbers = order.iter().flat_map(|&(tensor, factor)| {
        tensors[tensor]
            .1
            .iter()
            .flat_map(move |&weight| (whole(factor * f64::from(weight)) as i16).to_le_bytes())
    });
    numbers.collect()
}

#[test]
fn all_kinds_of_files_give_the_network_that_the_trainer_saves() {
    let source = declaration("simple.rs", SIMPLE);
    let floats = floats();
    let raw = [1, 0, 3, 2]
        .iter()
        .flat_map(|&tensor: &usize| bytes(&floats[tensor].1))
        .collect::<Vec<u8>>();
    let files = [
        weights("simple-weights.bin", &floats),
        safetensors("simple.safetensors", &floats),
        file("simple-raw.bin", &raw),
    ];
    let output = source.with_file_name("simple.bin");
    for path in &files {
        for (how, whole) in [
            ("truncate", f64::trunc as fn(f64) -> f64),
            ("nearest", f64::round),
        ] {
            let arguments = [
                "quantize",
                text(path),
                "--declaration",
                text(&source),
                "--round",
                how,
                "-o",
                text(&output),
            ];
            let out = nnue(&arguments).succeeds();
            let (found, right) = (
                std::fs::read(&output).expect("it was written"),
                expected(&floats, whole),
            );
            assert!(
                found.starts_with(&right) && found.len() == right.len().next_multiple_of(64),
                "{out}"
            );
            assert!(
                out.contains("ft_weight    l0w          i16         255      24576"),
                "{out}"
            );
            assert!(out.contains("325 positions of the built-in suite"), "{out}");
            assert!(out.contains("simple.bin, 49408 bytes"), "{out}");
        }
    }
    let eval = [
        "eval",
        "--declaration",
        text(&source),
        "--net",
        text(&output),
        "--tsv",
    ];
    assert_eq!(nnue(&eval).succeeds().lines().count(), 2);
}

#[test]
fn a_factoriser_is_merged_where_asked_for() {
    let kings = "pub struct Kings = Chess768[buckets: [0 x 16, 1 x 16], mirrored] -> 32x2 @ 255 screlu -> 1: i16 @ 64 { format raw };";
    let source = declaration("kings.rs", kings);
    let mut tensors = floats();
    tensors[1].1 = [&tensors[1].1[..], &tensors[1].1].concat();
    let shared: Vec<f32> = tensors[1].1[..768 * 32]
        .iter()
        .map(|weight| -weight)
        .collect();
    tensors.push(("l0f", shared));
    let path = weights("kings-weights.bin", &tensors);
    let output = source.with_file_name("kings.bin");
    let base = ["quantize", text(&path), "--declaration", text(&source)];
    nnue(&base).fails_naming(&[
        "kings-weights.bin: `l0f` belongs to no tensor",
        "--factoriser=l0f, or --ignore l0f",
    ]);
    nnue(&[&base[..], &["--factoriser", "-o", text(&output)]].concat()).succeeds();
    let merged = std::fs::read(&output).expect("it was written");
    assert!(
        merged[..4 * 768 * 32].iter().all(|&byte| byte == 0),
        "weights and factoriser cancel out"
    );
    assert!(merged[4 * 768 * 32..][..64].iter().any(|&byte| byte != 0));
    nnue(&[&base[..], &["--ignore", "l0f"]].concat()).succeeds();
    nnue(&[&base[..], &["--factoriser=l0g"]].concat())
        .fails_naming(&["the factoriser is not there", "`l0g`"]);
}

#[test]
fn golden_values_that_only_a_program_compares_are_told() {
    let source = "pub struct Two = (768 -> 32)x2 @ 255 screlu -> 1x2: i16 @ 64 by self::by_color {
        format raw; golden \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\" = 7;
    };";
    let mut tensors = floats();
    tensors[2..]
        .iter_mut()
        .for_each(|(_, values)| *values = values.repeat(2));
    let (source, path) = (
        declaration("two.rs", source),
        weights("two-weights.bin", &tensors),
    );
    let run = nnue(&["quantize", text(&path), "--declaration", text(&source)]);
    let what = "the function that chooses the layer stack is defined by a program";
    assert_eq!(
        run.err,
        format!("note: the golden values were not compared: {what}\n")
    );
    assert!(run.succeeds().contains("drift        not measured"));
}

#[test]
fn weights_that_do_not_fit_are_an_error_or_clamped() {
    let source = declaration("saturated.rs", SIMPLE);
    let mut tensors = floats();
    tensors[2].1[0] = 3.0;
    let path = weights("saturated-weights.bin", &tensors);
    let base = ["quantize", text(&path), "--declaration", text(&source)];
    nnue(&base).fails_with(&format!(
        "{}: `fc0_bias` (`l1b`): 1 weight does not fit in i16, -32768 to 32767; the worst is number 0, 3 * 16320 = 48960.0: \
         declare `format raw {{ fc0_bias: i32 }}`, which holds it; --saturate clamps what does not fit, and changes what the network computes",
        text(&path)
    ));
    let wide = SIMPLE.replace("format raw", "format raw { fc0_bias: i32 }");
    let wide = declaration("wide-bias.rs", &wide);
    let out = nnue(&["quantize", text(&path), "--declaration", text(&wide)]).succeeds();
    assert!(!out.contains("clamped"), "{out}");
    let out = nnue(&[&base[..], &["--saturate"]].concat()).succeeds();
    assert!(
        out.contains("fc0_bias: 1 clamped, the worst by 16193"),
        "{out}"
    );
    assert!(
        out.contains("written      nothing: name a file with --output"),
        "{out}"
    );
    let out = nnue(&[&base[..], &["--factor", "fc0_bias=100"]].concat()).succeeds();
    assert!(
        out.contains("fc0_bias     l1b          i16         100"),
        "{out}"
    );
}

/// The declaration of the built-in network.
const DEFAULT: &str = "pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 \
    -> (16 -> 32 -> 1)x8 { format stockfish { encoding: leb128 } };";

#[test]
fn known_networks_are_made_too() {
    let spec = plan("default.rs", DEFAULT);
    let tables = spec.tables();
    let spec = tables.descriptor();
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");
    let (_, tensors) = Tensors::read(&spec, std::fs::File::open(net).expect("it is committed"))
        .expect("it is right");
    let parts = spec
        .tensors
        .iter()
        .zip(tensors.refs())
        .zip(factors(&spec))
        .map(|((desc, tensor), factor)| {
            // the padding columns are no weights, and bullet has the outputs of all buckets one after the other for each input
            let outputs = desc.copies * desc.rows;
            let (inputs, at): (_, Box<dyn Fn(usize) -> usize>) = match desc.role {
                TensorRole::LayerWeight(layer) => (
                    spec.layers[layer].inputs,
                    Box::new(move |index| (index % outputs) * desc.cols + index / outputs),
                ),
                _ => (desc.cols, Box::new(|index| index)),
            };
            let values = (0..outputs * inputs)
                .map(|index| (f64::from(tensor.get(at(index))) / factor) as f32)
                .collect();
            (desc.name, values)
        });
    let path = weights("default-weights.bin", &parts.collect::<Vec<_>>());
    let output = path.with_file_name("default-again.nnue");
    nnue(&[
        "quantize",
        text(&path),
        "--arch",
        "default",
        "--round",
        "nearest",
        "-o",
        text(&output),
    ])
    .succeeds();
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suite.fen");
    let eval = |net| nnue(&["eval", "--net", net, "--fens", suite, "--tsv"]).succeeds();
    assert_eq!(eval(net), eval(text(&output)));
}

fn plan(name: &str, source: &str) -> Plan {
    nnue_codegen::plan_text(source)
        .unwrap_or_else(|_| panic!("{name}"))
        .remove(0)
}

/// As JSON with the names and shapes of the trainer marlinflow.
fn json(name: &str, tensors: &[(&str, Vec<f32>)]) -> PathBuf {
    let rows = |values: &[f32], width: usize| {
        let rows: Vec<String> = values.chunks(width).map(|row| format!("{row:?}")).collect();
        format!("[{}]", rows.join(", "))
    };
    let entry = |(name, values): &(&str, Vec<f32>)| match *name {
        "l0w" => {
            let neuron = |neuron| values.iter().skip(neuron).step_by(32).copied();
            let transposed: Vec<f32> = (0..32).flat_map(neuron).collect();
            format!("\"perspective.weight\": {}", rows(&transposed, 768))
        }
        "l0b" => format!("\"perspective.bias\": {values:?}"),
        "l1w" => format!("\"output.weight\": {}", rows(values, 64)),
        _ => format!("\"output.bias\": {values:?}"),
    };
    let entries: Vec<String> = tensors.iter().map(entry).collect();
    file(name, format!("{{{}}}", entries.join(", ")).as_bytes())
}

#[test]
fn json_of_another_trainer_is_read_by_its_names() {
    let source = declaration("json.rs", SIMPLE);
    let floats = floats();
    let (path, output) = (json("net.json", &floats), file("json.bin", b""));
    let quantize = |more: &[&str]| {
        nnue(
            &[
                &["quantize", text(&path), "--declaration", text(&source)],
                more,
            ]
            .concat(),
        )
    };
    quantize(&[]).fails_naming(&["`perspective.weight`", "--name TENSOR=NAME"]);
    let names = [
        "--name",
        "ft_weight=perspective.weight",
        "--name",
        "ft_bias=perspective.bias",
        "--name",
        "fc0_weight=output.weight",
        "--name",
        "fc0_bias=output.bias",
        "-o",
        text(&output),
    ];
    let out = quantize(&names).succeeds();
    assert!(out.contains("JSON of lists with names"), "{out}");
    let written = std::fs::read(&output).expect("it was written");
    let numbers = expected(&floats, f64::trunc);
    assert!(written.starts_with(&numbers), "the numbers of the floats");
    let wrong = file("wrong.json", b"{\"perspective.weight\": [[1, 2], [3]]}");
    nnue(&["quantize", text(&wrong), "--declaration", text(&source)]).fails_naming(&[
        "wrong.json: expected JSON of named lists",
        "a list of 1 beside one of 2",
    ]);
}

#[cfg(feature = "graphs")]
#[test]
fn arrays_of_numpy_are_read() {
    let floats = floats();
    let arrays: Vec<(&str, nnue_import::Tensor)> = floats
        .iter()
        .map(|(name, values)| {
            let shape: &[usize] = match *name {
                "l0w" => &[768, 32],
                "l1w" => &[1, 64],
                _ => &[values.len()],
            };
            let tensor = nnue_import::Tensor::floats(shape, values.clone());
            (*name, tensor.expect("it has so many"))
        })
        .collect();
    let arrays: Vec<_> = arrays
        .iter()
        .map(|(name, tensor)| (*name, tensor))
        .collect();
    let path = file("net.npz", &nnue_import::npz::write(&arrays));
    let (source, output) = (declaration("npz.rs", SIMPLE), file("npz.bin", b""));
    let files = ["quantize", text(&path), "--declaration", text(&source)];
    let out = nnue(&[&files[..], &["-o", text(&output)]].concat()).succeeds();
    assert!(out.contains("arrays of numpy"), "{out}");
    let written = std::fs::read(&output).expect("it was written");
    assert!(written.starts_with(&expected(&floats, f64::trunc)));
}

/// A `.npy` of version 1.
fn npy(kind: &str, is_fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let header = format!("{{'descr': '{kind}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), data].concat()
}

#[test]
fn an_array_without_a_name_has_all_floats_in_a_list() {
    let (source, output) = (declaration("npy.rs", SIMPLE), file("npy.bin", b""));
    let floats = floats();
    let values: Vec<f64> = [1, 0, 3, 2]
        .iter()
        .flat_map(|&tensor: &usize| floats[tensor].1.iter().copied().map(f64::from))
        .collect();
    let data: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_be_bytes())
        .collect();
    let shape = format!("({},)", values.len());
    let path = file("net.npy", &npy(">f8", false, &shape, &data));
    let files = ["quantize", text(&path), "--declaration", text(&source)];
    nnue(&[&files[..], &["-o", text(&output)]].concat()).succeeds();
    let written = std::fs::read(&output).expect("it was written");
    assert!(written.starts_with(&expected(&floats, f64::trunc)));
    let one = npy("<f4", false, "(2, 3)", &[0; 24]);
    let one = file("one.npy", &one);
    let refused =
        |path: &std::path::Path| nnue(&["quantize", text(path), "--declaration", text(&source)]);
    refused(&one).fails_naming(&["one array of the shape [2, 3]", "numpy.savez", "folder"]);
    let integers = file("integers.npy", &npy("<i2", false, "(2,)", &[0; 4]));
    refused(&integers).fails_naming(&["expected floats, found integers"]);
    let halves = file("unknown.npy", &npy("|V2", false, "(2,)", &[0; 4]));
    refused(&halves).fails_naming(&["type `|V2`", "astype(\"float32\")"]);
}

/// A folder of one file for each tensor: arrays, one of them in the order of Fortran, and floats only.
#[test]
fn a_folder_has_a_file_for_each_tensor() {
    let (source, output) = (declaration("folder.rs", SIMPLE), file("folder.bin", b""));
    let folder = source.with_file_name("tensors");
    let _ = std::fs::remove_dir_all(&folder); // of an earlier run
    std::fs::create_dir_all(&folder).expect("a folder");
    let put = |name: &str, contents: &[u8]| {
        std::fs::write(folder.join(name), contents).expect("a file");
    };
    let quantize = || {
        let files = ["quantize", text(&folder), "--declaration", text(&source)];
        nnue(&[&files[..], &["-o", text(&output)]].concat())
    };
    quantize().fails_naming(&["a folder without tensors", "`NAME.npy`"]);
    let floats = floats();
    let of = |index: usize| bytes(&floats[index].1).collect::<Vec<u8>>();
    put("l0b.bin", &of(0));
    // [32, 768] in the order of Fortran is [768, 32] in that of C
    put("l0w.npy", &npy("<f4", true, "(32, 768)", &of(1)));
    put("l1b.npy", &npy("<f4", false, "(1,)", &of(2)));
    put("l1w.npy", &npy("<f4", false, "(1, 64)", &of(3)));
    put("README.md", b"not a tensor");
    let out = quantize().succeeds();
    assert!(
        out.contains("a folder with a file for each tensor"),
        "{out}"
    );
    let written = std::fs::read(&output).expect("it was written");
    assert!(written.starts_with(&expected(&floats, f64::trunc)));
    put("l1b.bin", &of(2));
    quantize().fails_naming(&["two files of `l1b`"]);
    std::fs::remove_file(folder.join("l1b.npy")).expect("it was there");
    put("l1b.bin", b"[0.5, 0.25, 0.125]");
    quantize().fails_naming(&["l1b.bin", "a text file"]);
}

#[test]
fn bad_input_is_told_in_a_line() {
    let source = declaration("bad.rs", SIMPLE);
    let path = weights("bad-weights.bin", &floats());
    let quantize = |file: &str, more: &[&str]| {
        nnue(&[&["quantize", file, "--declaration", text(&source)], more].concat())
    };
    nnue(&["quantize", text(&path)]).fails_naming(&["which network?", "--declaration", "--arch"]);
    nnue(&["quantize", text(&path), "--arch", "sfnnv99"])
        .fails_naming(&["unknown architecture `sfnnv99`"]);
    quantize("no/such.bin", &[]).fails_to_read("no/such.bin", "no such file");
    quantize(".", &[]).fails_naming(&["it is a folder without tensors"]);
    quantize(text(&path), &["--name", "ft_weight=l9w"]).fails_naming(&[
        "ft_weight is not there",
        "`l9w`",
        "left are `l0b`, `l0w`",
        "--name",
    ]);
    quantize(text(&path), &["--name", "l9w"])
        .fails_naming(&["--name l9w: expected TENSOR=..", "ft_weight, ft_bias"]);
    quantize(text(&path), &["--factor", "fc7_bias=2"]).fails_naming(&["there is no such tensor"]);
    quantize(text(&path), &["--factor", "fc0_bias=-2"])
        .fails_naming(&["`-2` is no positive number"]);
    quantize(text(&path), &["--ignore", "l9w"])
        .fails_naming(&["--ignore l9w: the file has no such tensor"]);
    let cut = file(
        "cut-weights.bin",
        &std::fs::read(&path).expect("it was written")[..5000],
    );
    quantize(text(&cut), &[]).fails_naming(&[
        "cut-weights.bin: `l0w` is to have 24576 floats",
        "bytes are left",
    ]);
    let noise = file("noise.bin", &[7; 4001]);
    quantize(text(&noise), &[]).fails_naming(&["noise.bin: a file of floats has 4 bytes for each"]);
    let binpack = file("data.binpack", b"BINP\xA1\0\x10\0\x8C\x0E\xA9\xE9");
    quantize(text(&binpack), &[])
        .fails_naming(&["data.binpack: this is training data (binpack): `nnue data stats"]);
    // As many bytes as the floats of the declaration have.
    let other = [&0x7AF3_2F20_u32.to_le_bytes()[..], &[0; 4 * 24_672]].concat();
    quantize(text(&file("other.bin", &other)), &[])
        .fails_naming(&["other.bin: this is a Stockfish network"]);
    let short = file("short.bin", &[7; 4000]);
    quantize(text(&short), &[])
        .fails_naming(&["short.bin: the file has 1000 floats, the declaration 24673"]);
    let header = file("header.safetensors", b"\xff\0\0\0\0\0\0\0{");
    quantize(text(&header), &[]).fails_naming(&["the header is longer than the file"]);
}
