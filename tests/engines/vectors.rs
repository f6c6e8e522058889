//! The networks of `NNUE_ENGINE_NETS` and the values of their engines.

use std::path::PathBuf;
use std::process::Command;

use nnue::{Architecture, Network};
use nnue_testkit::games::position;
use nnue_testkit::vectors_dir;

use crate::reference::compare;

/// A position, the raw output and the value.
struct Row {
    fen: String,
    raw: i32,
    value: i32,
}

/// Compares the network `name` with its engine's values and, on every level, with the reference interpreter. `natural` brings the file
/// into the order of its axes.
pub(crate) fn agree<A: Architecture>(name: &str, natural: impl Fn(Vec<u8>) -> Vec<u8>) {
    let Some(bytes) = file(name) else { return };
    let network =
        Network::<A>::from_bytes(&natural(bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = rows(name);
    for Row { fen, raw, value } in &rows {
        let evaluation = network.evaluate_fresh(&position(fen));
        assert_eq!(
            (evaluation.positional, evaluation.value),
            (*raw, *value),
            "{name}: {fen}"
        );
    }
    let positions: Vec<_> = rows.iter().map(|row| position(&row.fen)).collect();
    compare(network, &positions, name);
}

/// The bytes of a network, if its folder is at hand.
///
/// # Panics
///
/// If the folder does not have it, or `xz` does not decompress it.
fn file(name: &str) -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NNUE_ENGINE_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_ENGINE_NETS names no folder with {name}");
        return None;
    };
    let path = folder.join(format!("{name}.bin.xz"));
    let output = Command::new("xz").arg("-dc").arg(&path).output();
    let output = output.unwrap_or_else(|error| panic!("xz: {error}"));
    assert!(
        output.status.success(),
        "xz does not read {}",
        path.display()
    );
    Some(output.stdout)
}

fn rows(name: &str) -> Vec<Row> {
    let path = vectors_dir()
        .join("engines2026")
        .join(format!("{name}.tsv"));
    let text = std::fs::read_to_string(&path).expect("the table can be read");
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().expect("a table has a header");
    let column = |name| {
        header
            .iter()
            .position(|column| *column == name)
            .expect("a column")
    };
    let [fen, raw, value] = ["fen", "raw", "value"].map(column);
    let number = |text: &str| text.parse().expect("a number");
    lines
        .map(|row| Row {
            fen: row[fen].to_owned(),
            raw: number(row[raw]),
            value: number(row[value]),
        })
        .collect()
}
