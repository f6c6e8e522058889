//! The same tests on a GPU, if there is one: `cargo test -p nnue-train --features cuda --test gradients gpu`.

use nnue_train::cuda::{GpuError, OnGpu, compile, open};
use nnue_train::factors::Factors;
use nnue_train::network::Network;

use super::steps::setups;
use super::{compare, networks};

/// A network on the first GPU; without one, prints so and returns `None`.
fn on_gpu(network: &Network<f32>, factors: &Factors) -> Option<OnGpu> {
    match open(network, factors, 0) {
        Ok(device) => Some(device),
        Err(error @ (GpuError::NoDriver | GpuError::NoCompiler)) => {
            println!("not run: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn gradients_of_a_gpu_are_those_of_the_cpu() {
    for case in networks() {
        let Some(device) = on_gpu(&case.network, &Factors::none(&case.graph)) else {
            return;
        };
        compare(&case, device);
    }
}

#[test]
fn steps_of_a_gpu_are_those_of_the_cpu() {
    for setup in setups() {
        if on_gpu(&setup.network, &setup.factors).is_none() {
            return;
        }
        let device = || on_gpu(&setup.network, &setup.factors).expect("there was one");
        setup.compare_all(device);
        setup.compare_after_no_number(device());
    }
}

/// NVRTC, loaded as the command loads it.
#[test]
fn the_library_compiles_the_kernels() {
    let program = networks().swap_remove(0).program;
    match compile(&program, (9, 0)) {
        Ok(ptx) => assert!(
            program
                .names()
                .all(|name| ptx.contains(&format!(".entry {name}(")))
        ),
        Err(GpuError::NoCompiler) => println!("not run: {}", GpuError::NoCompiler),
        Err(error) => panic!("{error}"),
    }
}
