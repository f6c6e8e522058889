//! Records as text, one a line.
//!
//! ```text
//!   3 17 40 | 0.75              the active rows and the target
//!   3 17 40 | 0.75 | 2          the same, with a weight
//!   3 17 | 8 9 b | 0.25         two lists, and the side to move, which must be there: `w` or `b`
//!   3 17 | 8 9 w | 0.25 | 0.5
//!   # a comment
//! ```
//!
//! The position is written as everywhere ([`RowsPosition`]). It ends at the first `|`, or at the second one if the
//! side to move stands before that: a target is no letter, so every line has one reading.

use std::io::Read;

use nnue_spec::rows::{RowsError, RowsPosition};

use super::{Lists, Placed, RecordError, RowsRecord};
use crate::printable::shortened;
use crate::text::Lines;
use crate::{Fault, Place, ReadError};

/// The longest line, in bytes.
const LONGEST: usize = 1 << 20;

/// Reads records. Blank lines and those that begin with `#` are skipped. It continues after a wrong line.
///
/// Rows, targets and weights are as they are written: a [`Checker`](super::Checker) knows what is right.
///
/// ```
/// use nnue_data::rows::text::Reader;
///
/// let text = "3 17 40 | 0.75\n3 18 | 0 | 2\n";
/// let records: Result<Vec<_>, _> = Reader::new(text.as_bytes()).collect();
/// assert_eq!(records?[1].weight, 2.0);
/// # Ok::<(), nnue_data::ReadError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R>(Lines<R>);

impl<R: Read> Reader<R> {
    /// Reads `input`, which need not be buffered.
    pub fn new(input: R) -> Self {
        Self(Lines::new(input, LONGEST))
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<RowsRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.record(|line| {
            let is_record = !line.is_empty() && !line.starts_with('#');
            is_record.then(|| parse(line))
        })
    }
}

impl<R: Read> Placed for Reader<R> {
    fn place(&self) -> Place {
        self.0.place()
    }
}

fn parse(line: &str) -> Result<RowsRecord, Fault> {
    let (position, rest) = split(line);
    let mut rest = rest.into_iter();
    let target = rest.next().ok_or(Fault::Missing("the target"))?;
    let target = number(target, "a target, which is a number")?;
    let weight = rest
        .next()
        .map(|text| number(text, "a weight, which is a number"));
    if let Some(more) = rest.next() {
        return Err(Fault::Word {
            found: shortened(more.trim()),
            expected: "the end of the line: two lists end with the side to move, `3 17 | 8 9 w | 0.5`",
        });
    }
    let position = RowsPosition::parse(position).map_err(fault)?;
    let [first, second] = position.rows;
    Ok(RowsRecord {
        lists: match position.two {
            true => Lists::Two([first, second]),
            false => Lists::One(first),
        },
        black_to_move: position.black_to_move.unwrap_or(false),
        target,
        weight: weight.unwrap_or(Ok(1.0))?,
    })
}

fn fault(error: RowsError) -> Fault {
    match error {
        RowsError::Text { expected, found } => Fault::Word {
            found: shortened(&found),
            expected,
        },
        error => RecordError::from(error).into(),
    }
}

/// The text of the position, and the fields after it.
fn split(line: &str) -> (&str, Vec<&str>) {
    let mut ends = line.match_indices('|').map(|(at, _)| at);
    let (first, second) = (ends.next(), ends.next());
    let says_side = |at: &usize| {
        let word = line[..*at]
            .split([' ', '\t', ',', '|'])
            .rfind(|word| !word.is_empty());
        matches!(word, Some("w" | "b"))
    };
    let end = match (first, second.or(first.map(|_| line.len()))) {
        (Some(first), Some(second)) if !says_side(&first) && says_side(&second) => second,
        (Some(first), _) => first,
        (None, _) => line.len(),
    };
    let rest = line.get(end + 1..).map(|rest| rest.split('|').collect());
    (&line[..end], rest.unwrap_or_default())
}

/// A number that is not infinite by being too large. NaN is for the checker to refuse.
fn number(text: &str, expected: &'static str) -> Result<f32, Fault> {
    let text = text.trim();
    text.parse().map_err(|_| Fault::Word {
        found: shortened(text),
        expected,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Result<RowsRecord, String> {
        let mut reader = Reader::new(line.as_bytes());
        let record = reader.next().expect("a line");
        assert!(reader.next().is_none(), "one record");
        record.map_err(|error| error.to_string())
    }

    #[test]
    fn lines_have_rows_a_target_and_a_weight() {
        let plain = RowsRecord::new(vec![3, 17, 40], 0.75);
        assert_eq!(one("3 17 40 | 0.75"), Ok(plain.clone()));
        assert_eq!(one(" 3,17\t40|0.75\r\n"), Ok(plain.clone()));
        let weighted = RowsRecord {
            weight: 2.5,
            ..plain.clone()
        };
        assert_eq!(one("3 17 40 | 0.75 | 2.5"), Ok(weighted));
        let black = RowsRecord {
            black_to_move: true,
            ..plain
        };
        assert_eq!(one("3 17 40 b | 0.75"), Ok(black));
        assert_eq!(one("| -1e3"), Ok(RowsRecord::new(vec![], -1000.0)));
    }

    #[test]
    fn two_lists_say_the_side_to_move() {
        let record = |black_to_move, weight| RowsRecord {
            black_to_move,
            weight,
            ..RowsRecord::new([vec![3, 17], vec![8, 9]], 0.25)
        };
        assert_eq!(one("3 17 | 8 9 b | 0.25"), Ok(record(true, 1.0)));
        assert_eq!(one("3 17 | 8 9 w | 0.25 | 0.5"), Ok(record(false, 0.5)));
        let empty = RowsRecord::new([vec![], vec![]], 1.0);
        assert_eq!(one("| w | 1"), Ok(empty));
        // one list, a target and a weight
        let one_list = RowsRecord {
            weight: 8.0,
            ..RowsRecord::new(vec![3, 17], 4.0)
        };
        assert_eq!(one("3 17 | 4 | 8"), Ok(one_list));
    }

    #[test]
    fn wrong_lines_say_what_is_wrong() {
        for (line, said) in [
            ("3 17 40", "the target is missing"),
            ("3 17 | 8 9 b", "the target is missing"),
            ("3 17 | yes", "`yes` instead of a target, which is a number"),
            ("3 17 |", "`` instead of a target, which is a number"),
            (
                "3 17 | 0.5 | x",
                "`x` instead of a weight, which is a number",
            ),
            (
                "3 17 | 8 9 | 0.5",
                "`8 9` instead of a target, which is a number",
            ),
            (
                "3 17 | 8 | 0.5 | 1",
                "`1` instead of the end of the line: two lists end with the side to move, `3 17 | 8 9 w | 0.5`",
            ),
            ("3 x | 1", "`x` instead of the number of a row"),
            ("-3 | 1", "`-3` instead of the number of a row"),
            (
                "99999999999 | 1",
                "`99999999999` instead of a number of 32 bits",
            ),
            ("3 | 4 w b | 1", "`w` instead of the number of a row"),
        ] {
            assert_eq!(one(line), Err(format!("line 1, byte 0: {said}")), "{line}");
        }
    }

    #[test]
    fn reading_goes_on_after_comments_and_wrong_lines() {
        let text = "# rows | target\n\n3 | 1\nwrong | 1\n  # more\n4 | 0\n";
        let mut reader = Reader::new(text.as_bytes());
        assert_eq!(
            reader.next().unwrap().unwrap(),
            RowsRecord::new(vec![3], 1.0)
        );
        assert_eq!((reader.place().number, reader.place().offset), (3, 17));
        let error = reader.next().unwrap().unwrap_err();
        let said = "line 4, byte 23: `wrong` instead of the number of a row";
        assert_eq!(error.to_string(), said);
        assert_eq!(
            reader.next().unwrap().unwrap(),
            RowsRecord::new(vec![4], 0.0)
        );
        assert!(reader.next().is_none());
    }

    #[test]
    fn lines_are_bounded() {
        let text = format!("{} | 1\n3 | 1\n", "1 ".repeat(LONGEST / 2));
        let mut reader = Reader::new(text.as_bytes());
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("line 1, byte 0: a line of more than {LONGEST} bytes")
        );
        assert!(reader.next().unwrap().is_ok());
    }
}
