//! Lists of numbers in brackets: `[0, 0, 1, 2 x 4]`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;

use super::number::parse_multiplied;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{here, parse_brackets, parse_comma};

/// The numbers of a table, with repetitions expanded, and its brackets.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub entries: Vec<Int>,
    pub place: Place,
}

/// Greatest number of entries of a table that are read; tables of the language have up to 64.
const MAX_ENTRIES: u64 = 256;

/// `[0, 0, 1, 2 x 4]`; `2 x 4` is four times 2.
pub(crate) fn parse_table(input: ParseStream) -> Parsed<Table> {
    let (inside, place) = parse_brackets(input)?;
    let mut entries: Vec<Int> = Vec::new();
    while !inside.is_empty() {
        let start = here(&inside);
        let (value, times) = parse_multiplied(&inside, "a number")?;
        let times = times.map_or(1, |times| times.value);
        if times == 0 || times.saturating_add(entries.len() as u64) > MAX_ENTRIES {
            let message =
                format!("a table has up to {MAX_ENTRIES} numbers, `x {times}` is out of range");
            return Err(Wrong::new(Code::BadNumber, start, message)
                .help("write how often the number stands there"));
        }
        entries.extend((0..times).map(|_| value));
        if !inside.is_empty() {
            parse_comma(&inside, "the number")?;
        }
    }
    Ok(Table { entries, place })
}
