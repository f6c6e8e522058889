use nnue::Color;
use nnue::game::{ChangedRows, Inputs, Rows};

/// A position that no text says.
struct Room;

struct Lamps;

impl Inputs for Lamps {
    type Position = Room;
    type Change = ();
    type View = ();
    const ROWS: usize = 6;

    fn side_to_move(_: &Room) -> Color {
        Color::White
    }

    fn view(_: &Room, _: Color) {}

    fn active(_: &Room, _: Color, (): (), _: &mut Rows) {}

    fn changed(_: &(), _: Color, (): (), _: &mut ChangedRows) {}
}

fn dark() -> u32 {
    0
}

nnue::nnue! {
    struct Unread = self::Lamps[6] -> 32x2 -> 1 {
        golden "on off" = 12;
    };

    struct OfNumbers = self::Lamps[6] -> 32x2 -> 1 {
        golden self::dark = 12;
    };
}

fn main() {}
