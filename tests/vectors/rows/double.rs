pub struct Double = rows[80, active 20] -> 32x2 pairwise, psqt 1 -> 8 -> 1;
