//! Published networks, where the variable `NNUE_NETS` names the folder that holds them.

mod common;

use common::published::{path, published};
use nnue_format::{Tensors, write};

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
