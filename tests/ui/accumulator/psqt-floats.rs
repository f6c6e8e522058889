nnue::nnue! {
    pub struct Count = Chess768[..] -> 256 pairwise, psqt 8: f32 -> 16 screlu -> 3: f32 { value wdl * 1000; format raw };
    pub struct One = Chess768[..] -> 256x2 pairwise, psqt 3: f32 -> (16 screlu -> 1: f32)x8 { format raw };
    pub struct Whole = Chess768[..] -> 256x2 pairwise, psqt 1: f32 -> 16 -> 1 { format raw };
    pub struct Container = Chess768[..] -> 256 pairwise, psqt 1: f32 -> 16 screlu -> 1: f32;
    pub struct Element = Chess768[..] -> 256x2 pairwise, psqt 8: i16 -> (16 -> 1)x8;
    pub struct Rows {
        acc = accumulate(Chess768[..], 256), psqt 1: f32;
        output policy = rows(pairwise(acc), 1880);
        format raw
    }
}

fn main() {}
