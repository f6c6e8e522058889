//! What would fit a file that was refused. Header-less files are in the tests of the compiler, which declares them.

#[path = "../../files/tests/common/mod.rs"]
mod common;

use std::io::Cursor;

use common::{Shape, random_tensors};
use nnue_format::{Encoding, Header, LoadErrorKind, Tensors, write};
use nnue_spec::{FeatureSetId, NetDesc};

/// The error for a file, with its advice.
fn explained(net: &NetDesc<'_>, file: &[u8]) -> String {
    nnue_tools::read(net, Cursor::new(file))
        .expect_err("the file is another one")
        .to_string()
}

#[test]
fn another_architecture_is_explained() {
    let v9 = Shape::stockfish("Sfnnv9", 3072).sfnn_v5();
    let mut file = Vec::new();
    for word in [
        v9.container.version,
        v9.container.network_hash(),
        0,
        v9.container.transformer_hash,
    ] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    let v5 = Shape::stockfish("Sfnnv5", 1024).sfnn_v5();
    assert_eq!(
        explained(&v5, &file),
        "architecture mismatch: file hash 0x1c1020f2, `Sfnnv5` expects 0x1c102ef2: the file has accumulator 3072 \
         (declared 1024); it is SFNNv9, load it as `nnue::stockfish::Sfnnv9`"
    );
    let v1 = Shape {
        set: FeatureSetId::HalfKp,
        width: 256,
        stacks: 1,
        ..Shape::small()
    }
    .crelu(32);
    let text = explained(&v1, &file);
    let parts = [
        "features HalfKAv2_hm (declared HalfKP)",
        "accumulator 3072 (declared 256)",
        "layers 16 -> 32 -> 1 (declared 32 -> 32 -> 1)",
    ];
    assert!(parts.iter().all(|part| text.contains(part)), "{text}");
}

/// What is read is the same with and without advice, and so are errors about which there is none.
#[test]
fn nothing_else_differs_from_reading() {
    let net = Shape::small().crelu(16);
    let header = Header {
        encoding: Encoding::Leb128,
        ..Header::new(&net, b"as it was".to_vec())
    };
    let mut file = Vec::new();
    let tensors = random_tensors(&net, 5);
    write(&net, &header, &tensors.refs(), &mut file).expect("a vector takes everything");
    let read = nnue_tools::read(&net, Cursor::new(&file)).expect("it was just written");
    assert!(read == (header, tensors));

    let cut = &file[..file.len() / 2];
    let error = Tensors::read(&net, cut).expect_err("half of it is missing");
    assert_eq!(error.kind(), LoadErrorKind::Truncated);
    assert_eq!(explained(&net, cut), error.to_string());
}
