//! NVRTC, NVIDIA's run-time compiler, accepts all kernels. It needs no GPU.

use std::path::Path;
use std::process::Command;

use nnue_train::cuda::Program;

use super::{Case, emulator, networks};

/// Compute capabilities of A100 and H100.
const ARCHITECTURES: [&str; 2] = ["compute_80", "compute_90"];

/// `NNUE_NVRTC` names the library: `libnvrtc.so.12` of CUDA 12, or of the wheel `nvidia-cuda-nvrtc-cu12`.
#[test]
fn nvrtc_compiles_the_kernels() {
    let Some(library) = std::env::var_os("NNUE_NVRTC") else {
        println!("not run: NNUE_NVRTC does not name a library of NVRTC (libnvrtc.so.12)");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nvrtc");
    std::fs::create_dir_all(&folder).expect("the folder of the build can be written to");
    let (text, binary) = (folder.join("nvrtc.cpp"), folder.join("nvrtc"));
    std::fs::write(&text, include_str!("nvrtc.cpp")).expect("the folder can be written to");
    let compiler = emulator::compiler().expect("a C++ compiler makes the program that calls NVRTC");
    let made = Command::new(compiler)
        .args(["-std=c++17", "-o"])
        .args([&binary, &text])
        .arg("-ldl")
        .output();
    let made = made.expect("it has a version");
    assert!(
        made.status.success(),
        "{}",
        String::from_utf8_lossy(&made.stderr)
    );
    for (index, Case { graph, program, .. }) in networks().into_iter().enumerate() {
        let source = folder.join(format!("{index}.cu"));
        std::fs::write(&source, program.source()).expect("the folder can be written to");
        for architecture in ARCHITECTURES {
            let compiled = Command::new(&binary)
                .arg(&library)
                .arg(architecture)
                .arg(&source)
                .output();
            let compiled = compiled.expect("it was compiled for this machine");
            let (ptx, log) = (
                String::from_utf8_lossy(&compiled.stdout),
                String::from_utf8_lossy(&compiled.stderr),
            );
            assert!(
                compiled.status.success(),
                "{}, {architecture}: {log}",
                graph.name
            );
            has_all_kernels(&program, &ptx);
        }
    }
}

fn has_all_kernels(program: &Program, ptx: &str) {
    for name in program.names() {
        assert!(
            ptx.contains(&format!(".entry {name}(")),
            "{name} is not in the compiled program"
        );
    }
}
