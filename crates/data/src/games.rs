//! Game boundaries, and the distance of records from the end of their game.

use std::collections::VecDeque;

use cozy_chess::{Color, Piece};

use crate::policy::PolicyRecord;
use crate::{Outcome, Record};

/// Finds where games begin, from records in file order. Some records may have been left out.
///
/// A record continues the game of the record before if its ply is greater, the outcome is the same, and
/// neither side has more pieces or pawns. Two games that agree in all of that count as one. Without plies, as
/// in bulletformat, every record counts as a game.
///
/// ```
/// use nnue_data::{Games, Outcome, Record};
///
/// let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let record = |ply| Record { position, score: 0, outcome: Outcome::Draw, ply, mv: None };
/// let mut games = Games::default();
/// let begins = [10, 12, 8].map(|ply| games.begins(&record(ply)));
/// assert_eq!(begins, [true, false, true]);
/// # Ok::<(), nnue_data::FenError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Games {
    last: Option<Last>,
}

/// The properties of a record that the next one is compared with.
#[derive(Clone, Debug)]
struct Last {
    ply: u32,
    /// for White
    outcome: Outcome,
    /// pieces and pawns of each side
    counts: [u32; 4],
}

impl Games {
    /// Whether a game begins with this record, the next in the file.
    pub fn begins(&mut self, record: &Record) -> bool {
        let count = |color| {
            let all = record.position.color(color).len();
            [all, record.position.colored(color, Piece::Pawn).len()]
        };
        let [[white, white_pawns], [black, black_pawns]] = Color::ALL.map(count);
        let now = Last {
            ply: record.ply,
            outcome: record.outcome.relative_to(record.position.side_to_move()),
            counts: [white, white_pawns, black, black_pawns],
        };
        let continues = self.last.as_ref().is_some_and(|last| {
            now.ply > last.ply
                && now.outcome == last.outcome
                && now
                    .counts
                    .iter()
                    .zip(last.counts)
                    .all(|(&now, last)| now <= last)
        });
        self.last = Some(now);
        !continues
    }
}

/// Adds to each record the plies left in its game: from its ply to that of the last record.
///
/// A game is kept in memory until it ends. If records were left out, the last one present counts as the end.
/// A record alone in its game gets `None`.
///
/// ```
/// use nnue_data::policy::PolicyRecord;
/// use nnue_data::{Outcome, PliesLeft, Record};
///
/// let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let record = |ply| PolicyRecord::from(Record { position, score: 0, outcome: Outcome::Draw, ply, mv: None });
/// let records = [10, 12, 20, 8, 9].map(|ply| Ok::<_, ()>(record(ply)));
/// let left: Vec<_> = PliesLeft::new(records.into_iter()).map(|record| record.unwrap().left.unwrap()).collect();
/// assert_eq!(left, [10, 8, 0, 1, 0]);
/// # Ok::<(), nnue_data::FenError>(())
/// ```
#[derive(Debug)]
pub struct PliesLeft<I: Iterator> {
    records: I,
    games: Games,
    /// the records of a finished game
    ready: VecDeque<PolicyRecord>,
    /// the records of the game after it
    begun: Vec<PolicyRecord>,
    /// the error that follows all of these
    fault: Option<I::Item>,
}

/// The most records kept of a game. Longer games are divided, to bound the memory.
const LONGEST: usize = 1 << 14;

impl<E, I: Iterator<Item = Result<PolicyRecord, E>>> PliesLeft<I> {
    /// `records` must be in file order.
    pub fn new(records: I) -> Self {
        Self {
            records,
            games: Games::default(),
            ready: VecDeque::new(),
            begun: Vec::new(),
            fault: None,
        }
    }

    /// Ends the current game: moves its records from `begun` to `ready`.
    fn end(&mut self) {
        let last = self.begun.last().map_or(0, |record| record.record.ply);
        let is_known = self.begun.len() > 1;
        self.ready.extend(self.begun.drain(..).map(|record| {
            let left = is_known.then(|| last - record.record.ply);
            PolicyRecord { left, ..record }
        }));
    }
}

impl<E, I: Iterator<Item = Result<PolicyRecord, E>>> Iterator for PliesLeft<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        while self.ready.is_empty() && self.fault.is_none() {
            match self.records.next() {
                Some(Ok(record)) => {
                    if self.games.begins(&record.record) || self.begun.len() == LONGEST {
                        self.end();
                    }
                    self.begun.push(record);
                }
                end => {
                    self.end();
                    self.fault = end;
                    if self.fault.is_none() {
                        break;
                    }
                }
            }
        }
        self.ready.pop_front().map(Ok).or_else(|| self.fault.take())
    }
}
