//! The committed expansions compile, and are what the macro gives for the same declaration.
//!
//! If the expansion has changed, rewrite them: `NNUE_BLESS=1 cargo test --test golden`.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::all,
    reason = "lints say nothing about what a macro wrote"
)]

pub(crate) use nnue as renamed;

mod chain {
    include!("golden/chain.rs");
}

mod graph {
    include!("golden/graph.rs");
}

mod single {
    include!("golden/single.rs");
}

mod crate_path {
    include!("golden/crate_path.rs");
}

use nnue::{Architecture, Network, Parameters};

fn evaluate<A: Architecture>() {
    let network = Network::<A>::from_params(A::Params::zeroed());
    let mut file = Vec::new();
    network.write(&mut file).expect("memory takes everything");
    let again = Network::<A>::from_bytes(&file).expect("it was just written");
    assert_eq!(again.params().tensors(), network.params().tensors());
}

#[test]
fn they_write_and_read_networks() {
    evaluate::<chain::Chain>();
    evaluate::<graph::Graph>();
    evaluate::<crate_path::CratePath>();
}
