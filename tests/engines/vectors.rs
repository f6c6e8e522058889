//! The networks of `NNUE_ENGINE_NETS` and the values of their engines.

use nnue::spec::RawOutput;
use nnue::{Architecture, Model, Network, Output};
use nnue_testkit::engines::file;
use nnue_testkit::games::position;
use nnue_testkit::random::Random;
use nnue_testkit::vectors_dir;
use shakmaty::Chess;

use crate::reference::compare;

/// What an engine says about a position.
pub(crate) struct Row {
    pub(crate) fen: String,
    pub(crate) output: RawOutput,
    pub(crate) value: i32,
}

/// Compares the network `name` with its engine's outputs and values and, on every level, with the reference interpreter. Its file is written
/// back byte for byte, and refused when it is cut.
pub(crate) fn agree<A: Architecture>(name: &str) {
    let Some(bytes) = file(name) else { return };
    let rows = rows(name);
    let network = network::<A>(&bytes, &rows, name);
    assert_written_back(&network, &bytes, name);
    assert_cuts_are_refused::<A>(&bytes, name);
    assert_outputs(&network, &rows, name);
    compare(network, &positions(&rows), name);
}

/// The network of a file, which has the values of the engine.
fn network<A: Architecture>(bytes: &[u8], rows: &[Row], name: &str) -> Network<A> {
    let network = Network::<A>::from_bytes(bytes);
    let network = network.unwrap_or_else(|error| panic!("{name}: {error}"));
    for Row { fen, value, .. } in rows {
        let found = network.evaluate_fresh(&position(fen)).value;
        assert_eq!(found, *value, "{name}: {fen}");
    }
    network
}

pub(crate) fn assert_written_back<A: Model>(network: &Network<A>, bytes: &[u8], name: &str) {
    let written = network.to_bytes().expect("a vector takes everything");
    let differs = written.iter().zip(bytes).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{name}: the first byte that differs");
    assert_eq!(written.len(), bytes.len(), "{name}");
}

/// Cuts the file at each byte of its first kilobyte and at 200 other places.
pub(crate) fn assert_cuts_are_refused<A: Model>(bytes: &[u8], name: &str) {
    let mut random = Random::new(33);
    let places = (0..1024).chain((0..200).map(|_| random.next() as usize % bytes.len()));
    for place in places {
        let error = Network::<A>::from_bytes(&bytes[..place]);
        let error = error.err().map(|error| error.to_string());
        let line = error.unwrap_or_else(|| panic!("{name}: cut at {place}, it is read"));
        let is_clear = line.lines().count() == 1 && line.len() > 20;
        assert!(is_clear, "{name}: cut at {place}: {line}");
    }
}

fn assert_outputs<A: Architecture>(network: &Network<A>, rows: &[Row], name: &str) {
    for Row { fen, output, .. } in rows {
        let accumulators = network.accumulate(&position(fen));
        let found = network.output_of(&accumulators).raw();
        assert_eq!(bits(found), bits(*output), "{name}: {fen}");
    }
}

fn positions(rows: &[Row]) -> Vec<Chess> {
    rows.iter().map(|row| position(&row.fen)).collect()
}

/// An output, with all bits of a float.
pub(crate) fn bits(output: RawOutput) -> u32 {
    match output {
        RawOutput::Sum(sum) => sum.cast_unsigned(),
        RawOutput::Float(float) => float.to_bits(),
        other => panic!("one number is compared, not {other:?}"),
    }
}

pub(crate) fn rows(name: &str) -> Vec<Row> {
    table(name, |cell| {
        let number = |name| cell(name).map(|cell| cell.parse().expect("a number"));
        let bits = cell("out_bits").map(|bits| RawOutput::Float(float(&bits)));
        Row {
            fen: cell("fen").expect("a position"),
            output: bits
                .or(number("raw").map(RawOutput::Sum))
                .expect("an output"),
            value: number("value").expect("a value"),
        }
    })
}

/// The rows of a table, each made from its cells, which are asked for by the name of their column.
pub(crate) fn table<T>(name: &str, row: impl Fn(&dyn Fn(&str) -> Option<String>) -> T) -> Vec<T> {
    let path = vectors_dir()
        .join("engines2026")
        .join(format!("{name}.tsv"));
    let text = std::fs::read_to_string(&path).expect("the table can be read");
    let mut lines = text
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().expect("a table has a header");
    lines
        .map(|cells| {
            row(&|name| {
                let column = header.iter().position(|column| *column == name)?;
                Some(cells[column].to_owned())
            })
        })
        .collect()
}

/// A float, of its bits in hexadecimal.
fn float(bits: &str) -> f32 {
    f32::from_bits(u32::from_str_radix(bits, 16).expect("32 bits"))
}
