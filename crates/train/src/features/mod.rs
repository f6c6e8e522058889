//! The active rows of a position.
//!
//! ```text
//!   position ──► pieces, one after the other ──┬──► sets of pieces: a table by the own king, the piece and its square
//!                                              ├──► threats: attacks, a table by attacker, its square and the attacked one
//!                                              └──► pawn pairs: neighbouring pawns
//! ```
//!
//! Every set appends the rows of both perspectives. Rows are those of
//! [`nnue_spec::reference::active_features`].
//!
//! Records of networks over lists of rows have their rows already: [`ListedRows`].

mod encode;
mod listed;
mod pawn_pairs;
mod pieces;
mod placed;
mod rows;
mod standing;
mod threats;

use nnue_data::policy::PolicyRecord;
use nnue_data::{Color, Move, Position, Record};
use nnue_spec::{FeatureDesc, FeatureSetId, NetDesc, PerspectiveOrder, Selector, StackDesc};
use thiserror::Error;

use crate::batch::{Batch, Target};
use crate::move_rows::MoveRows;
use crate::network::Position as Seen;
pub use encode::Encode;
pub use listed::{ListedRows, Meant};
use pieces::PieceTables;
use placed::Placed;
pub use rows::Rows;
use threats::ThreatTables;

/// The feature sets of a network, prepared for lookup.
///
/// ```
/// use nnue_data::Position;
/// use nnue_spec::NetDesc;
/// use nnue_train::features::{Features, Rows};
///
/// fn show(net: &NetDesc<'_>, position: &Position) -> Result<(), Box<dyn std::error::Error>> {
///     let features = Features::new(net)?;
///     let mut rows = Rows::default();
///     features.find(position, &mut rows);
///     println!("side to move {:?}, other side {:?}", rows.of(0), rows.of(1));
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Features {
    sets: Vec<Set>,
    perspectives: usize,
    order: PerspectiveOrder,
    stacks: StackDesc,
    /// most active rows of a perspective
    max_active: usize,
    /// weight of a position in the loss, by its number of pieces
    weights: [f32; MOST_PIECES + 1],
    /// for networks with a trained policy
    moves: Option<MoveRows>,
}

/// Pieces of a position at most.
const MOST_PIECES: usize = 32;

/// Positions cannot be encoded for this network.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FeaturesError {
    /// the program defines a feature set
    #[error("`{0}` is a feature set of the program, which alone knows its rows")]
    CustomSet(String),
    /// positions are lists of rows
    #[error("positions of `{0}` are lists of rows, and this data has positions of chess")]
    Listed(String),
    /// positions are not lists of rows
    #[error("positions of `{0}` are no lists of rows")]
    NotListed(String),
    /// a function of the program selects the layer stack
    #[error("a function of the program chooses the layer stacks of `{0}`, and is not known here")]
    CustomStacks(String),
}

#[derive(Clone, Debug)]
enum Set {
    Pieces(Box<PieceTables>),
    Threats(Box<ThreatTables>),
    /// its first row
    PawnPairs(i32),
}

impl Features {
    /// Prepares the sets of a network: builds lookup tables, which takes milliseconds.
    ///
    /// # Errors
    ///
    /// If code of the program defines the active rows or selects the layer stack.
    pub fn new(net: &NetDesc<'_>) -> Result<Self, FeaturesError> {
        if net.has_listed_rows() {
            return Err(FeaturesError::Listed(net.name.into()));
        }
        if net.has_custom_set() {
            return Err(FeaturesError::CustomSet(net.custom.set.into()));
        }
        if net.stacks.selector == Selector::Custom {
            return Err(FeaturesError::CustomStacks(net.name.into()));
        }
        let mut first = 0;
        let mut set_of = |feature: &FeatureDesc| {
            let set = Set::new(net, *feature, first);
            first += feature.rows as i32;
            set
        };
        Ok(Self {
            sets: net.features.iter().map(&mut set_of).collect(),
            perspectives: net.accumulator.perspectives,
            order: net.accumulator.order,
            stacks: net.stacks,
            max_active: net
                .features
                .iter()
                .map(|feature| feature.set.max_active())
                .sum(),
            weights: [1.0; MOST_PIECES + 1],
            moves: None,
        })
    }

    /// Sets the weight of positions by their number of pieces: linear interpolation between `knots`, spaced
    /// evenly from 0 to 32 pieces. A single knot applies to all.
    ///
    /// # Panics
    ///
    /// If `knots` is empty.
    #[must_use]
    pub fn weighted_by_pieces(mut self, knots: &[f32]) -> Self {
        let last = knots.len() - 1;
        for (pieces, weight) in self.weights.iter_mut().enumerate() {
            let place = (pieces * last) as f32 / MOST_PIECES as f32;
            let (before, part) = (place as usize, place.fract());
            *weight = knots[before] + part * (knots[(before + 1).min(last)] - knots[before]);
        }
        self
    }

    /// Encodes policy targets with this rule from moves to rows.
    #[must_use]
    pub fn with_moves(self, rule: MoveRows) -> Self {
        Self {
            moves: Some(rule),
            ..self
        }
    }

    /// Perspectives that the network reads: 1 or 2.
    pub const fn perspectives(&self) -> usize {
        self.perspectives
    }

    /// Finds the active rows of a position for both perspectives, and replaces those in `rows`. Rows of a
    /// second feature set follow those of the first, and are numbered after them.
    #[inline]
    pub fn find(&self, position: &Position, rows: &mut Rows) {
        let placed = Placed::new(position, self.first(position));
        rows.fill(self.max_active, |rows| {
            for set in &self.sets {
                match set {
                    Set::Pieces(tables) => tables.find(&placed, rows),
                    Set::Threats(tables) => tables.find(&placed, rows),
                    Set::PawnPairs(first) => pawn_pairs::find(*first, &placed, rows),
                }
            }
        });
    }

    /// Encodes a position for the network: its rows, which are stored in `rows`, and its stack.
    #[inline]
    pub fn see<'r>(&self, position: &Position, rows: &'r mut Rows) -> Seen<'r> {
        self.find(position, rows);
        let rows = [
            rows.of(0),
            if self.perspectives == 2 {
                rows.of(1)
            } else {
                &[]
            },
        ];
        Seen {
            rows,
            stack: self.stacks.select(position.occupied().len() as usize),
            listed: &[],
        }
    }

    /// Converts a score between the side to move and the first perspective, either way.
    #[inline]
    pub fn for_mover(&self, position: &Position, score: f64) -> f64 {
        if position.side_to_move() == self.first(position) {
            score
        } else {
            -score
        }
    }

    /// Appends a record to a batch. `rows` is scratch memory.
    #[inline]
    pub fn push(&self, record: &Record, rows: &mut Rows, batch: &mut Batch) {
        let position = &record.position;
        self.find(position, rows);
        let (mover, first) = (position.side_to_move(), self.first(position));
        let target = Target {
            stack: self.stacks.select(position.occupied().len() as usize) as u16,
            score: self.for_mover(position, record.score.into()) as f32,
            result: record
                .outcome
                .relative_to(mover)
                .relative_to(first)
                .points() as f32,
            ply: record.ply,
            weight: self.weights[position.occupied().len() as usize],
        };
        batch.push(&[rows.of(0), rows.of(1)][..self.perspectives], target);
    }

    /// Like [`push`](Self::push), with the remaining plies of the game and, for networks with a policy, the
    /// rows of the legal moves and their shares: by visits, or 1 for the move of the record. Moves are left
    /// out if the record has neither, if the position cannot occur in a game, or if a move has no row.
    pub fn push_policy(
        &self,
        PolicyRecord {
            record,
            visits,
            left,
        }: &PolicyRecord,
        rows: &mut Rows,
        batch: &mut Batch,
    ) {
        self.push(record, rows, batch);
        if let Some(plies) = *left {
            batch.push_left(plies);
        }
        if let Some(rule) = self.moves
            && let Some((moves, shares)) = policy(rule, record, visits)
        {
            batch.push_moves(&moves, &shares);
        }
    }

    fn first(&self, position: &Position) -> Color {
        let is_black = self
            .order
            .begins_with_black(position.side_to_move() == Color::Black);
        if is_black { Color::Black } else { Color::White }
    }
}

/// The rows of the legal moves and their shares of the visits.
fn policy(rule: MoveRows, record: &Record, visits: &[(Move, u32)]) -> Option<(Vec<u32>, Vec<f32>)> {
    let legal = record.position.legal_moves()?;
    let visited = |mv: Move| match visits {
        [] => u32::from(record.mv == Some(mv)),
        _ => visits
            .iter()
            .find(|(other, _)| *other == mv)
            .map_or(0, |(_, count)| *count),
    };
    let counts: Vec<f64> = legal.iter().map(|&mv| visited(mv).into()).collect();
    let all: f64 = counts.iter().sum();
    let rows: Option<Vec<u32>> = legal
        .iter()
        .map(|&mv| rule.row(&record.position, mv))
        .collect();
    (all > 0.0).then(|| {
        Some((
            rows?,
            counts.iter().map(|count| (count / all) as f32).collect(),
        ))
    })?
}

impl Set {
    fn new(net: &NetDesc<'_>, feature: FeatureDesc, first: i32) -> Self {
        match feature.set {
            FeatureSetId::Threats(pairs) => {
                Self::Threats(Box::new(ThreatTables::new(pairs, first)))
            }
            FeatureSetId::PawnPairs => Self::PawnPairs(first),
            _ => Self::Pieces(Box::new(PieceTables::new(net, feature, first))),
        }
    }
}
