//! Published networks, whose files are too large for the repository. The environment variable `NNUE_NETS` names the folder that
//! contains them. Without it these tests print that they check nothing, and pass.

use std::fs;

use nnue::stockfish::{SfnnSmall, Sfnnv5, Sfnnv9};
use nnue::{Architecture, Network};
use nnue_testkit::nets_dir;

use crate::{load, vectors, written_as_read};

fn check<A: Architecture>(name: &str) {
    let Some(folder) = nets_dir() else {
        println!("not run: NNUE_NETS does not name a folder with {name}.nnue");
        return;
    };
    let path = folder.join(format!("{name}.nnue"));
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let network: Network<A> = load(&bytes);
    written_as_read(&network, &bytes);
    let network = vectors::suite(network, &format!("real-{name}"));
    vectors::games(network, &format!("real-{name}"));
}

#[test]
fn real_sfnnv5() {
    check::<Sfnnv5>("nn-ad9b42354671");
}

/// Four positions of the suite make the forward neuron wrap modulo 2^32.
#[test]
fn real_sfnnv9() {
    check::<Sfnnv9>("nn-1c0000000000");
}

#[test]
fn real_sfnn_small() {
    check::<SfnnSmall>("nn-37f18f62d772");
}
