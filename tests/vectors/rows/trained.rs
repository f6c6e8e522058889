pub struct Trained = rows[users: 60, items: 20, crosses: 128, active 8] -> 32 -> 8 -> 1;
