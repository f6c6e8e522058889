//! The declared networks give the numbers of the released engines, on every level of this processor.
//!
//! Synthetic networks are made here by their published rule; the numbers in `tests/vectors` were printed by the engines.

mod layers;
mod monty;
mod real;
#[path = "../behaviour/reference.rs"]
mod reference;
#[allow(dead_code, reason = "boards of the vectors are read in `vectors`")]
#[path = "../behaviour/support.rs"]
mod support;
mod vectors;

use nnue::stockfish::{
    SfnnSmall, SfnnSmall255, Sfnnv1, Sfnnv2, Sfnnv3, Sfnnv4, Sfnnv5, Sfnnv6, Sfnnv7, Sfnnv8,
    Sfnnv9, Sfnnv10, Sfnnv11, Sfnnv12, Sfnnv13, Sfnnv14, Sfnnv14_1, Sfnnv15, Sfnnv16,
};
use nnue::{Architecture, Network};
use nnue_testkit::synthetic::{Profile, Synthetic};

/// Everything that is checked about one declaration and its synthetic networks. `vectors` names the numbers to compare with.
fn check<A: Architecture>(synthetic: &str, vectors: &str) {
    let bytes = Synthetic::new(synthetic, Profile::Normal).kept_bytes();
    let network = load::<A>(&bytes);
    assert_eq!(
        network.description(),
        format!("synthetic {synthetic} seed 1").as_bytes()
    );
    written_as_read(&network, &bytes);
    layers::check(&network, vectors);
    let network = vectors::suite(network, &format!("syn-{vectors}"));
    let network = vectors::games(network, &format!("syn-{vectors}"));
    vectors::searches(network, &format!("syn-{vectors}"));

    let stress = load::<A>(&Synthetic::new(synthetic, Profile::Stress).kept_bytes());
    vectors::suite(stress, &format!("stress-{vectors}"));
}

fn load<A: Architecture>(bytes: &[u8]) -> Network<A> {
    Network::from_bytes(bytes).unwrap_or_else(|error| panic!("{}: {error}", A::SPEC.name))
}

fn written_as_read<A: Architecture>(network: &Network<A>, bytes: &[u8]) {
    let mut written = Vec::with_capacity(bytes.len());
    network
        .write(&mut written)
        .expect("a vector takes everything");
    assert!(
        written == bytes,
        "{}: the file is not written as it was read",
        A::SPEC.name
    );
}

/// One test per declaration.
macro_rules! conformance {
    ($($test:ident: $architecture:ty, $synthetic:literal, $vectors:literal;)*) => {
        $(
            #[test]
            fn $test() {
                check::<$architecture>($synthetic, $vectors);
            }
        )*
    };
}

conformance! {
    sfnnv1: Sfnnv1, "v1", "v1";
    sfnnv2: Sfnnv2, "v2", "v2";
    sfnnv3: Sfnnv3, "v3", "v3";
    sfnnv4: Sfnnv4, "v4", "v4";
    sfnnv5: Sfnnv5, "v5", "v5";
    sfnnv6: Sfnnv6, "v6", "v6";
    sfnnv6_leb128: Sfnnv6, "v6leb", "v6";
    sfnnv7: Sfnnv7, "v7", "v7";
    sfnnv8: Sfnnv8, "v8", "v8";
    sfnnv9: Sfnnv9, "v9", "v9";
    sfnnv10: Sfnnv10, "v10", "v10";
    sfnnv10_bytes: Sfnnv10, "v10i8", "v10";
    sfnnv11: Sfnnv11, "v11", "v11";
    sfnnv12: Sfnnv12, "v12", "v12";
    sfnnv13: Sfnnv13, "v13", "v13";
    sfnnv13_later_hash: Sfnnv13, "v13h", "v13";
    sfnnv14: Sfnnv14, "v14", "v14";
    sfnnv14_1: Sfnnv14_1, "v14.1", "v14.1";
    sfnnv15: Sfnnv15, "v15", "v15";
    sfnnv16: Sfnnv16, "v16", "v16";
    sfnn_small: SfnnSmall, "v9s", "v9s";
    sfnn_small_255: SfnnSmall255, "v14s", "v14s";
}

/// With weights of all sizes. It stands here, and not with the networks of one's own, so that these two are compiled once.
#[test]
fn the_first_and_the_small_network_agree_with_the_reference() {
    reference::agrees_with_the_reference::<Sfnnv1>();
    reference::agrees_with_the_reference::<SfnnSmall>();
}
