//! What is in records.

use nnue_spec::rows::{ListedRow, RowsError};

use super::{RecordError, RowsRecord, Targets};

/// More rows than any network has.
const MOST_ROWS: u32 = 1 << 28;

/// Counts records of one network, whichever it is.
///
/// Memory: a bit for each row up to the greatest.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// records
    pub records: u64,
    /// lists of a record: 1 or 2; 0 before the first record
    pub lists: usize,
    /// records with Black to move
    pub black_to_move: u64,
    /// active rows of a list
    pub active: Spread,
    /// targets
    pub targets: Spread,
    /// weights
    pub weights: Spread,
    /// a bit for each row that was active
    seen: Vec<u64>,
}

/// How numbers are spread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spread {
    count: u64,
    mean: f64,
    /// sum of the squared distances from the mean
    squares: f64,
    range: Option<(f64, f64)>,
}

impl Spread {
    fn add(&mut self, number: f64) {
        self.count += 1;
        let off = number - self.mean;
        self.mean += off / self.count as f64;
        self.squares += off * (number - self.mean);
        let (low, high) = self.range.unwrap_or((number, number));
        self.range = Some((low.min(number), high.max(number)));
    }

    /// The mean; `None` without numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// The standard deviation; `None` without numbers.
    pub fn deviation(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// The least and the greatest number; `None` without numbers.
    pub const fn range(&self) -> Option<(f64, f64)> {
        self.range
    }
}

impl Stats {
    /// Adds a record.
    ///
    /// # Errors
    ///
    /// [`RecordError`]: no network has such a record, or none that has those before. Then nothing is added.
    pub fn add(&mut self, record: &RowsRecord) -> Result<(), RecordError> {
        let lists = record.lists.as_slice();
        if self.records > 0 && lists.len() != self.lists {
            return Err(RecordError::OtherLists {
                found: lists.len(),
                before: self.lists,
            });
        }
        for (number, list) in lists.iter().enumerate() {
            check(list, (lists.len() > 1).then_some(number))?;
        }
        let RowsRecord { target, weight, .. } = *record;
        Targets::Scores.check(target)?;
        super::check::check_weight(weight)?;
        self.records += 1;
        self.lists = lists.len();
        self.black_to_move += u64::from(record.black_to_move);
        self.targets.add(target.into());
        self.weights.add(weight.into());
        for list in lists {
            self.active.add(list.len() as f64);
            list.iter().for_each(|&row| self.see(row));
        }
        Ok(())
    }

    fn see(&mut self, row: u32) {
        let word = row as usize / 64;
        if word >= self.seen.len() {
            self.seen.resize(word + 1, 0);
        }
        self.seen[word] |= 1 << (row % 64);
    }

    /// The number of rows that were active in some record.
    pub fn rows(&self) -> u64 {
        self.seen
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }

    /// The greatest row that was active; `None` if there is none.
    pub fn greatest_row(&self) -> Option<u32> {
        let last = self.seen.last()?;
        let words = self.seen.len() as u32 - 1;
        Some(64 * words + 63 - last.leading_zeros())
    }
}

/// An error if a row is listed twice, or greater than those of any network.
fn check(list: &[u32], number: Option<usize>) -> Result<(), RowsError> {
    let named = |row| ListedRow {
        row,
        group: None,
        list: number,
    };
    if let Some(&row) = list.iter().find(|&&row| row >= MOST_ROWS) {
        return Err(RowsError::OutOfRange {
            row: named(row),
            rows: MOST_ROWS,
        });
    }
    let mut sorted = list.to_vec();
    sorted.sort_unstable();
    match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(RowsError::Repeated(named(pair[0]))),
        None => Ok(()),
    }
}
