//! 01: a network in one line.
//!
//! Shows: a declaration, its parameters filled by hand, a board of one's own, one evaluation.
//!
//! The weights say what pieces are worth: the first half of the accumulator counts the own material in pawns, the second
//! half the enemy's, and the output adds the one and subtracts the other.
//!
//! Run: `cargo run --example 01_hello`
//!
//! ```text
//! Material = Chess768[768] -> 32x2 -> 1
//! start position      0
//! without black queen 900
//! ```

use nnue::{Architecture, Color, Network, Parameters, PieceKind, Position, nnue};

nnue! {
    /// Counts material.
    pub struct Material = Chess768[..] -> 32x2 -> 1;
}

/// A position: a bitboard for each colour and kind of piece. Any board type can be evaluated that can answer two questions.
struct Board {
    pieces: [[u64; 6]; 2],
}

impl Position for Board {
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.pieces[color.index()][kind.index()]
    }

    fn side_to_move(&self) -> Color {
        Color::White
    }
}

/// Pawns, knights, bishops, rooks, queen and king as at the start of a game.
const START: Board = {
    let white = [0xFF00, 0x42, 0x24, 0x81, 0x08, 0x10];
    let black = [0xFF_u64 << 48, 0x42 << 56, 0x24 << 56, 0x81 << 56, 0x08 << 56, 0x10 << 56];
    Board { pieces: [white, black] }
};

fn material() -> MaterialParams {
    let mut params = MaterialParams::zeroed();
    // A row of the feature transformer per (own or enemy, piece, square).
    for (row, weights) in params.ft.weight.iter_mut().enumerate() {
        let pawns = [1, 3, 3, 5, 9, 0][row / 64 % 6];
        let enemy = row / 384;
        weights[16 * enemy..][..16].fill(pawns);
    }
    // The output reads the 32 neurons of the side to move, then those of the other side, which it ignores. 16 neurons
    // times 100 are 1600 per pawn; the value is a sixteenth of that.
    let output = &mut params.fc0.weight[0][0];
    output[..16].fill(100);
    output[16..32].fill(-100);
    params
}

fn main() {
    let network: Network<Material> = Network::from_params(material());
    println!("Material = {}", Material::SPEC.notation);
    println!("start position      {}", network.evaluate_fresh(&START).value);

    let mut board = START;
    board.pieces[Color::Black.index()][PieceKind::Queen.index()] = 0;
    println!("without black queen {}", network.evaluate_fresh(&board).value);
}
