//! Rows that the caller lists: sizes, parts with names, golden values.
nnue::nnue! {
    pub struct Nothing = rows[] -> 32 -> 1;
}
nnue::nnue! {
    pub struct All = rows[..] -> 32 -> 1;
}
nnue::nnue! {
    pub struct Unsaid = rows[active 3] -> 32 -> 1;
}
nnue::nnue! {
    pub struct Zero = rows[0] -> 32 -> 1;
    pub struct More = rows[3, active 4] -> 32 -> 1;
    pub struct Great = rows[4294967295] -> 32 -> 1 { golden rows[3] = 1; };
}
nnue::nnue! {
    pub struct Twice = rows[3, 4] -> 32 -> 1;
}
nnue::nnue! {
    pub struct TwiceActive = rows[30, active 3, active 4] -> 32 -> 1;
}
nnue::nnue! {
    pub struct Unnamed = rows[300, history: 4] -> 32 -> 1;
}
nnue::nnue! {
    pub struct SameName = rows[features: 300, features: 4] -> 32 -> 1;
}
nnue::nnue! {
    pub struct EmptyPart = rows[features: 300, history: 0] -> 32 -> 1;
}
nnue::nnue! {
    pub struct NoNumber = rows[features: all] -> 32 -> 1;
}
nnue::nnue! {
    pub struct Beside = rows[300] + Chess768[..] -> 32 -> 1;
    pub struct ManyStacks = rows[300] -> 32 -> (8 -> 1)x8;
    pub struct Pieces = rows[300] -> 32 -> (8 -> 1)x8 by material_count;
    pub struct Floats = rows[300] as f32 -> 32 -> 1;
}
nnue::nnue! {
    pub struct NoRow = rows[300] -> 32 -> 1 { golden rows[3, 300] = 1; };
    pub struct OneList = rows[300] -> 32x2 -> 1 { golden rows[3] = 1; };
    pub struct TwoLists = rows[300] -> 32 -> 1 { golden rows[3 | 4] = 1; };
    pub struct Again = rows[300] -> 32 -> 1 { golden rows[3, 3] = 1; };
    pub struct TooMany = rows[300, active 1] -> 32 -> 1 { golden rows[3, 4] = 1; };
    pub struct Function = rows[300] -> 32 -> 1 { golden self::position = 1; };
    pub struct OfChess = Chess768[..] -> 32 -> 1 { golden rows[3] = 1; };
}
nnue::nnue! {
    pub struct Word = rows[300] -> 32 -> 1 { golden rows[three] = 1; };
}

fn main() {}
