//! Selects the records worth training on.
//!
//! A network evaluates quiet positions; the search resolves the others. So positions in check, and those
//! whose move captures or promotes, are usually left out. So are decided positions, and early ones, which
//! occur many times in the data.

use std::fmt;
use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use fastrand::Rng;

use crate::win_rate::WinRate;
use crate::{MoveKind, Record};

/// What to leave out. [`KEEP_ALL`](Self::KEEP_ALL) leaves out nothing.
///
/// ```
/// use nnue_data::filter::{Filter, Reason, Sieve};
/// use nnue_data::{Outcome, Record};
///
/// let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let record = Record { position, score: 2500, outcome: Outcome::Win, ply: 20, mv: None };
/// let filter = Filter { scores: -2000..=2000, ..Filter::KEEP_ALL };
/// assert_eq!(Sieve::new(filter, 1).judge(&record), Some(Reason::Score));
/// # Ok::<(), nnue_data::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Filter {
    /// leave out records without a score
    pub no_score: bool,
    /// leave out positions with the side to move in check
    pub check: bool,
    /// leave out records whose move captures
    pub captures: bool,
    /// leave out records whose move promotes
    pub promotions: bool,
    /// scores that are kept
    pub scores: RangeInclusive<i16>,
    /// plies that are kept
    pub plies: RangeInclusive<u32>,
    /// numbers of pieces, kings included, that are kept
    pub pieces: RangeInclusive<u32>,
    /// keep one in this many records, at random
    pub one_in: NonZeroU32,
    /// keep a record with the probability of its outcome in this model
    pub win_rate: Option<WinRate>,
}

impl Filter {
    /// Leaves out nothing.
    pub const KEEP_ALL: Self = Self {
        no_score: false,
        check: false,
        captures: false,
        promotions: false,
        scores: i16::MIN..=i16::MAX,
        plies: 0..=u32::MAX,
        pieces: 0..=u32::MAX,
        one_in: NonZeroU32::MIN,
        win_rate: None,
    };

    /// Whether the filter needs moves, which some formats lack.
    pub const fn needs_moves(&self) -> bool {
        self.captures || self.promotions
    }

    /// Whether the filter needs plies, which some formats lack.
    pub fn needs_plies(&self) -> bool {
        self.win_rate.is_some() || self.plies != Self::KEEP_ALL.plies
    }
}

/// Why a record is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// it has no score
    NoScore,
    /// the side to move is in check
    Check,
    /// the move captures
    Capture,
    /// the move promotes
    Promotion,
    /// the score is out of range
    Score,
    /// the ply is out of range
    Ply,
    /// the number of pieces is out of range
    Pieces,
    /// the outcome is unlikely for the score
    WinRate,
    /// random selection of one record in many
    OneIn,
}

impl Reason {
    /// All reasons, in the order in which they are checked.
    pub const ALL: [Self; 9] = [
        Self::NoScore,
        Self::Check,
        Self::Capture,
        Self::Promotion,
        Self::Score,
        Self::Ply,
        Self::Pieces,
        Self::WinRate,
        Self::OneIn,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoScore => "no score",
            Self::Check => "in check",
            Self::Capture => "move captures",
            Self::Promotion => "move promotes",
            Self::Score => "score",
            Self::Ply => "ply",
            Self::Pieces => "number of pieces",
            Self::WinRate => "unlikely outcome",
            Self::OneIn => "by chance",
        })
    }
}

/// Applies a filter and counts the records that it leaves out.
#[derive(Clone, Debug)]
pub struct Sieve {
    filter: Filter,
    random: Rng,
    left_out: [u64; Reason::ALL.len()],
}

impl Sieve {
    /// The same seed keeps the same records.
    pub fn new(filter: Filter, seed: u64) -> Self {
        Self {
            filter,
            random: Rng::with_seed(seed),
            left_out: [0; Reason::ALL.len()],
        }
    }

    /// Why the record is left out. `None` if it is kept.
    pub fn judge(&mut self, record: &Record) -> Option<Reason> {
        let reason = self.reason(record)?;
        self.left_out[reason as usize] += 1;
        Some(reason)
    }

    /// How many records were left out for this reason. A record counts once, for the first reason that
    /// applies.
    pub const fn left_out(&self, reason: Reason) -> u64 {
        self.left_out[reason as usize]
    }

    fn reason(&mut self, record: &Record) -> Option<Reason> {
        Reason::ALL
            .into_iter()
            .find(|&reason| self.applies(reason, record))
    }

    fn applies(&mut self, reason: Reason, record: &Record) -> bool {
        let filter = &self.filter;
        match reason {
            Reason::NoScore => filter.no_score && record.score().is_none(),
            Reason::Check => filter.check && record.position.is_check(),
            Reason::Capture => {
                filter.captures && record.mv.is_some_and(|mv| record.position.is_capture(mv))
            }
            Reason::Promotion => {
                filter.promotions
                    && record
                        .mv
                        .is_some_and(|mv| matches!(mv.kind, MoveKind::Promotion(_)))
            }
            Reason::Score => !filter.scores.contains(&record.score),
            Reason::Ply => !filter.plies.contains(&record.ply),
            Reason::Pieces => !filter.pieces.contains(&record.position.occupied().len()),
            Reason::WinRate => filter.win_rate.is_some_and(|model| {
                self.random.f64() >= model.chance(record.score, record.ply, record.outcome)
            }),
            Reason::OneIn => filter.one_in.get() > 1 && self.random.u32(..filter.one_in.get()) > 0,
        }
    }
}
