//! Length of lines and mate scores.

/// The score of a mate on the board. A mate in n plies is worth `MATE - n`, as in Stockfish's tools.
pub const MATE: i32 = 32_000;

/// The maximum length of a line in plies.
pub const MAX_PLY: usize = 127;

/// Greater values are mate scores.
pub(super) const DECIDED: i32 = MATE - MAX_PLY as i32 - 1;
