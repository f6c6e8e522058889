//! How long lines are, and what a mate at their end is worth.

/// The value of having mated. A mate in n plies is worth `MATE - n`, as scores of Stockfish's tools have it.
pub const MATE: i32 = 32_000;

/// No line is longer, in plies.
pub const MAX_PLY: usize = 127;

/// Values beyond are mates.
pub(super) const DECIDED: i32 = MATE - MAX_PLY as i32 - 1;
