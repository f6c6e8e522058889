//! Files of PyTorch and ONNX to numbers: those that `tests/import/make.py` made, and those of a folder that `NNUE_ONNX_NETS` names.

mod accumulated;
mod changed;
mod compared;
mod dense;
mod described;
mod export;
mod golden;
mod hostile;
mod shared;

use std::path::{Path, PathBuf};

use nnue_import::{Graph, onnx, torch};

/// A file that `tests/import/make.py` made.
fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/import")
        .join(name)
}

/// The folder of networks as three exporters write them: the same graph in up to three files, its inputs, and the outputs of onnxruntime.
fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("NNUE_ONNX_NETS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("not run: NNUE_ONNX_NETS names no folder with graphs of PyTorch and ONNX");
    }
    folder
}

fn graph(path: &Path) -> Graph {
    let file = std::fs::read(path).expect("the file is there");
    let is_torch = path.extension().is_some_and(|end| end == "pt2");
    let graph = if is_torch {
        torch::read(&file)
    } else {
        onnx::read(file, path.parent())
    };
    graph.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
