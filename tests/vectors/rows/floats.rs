pub struct Floats = rows[70, active 9] -> 32 @ 255 pairwise, psqt 1: f32 -> 8 screlu -> 1: f32 { format raw };
