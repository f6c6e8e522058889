pub struct Othello = rows[own: 64, other: 64, active 64] -> 32x2 -> (16 -> 1)x8 by (row_count - 1) / 8;
