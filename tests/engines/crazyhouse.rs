//! Fairy-Stockfish's crazyhouse: pieces on the board and pockets are a set of the program.

use std::str::FromStr;

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::{Color, Level, Model, Network, nnue};
use nnue_testkit::engines::file;

use crate::vectors::{Row, rows};

include!("../../crates/tools/src/search/declared_variants.rs");

/// The stack of a position: by the pieces on the board.
pub fn by_pieces(board: &Board) -> usize {
    ((board.pieces.len() - 1) * 8 / 32).min(7)
}

/// A position with pockets.
pub struct Board {
    /// square, side and kind of each piece
    pieces: Vec<(u32, Color, u32)>,
    /// pieces in hand by side and kind
    pockets: [[u32; 5]; 2],
    to_move: Color,
}

/// A position that is no text of a board with pockets.
#[derive(Debug)]
pub struct Malformed;

impl FromStr for Board {
    type Err = Malformed;

    /// Reads a FEN with pockets: `8/8/8/8/8/8/8/K6k[Pq] w - - 0 1`.
    fn from_str(text: &str) -> Result<Self, Malformed> {
        let mut fields = text.split(' ');
        let (board, side) = (fields.next(), fields.next());
        let (ranks, pocket) = board
            .and_then(|board| board.split_once('['))
            .ok_or(Malformed)?;
        let mut pieces = Vec::new();
        for (rank, row) in ranks.split('/').enumerate() {
            let mut square = 8 * (7 - rank as u32);
            for letter in row.chars().filter(|letter| *letter != '~') {
                match letter.to_digit(10) {
                    Some(empty) => square += empty,
                    None => {
                        let (side, kind) = piece(letter)?;
                        pieces.push((square, side, kind));
                        square += 1;
                    }
                }
            }
        }
        let mut pockets = [[0; 5]; 2];
        for letter in pocket.chars().filter(char::is_ascii_alphabetic) {
            let (side, kind) = piece(letter)?;
            pockets[side.index()][kind as usize] += 1;
        }
        let to_move = match side {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            _ => return Err(Malformed),
        };
        Ok(Self {
            pieces,
            pockets,
            to_move,
        })
    }
}

fn piece(letter: char) -> Result<(Color, u32), Malformed> {
    let kind = "PNBRQK".find(letter.to_ascii_uppercase());
    let side = match letter.is_ascii_lowercase() {
        true => Color::Black,
        false => Color::White,
    };
    kind.map(|kind| (side, kind as u32)).ok_or(Malformed)
}

/// 64 squares of the own king, each with 11 planes of pieces and 16 places in hand for each kind and side.
pub struct HalfKaPockets;

impl Inputs for HalfKaPockets {
    type Position = Board;
    /// the boards before and after a move
    type Change = [Board; 2];
    /// the own king's square, as its side sees it
    type View = u32;
    const ROWS: usize = 64 * (11 * 64 + 10 * 16);

    fn side_to_move(board: &Board) -> Color {
        board.to_move
    }

    fn view(board: &Board, side: Color) -> u32 {
        let is_king = |(_, of, kind): &&(u32, Color, u32)| *of == side && *kind == 5;
        let king = board.pieces.iter().find(is_king);
        king.map_or(0, |(square, ..)| seen(*square, side))
    }

    fn active(board: &Board, side: Color, king: u32, rows: &mut Rows) {
        each_row(board, side, king, |row| rows.add(row));
    }

    fn changed([before, after]: &[Board; 2], side: Color, king: u32, rows: &mut ChangedRows) {
        each_row(before, side, king, |row| rows.remove(row));
        each_row(after, side, king, |row| rows.add(row));
    }
}

fn seen(square: u32, side: Color) -> u32 {
    square ^ [0, 56][side.index()]
}

fn each_row(board: &Board, side: Color, king: u32, mut row: impl FnMut(u32)) {
    for &(square, of, kind) in &board.pieces {
        let plane = match kind {
            5 => 10,
            kind => 2 * kind + u32::from(of != side),
        };
        row(864 * king + 64 * plane + seen(square, side));
    }
    for of in Color::ALL {
        for (kind, &held) in (0..).zip(&board.pockets[of.index()]) {
            let first = 864 * king + 704 + 32 * kind + 16 * u32::from(of != side);
            (first..first + held).for_each(&mut row);
        }
    }
}

#[test]
fn crazyhouse_has_the_values_of_the_engine() {
    let Some(bytes) = file("fairy-crazyhouse") else {
        return;
    };
    let mut network = Network::<Crazyhouse>::from_bytes(&bytes).expect("the file fits");
    for level in Level::available() {
        network = network.with_level(level);
        for Row { fen, output, value } in rows("fairy-crazyhouse") {
            let board: Board = fen.parse().expect("a position");
            let found = network.evaluate_fresh(&board);
            assert_eq!(found.value, value, "{level}: {fen}");
            let output = output.positional(Crazyhouse::SPEC.value);
            assert_eq!(found.positional, output, "{level}: {fen}");
        }
    }
}
