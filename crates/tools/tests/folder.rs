//! A file for each tensor: one file is made of them, and a declaration is found.

use std::fs;
use std::path::{Path, PathBuf};

use nnue_codegen::{described_text, single_plan, single_subnets};
use nnue_format::Tensors;
use nnue_spec::{NetDesc, TensorRef};
use nnue_tools::folder::{Folder, FolderError};
use nnue_tools::search::{Found, Search, SearchError, Sizes};

const NET: &str =
    "pub struct Network = (768 -> 32)x2 @ 255 screlu -> 1x3: i16 @ 64 by self::stack {
    format raw { padding: none, fc0_weight: [stack][input], fc0_bias: i32 }
};";

/// An empty folder of a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("tensors")
        .join(name);
    let _ = fs::remove_dir_all(&folder); // of an earlier run
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// An array of numpy of the type `kind`.
fn npy(kind: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n");
    let length = (header.len() as u16).to_le_bytes();
    [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), data].concat()
}

/// Weights of 16 bits that depend on row and column.
fn weight(row: usize, column: usize) -> i16 {
    ((row * 7 + column * 3) % 201) as i16 - 100
}

fn i16s(numbers: impl Iterator<Item = i16>) -> Vec<u8> {
    numbers.flat_map(i16::to_le_bytes).collect()
}

/// Writes the tensors of [`NET`] with the names of bullet; the weights of the accumulator are `[output][input]`.
fn write(folder: &Path) {
    let put = |name: &str, contents: &[u8]| fs::write(folder.join(name), contents).expect("a file");
    let turned = (0..32).flat_map(|column| (0..768).map(move |row| weight(row, column)));
    put("l0w.npy", &npy("<i2", "(32, 768)", &i16s(turned)));
    let biases: Vec<u8> = (0..32_i64).flat_map(i64::to_le_bytes).collect();
    put("l0b.npy", &npy("<i8", "(32,)", &biases));
    let rows = (0..3).flat_map(|row| (0..64).map(move |column| weight(row, column)));
    put("l1w.bin", &i16s(rows));
    let biases: Vec<u8> = [70_000_i32, -2, 3]
        .into_iter()
        .flat_map(i32::to_le_bytes)
        .collect();
    put("l1b.npy", &npy("<i4", "(1, 3)", &biases));
    put("README.md", b"no tensor");
}

fn net() -> &'static NetDesc<'static> {
    described_text(NET).expect("a declaration")[0]
}

fn read(folder: &Path) -> Result<Vec<u8>, FolderError> {
    Folder::read(folder, 1 << 20)?.network(net())
}

#[test]
fn one_file_is_made_of_the_tensors() {
    let folder = folder("whole");
    write(&folder);
    let bytes = read(&folder).expect("a network");
    let (_, tensors) = Tensors::read(net(), &bytes[..]).expect("it is whole");
    let find = |name: &str| {
        let at = net().tensors.iter().position(|tensor| tensor.name == name);
        tensors.refs()[at.expect("a tensor")]
    };
    let TensorRef::I16(weights) = find("ft_weight") else {
        panic!("16 bits")
    };
    for row in [0, 1, 500, 767] {
        for column in [0, 1, 31] {
            assert_eq!(
                weights[32 * row + column],
                weight(row, column),
                "{row} {column}"
            );
        }
    }
    let TensorRef::I16(weights) = find("fc0_weight") else {
        panic!("16 bits")
    };
    assert_eq!(weights[64 * 2 + 5], weight(2, 5));
    assert_eq!(find("fc0_bias"), TensorRef::I32(&[70_000, -2, 3]));
    assert_eq!(
        find("ft_bias").get(31),
        nnue_spec::TensorRef::I16(&[31]).get(0)
    );
}

/// The result after a file of the folder is another one.
fn with(name: &str, contents: &[u8], removed: &str) -> String {
    let folder = folder("wrong");
    write(&folder);
    fs::remove_file(folder.join(removed)).expect("it was there");
    fs::write(folder.join(name), contents).expect("a file");
    let line = read(&folder).expect_err(name).to_string();
    assert_eq!(line.lines().count(), 1, "{line}");
    line
}

#[test]
fn what_is_no_tensor_of_the_declaration_is_named() {
    for (name, contents, removed, expected) in [
        (
            "l1w.npy",
            npy("<f4", "(3, 64)", &[0; 768]),
            "l1w.bin",
            "nnue quantize",
        ),
        (
            "l1w.npy",
            npy("<i2", "(3, 65)", &[0; 390]),
            "l1w.bin",
            "the shape [3, 65], the tensor [3, 64]",
        ),
        (
            "l1w.npy",
            npy("<i2", "(3, 64)", &[0; 3]),
            "l1w.bin",
            "has 192 numbers, found 1",
        ),
        (
            "l1w.npy",
            npy("<i4", "(1,)", &40_000_i32.to_le_bytes()),
            "l1w.bin",
            "40000 does not fit i16",
        ),
        (
            "l1w.npy",
            npy("|b1", "(192,)", &[1; 192]),
            "l1w.bin",
            "found truth values",
        ),
        (
            "l1w.bin",
            vec![0; 385],
            "l1w.bin",
            "expected 384 bytes, 192 numbers of the type i16, found 385",
        ),
        (
            "l2w.bin",
            vec![0; 384],
            "l1w.bin",
            "`l2w` is no tensor of the declaration",
        ),
        (
            "fc0_bias.bin",
            vec![0; 12],
            "l1w.bin",
            "no file `fc0_weight` or `l1w`",
        ),
        ("l0w.bin", vec![0; 384], "l1w.bin", "two files of `l0w`"),
    ] {
        let line = with(name, &contents, removed);
        assert!(line.contains(expected), "{name}: {line}");
    }
    let empty = Folder::read(&folder("empty"), 9);
    assert!(matches!(empty, Err(FolderError::Empty)), "{empty:?}");
    let missing = Folder::read(Path::new("no/such/folder"), 9);
    assert!(
        matches!(missing, Err(FolderError::Io { .. })),
        "{missing:?}"
    );
    let long = folder("long");
    write(&long);
    let long = Folder::read(&long, 49_000);
    assert!(matches!(long, Err(FolderError::Long(49_000))), "{long:?}");
    let folder = folder("formats");
    write(&folder);
    let ordered = NET.replace("padding: none", "padding: none, skip: 4");
    let ordered = described_text(&ordered).expect("a declaration");
    let error = Folder::read(&folder, 1 << 20)
        .expect("tensors")
        .network(ordered[0]);
    assert!(matches!(error, Err(FolderError::Format)), "{error:?}");
}

fn found(folder: &Path) -> Result<Found, SearchError> {
    let search = Search {
        name: "Network",
        program: None,
        sizes: Sizes::default(),
        heads: &[],
        known: &[],
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    search.file(folder)
}

/// The declaration that is found reads the folder.
#[test]
fn a_declaration_is_found() {
    let folder = folder("found");
    write(&folder);
    let found = found(&folder).expect("it is found");
    let text = found
        .first()
        .declaration
        .replace("by material_count", "by self::stack");
    assert_eq!(
        text,
        "pub struct Network = (768 -> 32)x2 @ 255 screlu -> 1x3: i16 @ 64 by self::stack {\n    format raw { padding: none, fc0_bias: i32 }\n};\n"
    );
    assert!(found.assumed[0].contains("nnue convert FOLDER"), "{found}");
    let net = described_text(&text).expect("a declaration")[0];
    let bytes = Folder::read(&folder, 1 << 20)
        .expect("tensors")
        .network(net);
    assert_eq!(bytes.expect("a network"), read(&folder).expect("a network"));
}

#[test]
fn folders_of_other_things_are_named() {
    let line = |folder: &Path| found(folder).expect_err("no network").to_string();
    let folder = folder("other");
    assert!(line(&folder).contains("a folder without tensors"));
    write(&folder);
    fs::write(folder.join("notes.bin"), b"1").expect("a file");
    assert!(line(&folder).contains("`notes` in the folder is no tensor"));
    fs::remove_file(folder.join("notes.bin")).expect("it was there");
    fs::remove_file(folder.join("l1b.npy")).expect("it was there");
    let three = line(&folder);
    assert!(
        three.contains("`l0w`, `l0b`, `l1w`") && three.contains("a bias of each layer"),
        "{three}"
    );
    let array = npy("<i2", "(5,)", &[0; 10]);
    fs::write(folder.join("l1b.npy"), array).expect("a file");
    assert!(line(&folder).contains("no network"), "{}", line(&folder));
    for name in ["l0w", "l0b", "l1w", "l1b"] {
        let _ = fs::remove_file(folder.join(format!("{name}.bin")));
        let floats = npy("<f4", "(2,)", &[0; 8]);
        fs::write(folder.join(format!("{name}.npy")), floats).expect("a file");
    }
    assert!(
        line(&folder).contains("`nnue quantize FOLDER"),
        "{}",
        line(&folder)
    );
}
