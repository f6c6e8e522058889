//! Which records belong to a game.

use cozy_chess::{Color, Piece};

use crate::{Outcome, Record};

/// Finds out of records in the order of a file where a game begins, although records of it may have been left out.
///
/// A record continues the game of the one before if its ply is greater, the outcome is the same, and no side has more pieces or more pawns.
/// Two games that agree in all that count as one. Without plies, as in bulletformat, every record counts as a game.
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

/// What the next record of the game is compared with.
#[derive(Clone, Debug)]
struct Last {
    ply: u32,
    /// for White
    outcome: Outcome,
    /// pieces and pawns of each side
    counts: [u32; 4],
}

impl Games {
    /// Whether a game begins with this record, which follows those that were asked for before.
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
                && now.counts.iter().zip(last.counts).all(|(&now, last)| now <= last)
        });
        self.last = Some(now);
        !continues
    }
}
