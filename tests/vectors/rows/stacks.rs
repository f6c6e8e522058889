pub struct Stacks = rows[words: 60, phase: 4, active 12] -> 32x2, psqt 4 -> (8 -> 1)x4 by row(phase);
