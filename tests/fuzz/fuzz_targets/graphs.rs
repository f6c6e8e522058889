//! Any bytes as a graph of PyTorch or ONNX: a typed error of one line, or a declaration that the compiler of the language reads.
//!
//! If the first byte is 0, the rest is a model of ONNX, if it is 1, an archive of PyTorch. If it is 2, the rest changes a model that was written here, whose
//! declaration in its metadata is proved or refused. Otherwise it is a list of changes to a valid file, of which there are several, each change of three
//! bytes: the offset (two bytes) and the value. A remaining byte at the end cuts the file.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nnue_codegen::plan_text;
use nnue_format::Tensors;
use nnue_import::{Graph, ImportError, declare, export, fold, onnx, torch};

/// Small graphs of both kinds, most of whose bytes are no weights.
const GOOD: [&[u8]; 4] = [
    include_bytes!("../../import/digits.onnx"),
    include_bytes!("../../import/tower.onnx"),
    include_bytes!("../../import/digits.pt2"),
    include_bytes!("../../import/tower.pt2"),
];

/// A model that has its declaration in its metadata.
static EXPORTED: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let plans = plan_text("pub struct N = 768 -> 32 -> 4 -> 1;").expect("it compiles");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    export::onnx(
        &net,
        &Tensors::zeroed(&net).refs(),
        export::Form::WholeNumbers,
    )
    .expect("it is written")
});

/// What a file says of itself, to the end.
fn claimed(file: &[u8]) {
    let model = match export::exported(file) {
        Ok(Some(model)) => model,
        Ok(None) => return,
        Err(error) => return one_line(&error),
    };
    for plan in plan_text(model.declaration()).into_iter().flatten() {
        let tables = plan.tables();
        let net = tables.descriptor();
        let proved = model.has_weights_of(&net).and_then(|()| {
            let mut tensors = Tensors::zeroed(&net);
            model.weights(&net, tensors.muts())?;
            model.is_graph_of(&net, &tensors.refs())
        });
        match proved {
            Ok(()) => assert!(plan_text(&declare::described(&net)).is_ok()),
            Err(error) => one_line(&error),
        }
    }
}

/// What is made of a graph, all the way to the tensors.
fn check(graph: Result<Graph, ImportError>) {
    let declared = graph.and_then(|graph| {
        graph.table();
        for features in [true, false] {
            if let Err(error) = fold::fold(&graph) {
                one_line(&declare::unsupported(&graph, error, features));
            }
        }
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
        Some((0, file)) => {
            claimed(file);
            check(onnx::read(file.to_vec(), None));
        }
        Some((2, changes)) => claimed(&changed(&EXPORTED, changes)),
        Some((1, file)) => check(torch::read(file)),
        Some((which, changes)) => {
            let which = usize::from(*which) % GOOD.len();
            let file = changed(GOOD[which], changes);
            check(if which < 2 {
                onnx::read(file, None)
            } else {
                torch::read(&file)
            });
        }
    }
});
