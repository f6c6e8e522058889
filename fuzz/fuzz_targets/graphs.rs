//! Any bytes as a graph of PyTorch or ONNX: a typed error of one line, or a declaration that the compiler of the language reads.
//!
//! If the first byte is 0, the rest is a model of ONNX, and if it is 1, an archive of PyTorch. Otherwise it is a list of changes to a valid file, of
//! which there are several, each change of three bytes: the offset (two bytes) and the value. A remaining byte at the end cuts the file.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nnue_import::{Graph, ImportError, declare, fold, onnx, torch};

/// Small graphs of both kinds, most of whose bytes are no weights.
const GOOD: [&[u8]; 4] = [
    include_bytes!("../../tests/import/digits.onnx"),
    include_bytes!("../../tests/import/tower.onnx"),
    include_bytes!("../../tests/import/digits.pt2"),
    include_bytes!("../../tests/import/tower.pt2"),
];

/// What is made of a graph, all the way to the tensors.
fn check(graph: Result<Graph, ImportError>) {
    let declared = graph.and_then(|graph| {
        graph.table();
        let folded = fold::fold(&graph)?;
        if let Err(error) = declare::accumulated(&graph, &folded, "Net", "768") {
            one_line(&error);
        }
        declare::dense(&graph, &folded, "Net")
    });
    match declared {
        Ok(declared) => {
            if let Ok(networks) = nnue_codegen::dense_text(&declared.text) {
                assert_eq!(networks.len(), 1, "{}", declared.text);
            }
        }
        Err(error) => one_line(&error),
    }
}

fn one_line(error: &ImportError) {
    let message = error.to_string();
    assert!(!message.contains('\n'), "{message}");
}

/// A valid file with changes.
fn changed(file: &[u8], changes: &[u8]) -> Vec<u8> {
    let (changes, rest) = changes.as_chunks::<3>();
    let mut file = file.to_vec();
    for &[low, high, value] in changes {
        let at = usize::from(u16::from_le_bytes([low, high])) % file.len();
        file[at] = value;
    }
    if let [cut, ..] = *rest {
        file.truncate(file.len() * usize::from(cut) / 256);
    }
    file
}

fuzz_target!(|bytes: &[u8]| {
    match bytes.split_first() {
        None => {}
        Some((0, file)) => check(onnx::read(file.to_vec(), None)),
        Some((1, file)) => check(torch::read(file)),
        Some((which, changes)) => {
            let which = usize::from(*which) % GOOD.len();
            let file = changed(GOOD[which], changes);
            check(if which < 2 { onnx::read(file, None) } else { torch::read(&file) });
        }
    }
});
