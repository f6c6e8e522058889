pub struct Ataxx = rows[own: 49, other: 49, active 49] -> 32x2 -> 16 -> 1;
