//! One FEN a line, as in lists of openings and test positions: positions without scores, outcomes and moves.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//!   4k3/8/8/8/8/8/4P3/4K3 w - -                                  clock and number of the move may be missing
//! ```
//!
//! Text after a tab is ignored, and empty lines are skipped.

use std::io::Read;

use super::{LONGEST, Lines};
use crate::{Outcome, ReadError, Record};

/// Reads the positions of a text. It continues after a wrong line.
///
/// ```
/// use nnue_data::{Outcome, text::fens};
///
/// let text = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 31\tpawn ending\n";
/// let record = fens::Reader::new(text.as_bytes(), Outcome::Draw).next().expect("a position")?;
/// assert_eq!((record.ply, record.score()), (60, None));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    outcome: Outcome,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own. All positions get this outcome: the text has
    /// none.
    pub fn new(input: R, outcome: Outcome) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            outcome,
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lines.record(|line| {
            let fen = line.split('\t').next().unwrap_or_default().trim();
            (!fen.is_empty()).then(|| Record::of_fen(fen, self.outcome).map_err(Into::into))
        })
    }
}
