nnue::nnue! {
    pub struct Chess = HalfKP[..] -> 256x2 -> (16 -> 1)x8 by row_count / 8;

    pub struct Unknown = rows[words: 60, phase: 4] -> 32 -> (16 -> 1)x4 by row(phases);

    pub struct Others = rows[words: 60, phase: 4] -> 32 -> (16 -> 1)x4 by row_count(moves) / 2;

    pub struct Nameless = rows[64] -> 32 -> (16 -> 1)x4 by row_count(words) / 2;

    pub struct Zero = rows[64] -> 32 -> (16 -> 1)x4 by row_count / 0;

    pub struct Many = rows[64, active 32] -> 32 -> (16 -> 1)x4 by row_count / 8;

    pub struct Few = rows[64, active 32] -> 32 -> (16 -> 1)x4 by (row_count - 1) / 12;

    pub struct TooManyRows = rows[words: 60, phase: 6] -> 32 -> (16 -> 1)x4 by row(phase);

    pub struct TooFewRows = rows[words: 60, phase: 3] -> 32 -> (16 -> 1)x4 by row(phase);

    pub struct Minus = rows[64] -> 32 -> (16 -> 1)x4 by row_count - 1 / 8;

    pub struct Undivided = rows[64] -> 32 -> (16 -> 1)x4 by row_count;

    pub struct Plus = rows[64] -> 32 -> (16 -> 1)x4 by (row_count + 1) / 8;

    pub struct Empty = rows[words: 60, phase: 4] -> 32 -> (16 -> 1)x4 by row();

    pub struct Huge = rows[64] -> 32 -> (16 -> 1)x4 by row_count / 4294967296;
}

fn main() {}
