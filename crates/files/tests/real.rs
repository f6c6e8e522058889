//! Published networks, where the variable `NNUE_NETS` names the folder that holds them.

mod common;

use std::path::PathBuf;

use common::Shape;
use nnue_format::{Encoding, Tensors, bounds, write};
use nnue_spec::NetDesc;

/// The file `name`, or `None` where no folder is named. A folder that lacks the file is an error.
fn path(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("NNUE_NETS") else {
        eprintln!("not run: NNUE_NETS names no folder with {name}");
        return None;
    };
    Some(PathBuf::from(folder).join(name))
}

fn published() -> [(&'static str, NetDesc<'static>, Encoding); 3] {
    [
        (
            "nn-ad9b42354671.nnue",
            Shape::stockfish("Sfnnv5", 1024).sfnn_v5(),
            Encoding::Raw,
        ),
        (
            "nn-1c0000000000.nnue",
            Shape::stockfish("Sfnnv9", 3072).sfnn_v5(),
            Encoding::Leb128,
        ),
        (
            "nn-37f18f62d772.nnue",
            Shape::stockfish("SfnnSmall", 128).sfnn_v5(),
            Encoding::Leb128,
        ),
    ]
}

#[test]
fn published_networks_round_trip_byte_for_byte() {
    for (name, net, encoding) in published() {
        let Some(path) = path(name) else { continue };
        let file = std::fs::read(&path).expect("the folder holds the network");
        let (header, tensors) = Tensors::read(&net, &file[..]).expect("the network is right");
        assert_eq!(header.encoding, encoding, "{name}");
        let mut written = Vec::with_capacity(file.len());
        write(&net, &header, &tensors.refs(), &mut written).expect("a vector takes everything");
        assert!(written == file, "{name} is written as it was read");
    }
}

#[test]
fn published_networks_cannot_overflow() {
    for (name, net, _) in published() {
        let Some(path) = path(name) else { continue };
        let file = std::fs::File::open(&path).expect("the folder holds the network");
        let (_, tensors) = Tensors::read(&net, file).expect("the network is right");
        let start = std::time::Instant::now();
        let bounds = bounds::prove(&net, &tensors.refs());
        eprintln!("{name}: proved in {:?}\n{bounds}", start.elapsed());
        assert!(bounds.nothing_wraps(), "{name}:\n{bounds}");
        assert!(
            bounds.layers.iter().all(|layer| !layer.pair_saturates()),
            "{name}:\n{bounds}"
        );
    }
}
