//! Published networks, where the variable `NNUE_NETS` names the folder that holds them.

#[path = "../../files/tests/common/mod.rs"]
mod common;

use common::published::{path, published};
use nnue_format::Tensors;
use nnue_tools::bounds;

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
