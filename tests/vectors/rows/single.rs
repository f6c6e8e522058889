pub struct Single = rows[users: 60, items: 40, active 12] -> 32 -> 8 -> 1;
