//! Tests that the numbers in `docs/limits.md` are those of the source.

use crate::repo;

const PAGE: &str = "docs/limits.md";

/// A row of the page by the beginning of its line, and the constants whose values it has, in their order.
struct Row {
    begins: &'static str,
    constants: &'static [Constant],
}

/// A constant: its file and its name.
struct Constant(&'static str, &'static str);

const PAGES: &str = "crates/data/src/tables/pages.rs";
const MESSAGES: &str = "crates/data/src/tables/messages.rs";
const SYNTAX: &str = "crates/codegen/src/syntax/limits.rs";
const CHECK: &str = "crates/spec/src/check/mod.rs";

const ROWS: &[Row] = &[
    Row {
        begins: "| bytes of all values |",
        constants: &[
            Constant("crates/import/src/budget.rs", "FLOOR"),
            Constant("crates/import/src/budget.rs", "BYTES_PER_BYTE"),
        ],
    },
    Row {
        begins: "| steps of an evaluation",
        constants: &[Constant("crates/import/src/budget.rs", "MAX_STEPS")],
    },
    Row {
        begins: "| nodes |",
        constants: &[Constant("crates/import/src/graph.rs", "MAX_NODES")],
    },
    Row {
        begins: "| elements of one value |",
        constants: &[Constant("crates/import/src/tensor.rs", "MAX_ELEMENTS")],
    },
    Row {
        begins: "| fields of an ONNX file |",
        constants: &[Constant("crates/import/src/onnx/scan.rs", "MAX_FIELDS")],
    },
    Row {
        begins: "| bytes of the graph as JSON",
        constants: &[Constant("crates/import/src/torch/archive.rs", "MAX_TEXT")],
    },
    Row {
        begins: "| files of a `.pt2`; arrays",
        constants: &[
            Constant("crates/import/src/torch/archive.rs", "MAX_FILES"),
            Constant("crates/import/src/npz.rs", "MAX_ARRAYS"),
        ],
    },
    Row {
        begins: "| Parquet | bytes of the open pages",
        constants: &[Constant(PAGES, "MOST"), Constant(PAGES, "MOST")],
    },
    Row {
        begins: "| | bytes of the header of a page; of the footer",
        constants: &[
            Constant(PAGES, "MOST_HEADER"),
            Constant("crates/data/src/tables/parquet.rs", "MOST_FOOTER"),
        ],
    },
    Row {
        begins: "| Arrow |",
        constants: &[
            Constant(MESSAGES, "MOST"),
            Constant(MESSAGES, "MOST_OF_SMALL"),
            Constant(MESSAGES, "GROWTH"),
            Constant(MESSAGES, "MOST"),
        ],
    },
    Row {
        begins: "| text of records over lists of rows |",
        constants: &[Constant("crates/data/src/rows/text.rs", "LONGEST")],
    },
    Row {
        begins: "| `nnue data stats` of them |",
        constants: &[Constant("crates/data/src/rows/stats.rs", "MOST_ROWS")],
    },
    Row {
        begins: "| networks (commands) |",
        constants: &[Constant(
            "crates/data/src/files/bounded.rs",
            "MOST_OF_NETWORK",
        )],
    },
    Row {
        begins: "| compressed networks (",
        constants: &[
            Constant("crates/tools/src/search/request.rs", "MOST_BYTES"),
            Constant("crates/tools/src/compression/zstd.rs", "WINDOW"),
        ],
    },
    Row {
        begins: "| declarations, settings of a training |",
        constants: &[Constant(
            "crates/data/src/files/bounded.rs",
            "MOST_OF_SOURCE",
        )],
    },
    Row {
        begins: "| `nnue data shuffle` |",
        constants: &[Constant("crates/data/src/shuffle.rs", "MOST_RUNS")],
    },
    Row {
        begins: "| header-less networks |",
        constants: &[Constant("crates/files/src/raw/reader.rs", "MOST_AFTER")],
    },
    Row {
        begins: "| weights of `lc0` |",
        constants: &[Constant("crates/backend/src/lc0/weights/read.rs", "LIMIT")],
    },
    Row {
        begins: "| | blocks of a tower; channels |",
        constants: &[
            Constant("crates/backend/src/lc0/weights/file.rs", "MOST_BLOCKS"),
            Constant("crates/backend/src/lc0/weights/fold.rs", "MOST_CHANNELS"),
        ],
    },
    Row {
        begins: "| `replay(file=..)` |",
        constants: &[Constant(
            "crates/backend/src/adapters/recording.rs",
            "LONGEST",
        )],
    },
    // the greatest `u16`
    Row {
        begins: "| files of a cache |",
        constants: &[],
    },
    Row {
        begins: "| games and lines of `nnue analyze` |",
        constants: &[Constant("crates/data/src/pgn/game.rs", "MAX_PLIES")],
    },
    Row {
        begins: "| bytes of a text |",
        constants: &[Constant(SYNTAX, "MAX_TEXT")],
    },
    Row {
        begins: "| tokens of one `nnue!` or text",
        constants: &[
            Constant(SYNTAX, "MAX_TOKENS"),
            Constant(SYNTAX, "MAX_DEPTH"),
        ],
    },
    Row {
        begins: "| declarations of one `nnue!` or text |",
        constants: &[Constant(SYNTAX, "MAX_DECLARATIONS")],
    },
    Row {
        begins: "| clauses of a declaration",
        constants: &[
            Constant(SYNTAX, "MAX_CLAUSES"),
            Constant(SYNTAX, "MAX_SETS"),
            Constant("crates/codegen/src/syntax/output.rs", "MAX_TERMS"),
        ],
    },
    Row {
        begins: "| operations of a network",
        constants: &[
            Constant(CHECK, "MAX_OPERATIONS"),
            Constant(CHECK, "MAX_VALUES"),
        ],
    },
    Row {
        begins: "| parts of a joined value |",
        constants: &[Constant(CHECK, "MAX_PARTS")],
    },
    Row {
        begins: "| bytes of parameters |",
        constants: &[Constant(CHECK, "MAX_BYTES")],
    },
    Row {
        begins: "| errors that are shown |",
        constants: &[Constant("crates/spec/src/diagnostic.rs", "MAX_ERRORS")],
    },
    Row {
        begins: "| descriptions of different networks",
        constants: &[Constant("crates/codegen/src/described.rs", "MAX_DESCRIBED")],
    },
];

fn read(file: &str) -> String {
    repo::read(&repo::root().join(file)).expect("a file of the repository")
}

impl Constant {
    /// Reads `const NAME: type = 3 << 20;`.
    fn value(&self) -> u64 {
        let Self(file, name) = self;
        let source = read(file);
        let declared = format!("const {name}: ");
        let line = source.lines().find(|line| line.contains(&declared));
        let value = line.and_then(|line| line.split(" = ").nth(1)?.strip_suffix(';'));
        let value = value.unwrap_or_else(|| panic!("{file} has no constant {name}"));
        let number = |text: &str| -> u64 {
            text.replace('_', "")
                .parse()
                .unwrap_or_else(|_| panic!("{file}: {name} = {value}"))
        };
        match value.split_once(" << ") {
            Some((number_before, bits)) => number(number_before) << number(bits),
            None => number(value),
        }
    }
}

/// The integers of a cell: `20,000`, `2^17`, `64 MiB`.
fn numbers(cell: &str) -> Vec<u64> {
    let words: Vec<&str> = cell.split([' ', ';', '(', ')']).collect();
    let number = |(at, word): (usize, &&str)| {
        let word = word.trim_end_matches(',').replace(',', "");
        let value: u64 = match word.split_once('^') {
            Some((base, power)) => base.parse::<u64>().ok()?.pow(power.parse().ok()?),
            None => word.parse().ok()?,
        };
        let unit = words
            .get(at + 1)
            .map_or("", |unit| unit.trim_end_matches(','));
        let shift = ["KiB", "MiB", "GiB"].iter().position(|name| *name == unit);
        Some(value << shift.map_or(0, |index| 10 * (index + 1)))
    };
    words.iter().enumerate().filter_map(number).collect()
}

/// The lines of the page's tables, without their heads.
fn rows(page: &str) -> Vec<&str> {
    let is_head = |line: &str| line.starts_with("|---") || line.contains("| most |");
    let rows = page.lines().filter(|line| line.starts_with('|'));
    rows.filter(|line| !is_head(line)).collect()
}

#[test]
fn numbers_are_read_as_they_are_written() {
    assert_eq!(numbers(" 2^16; 2^10 "), [1 << 16, 1 << 10]);
    assert_eq!(
        numbers("2 GiB; 256 MiB, or 32 times"),
        [2 << 30, 256 << 20, 32]
    );
    assert_eq!(numbers(" 20,000 "), [20_000]);
}

#[test]
fn the_page_has_the_limits_of_the_source() {
    let page = read(PAGE);
    for line in rows(&page) {
        let row = ROWS.iter().find(|row| line.starts_with(row.begins));
        let row = row.unwrap_or_else(|| panic!("no constants are named for: {line}"));
        let expected: Vec<u64> = row.constants.iter().map(Constant::value).collect();
        let written: Vec<u64> = line.split('|').flat_map(numbers).collect();
        let mut found = written.iter();
        let are_there = expected
            .iter()
            .all(|value| found.any(|other| other == value));
        assert!(are_there, "{expected:?} in this order: {line}");
    }
}

#[test]
fn every_row_is_on_the_page() {
    let page = read(PAGE);
    let lines = rows(&page);
    for row in ROWS {
        let is_there = lines.iter().any(|line| line.starts_with(row.begins));
        assert!(is_there, "{}", row.begins);
    }
}
