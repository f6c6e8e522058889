use nnue::Color;
use nnue::game::{ChangedRows, Inputs, Rows};

pub struct Lamps;

impl Inputs for Lamps {
    type Position = [bool; 6];
    type Change = usize;
    type View = ();
    const ROWS: usize = 6;

    fn side_to_move(_: &[bool; 6]) -> Color {
        Color::White
    }
    fn view(_: &[bool; 6], _: Color) {}
    fn active(_: &[bool; 6], _: Color, (): (), _: &mut Rows) {}
    fn changed(_: &usize, _: Color, (): (), _: &mut ChangedRows) {}
}

nnue::nnue! {
    pub struct SevenLamps = self::Lamps[7] -> 32x2 -> 1;
}

fn main() {}
