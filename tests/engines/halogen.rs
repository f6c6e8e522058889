//! Halogen, whose threats are a set of the program: both directions of each pair, all rows of an attacker on a square together.

use std::sync::OnceLock;

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::{Color, Level, Network, Output, nnue};
use nnue_testkit::engines::file;
use nnue_testkit::games::position;
use shakmaty::{Bitboard, Chess, Piece, Position, Role, Square, attacks};

use crate::vectors::{Row, assert_cuts_are_refused, assert_written_back, bits, rows};

include!("../../crates/tools/src/search/declared_halogen.rs");

/// The stack of a position.
pub fn by_pieces(position: &Chess) -> usize {
    (position.board().occupied().count() - 2) / 4
}

/// 6144 rows of pieces in king buckets, then 79856 of threats.
pub struct HalogenInputs;

/// What the rows of a side depend on: its king's bucket, and whether the board is mirrored.
type View = (u32, bool);

/// For files a to d of ranks 1 to 4; 7 from rank 5 on.
const BUCKETS: [u32; 16] = [0, 1, 2, 3, 4, 4, 5, 5, 6, 6, 6, 6, 6, 6, 6, 6];

/// The kinds that each kind attacks.
const ATTACKED: [&[Role]; 6] = {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    [
        &[Pawn, Knight, Rook],
        &[Pawn, Knight, Bishop, Rook, Queen, King],
        &[Pawn, Knight, Bishop, Rook, King],
        &[Pawn, Knight, Bishop, Rook, King],
        &[Pawn, Knight, Bishop, Rook, Queen, King],
        &[Pawn, Knight, Bishop, Rook],
    ]
};

impl Inputs for HalogenInputs {
    type Position = Chess;
    type Change = [Chess; 2];
    type View = View;
    const ROWS: usize = 6144 + 79856;

    fn side_to_move(position: &Chess) -> Color {
        match position.turn() {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        }
    }

    fn view(position: &Chess, side: Color) -> View {
        let king = position.board().king_of(color(side)).expect("a king");
        let seen = seen(king, side, false);
        let mirrored = seen.file() > shakmaty::File::D;
        let square = if mirrored {
            seen.flip_horizontal()
        } else {
            seen
        };
        let place = usize::from(square.rank()) * 4 + usize::from(square.file());
        (BUCKETS.get(place).copied().unwrap_or(7), mirrored)
    }

    fn active(position: &Chess, side: Color, view: View, rows: &mut Rows) {
        each_row(position, side, view, |row| rows.add(row));
    }

    fn changed([before, after]: &[Chess; 2], side: Color, view: View, rows: &mut ChangedRows) {
        each_row(before, side, view, |row| rows.remove(row));
        each_row(after, side, view, |row| rows.add(row));
    }
}

fn color(side: Color) -> shakmaty::Color {
    shakmaty::Color::from_white(side == Color::White)
}

/// A square as a side sees it.
fn seen(square: Square, side: Color, mirrored: bool) -> Square {
    let square = if side == Color::Black {
        square.flip_vertical()
    } else {
        square
    };
    if mirrored {
        square.flip_horizontal()
    } else {
        square
    }
}

fn each_row(position: &Chess, side: Color, (bucket, mirrored): View, mut row: impl FnMut(u32)) {
    // Own pieces are White's, seen from White's side.
    let pieces: Vec<(Square, Piece)> = position
        .board()
        .iter()
        .map(|(square, piece)| {
            let own = shakmaty::Color::from_white(piece.color == color(side));
            (
                seen(square, side, mirrored),
                Piece {
                    color: own,
                    role: piece.role,
                },
            )
        })
        .collect();
    let occupied: Bitboard = pieces.iter().map(|(square, _)| *square).collect();
    for &(from, attacker) in &pieces {
        let plane = 6 * enemy(attacker) + kind(attacker.role);
        row(768 * bucket + 64 * plane + u32::from(from));
        let attacked = attacks::attacks(from, attacker, occupied);
        for &(to, piece) in pieces.iter().filter(|(to, _)| attacked.contains(*to)) {
            if let Some(threat) = threat(from, attacker, to, piece) {
                row(6144 + threat);
            }
        }
    }
}

fn enemy(piece: Piece) -> u32 {
    u32::from(piece.color.is_black())
}

fn kind(role: Role) -> u32 {
    u32::from(role) - 1
}

/// The row of a threat, if there is one.
fn threat(from: Square, attacker: Piece, to: Square, attacked: Piece) -> Option<u32> {
    let kinds = ATTACKED[kind(attacker.role) as usize];
    let place = kinds.iter().position(|role| *role == attacked.role)? as u32;
    let empty = attacks::attacks(from, attacker, Bitboard::EMPTY);
    let below = empty.into_iter().filter(|square| *square < to).count() as u32;
    let block = 2 * place + enemy(attacked);
    let first = first_rows()[plane(attacker)][usize::from(from)];
    Some(first + block * empty.count() as u32 + below)
}

/// Attackers by kind, own before enemy.
fn plane(attacker: Piece) -> usize {
    (2 * kind(attacker.role) + enemy(attacker)) as usize
}

/// The first row of each attacker on each square.
fn first_rows() -> &'static [[u32; 64]; 12] {
    static ROWS: OnceLock<[[u32; 64]; 12]> = OnceLock::new();
    ROWS.get_or_init(|| {
        let (mut rows, mut next) = ([[0; 64]; 12], 0);
        for role in Role::ALL {
            for color in [shakmaty::Color::White, shakmaty::Color::Black] {
                let piece = Piece { color, role };
                for square in Square::ALL {
                    rows[plane(piece)][usize::from(square)] = next;
                    let stands = role != Role::Pawn
                        || !matches!(
                            square.rank(),
                            shakmaty::Rank::First | shakmaty::Rank::Eighth
                        );
                    let reached = attacks::attacks(square, piece, Bitboard::EMPTY).count() as u32;
                    let kinds = ATTACKED[kind(role) as usize].len() as u32;
                    next += if stands { 2 * kinds * reached } else { 0 };
                }
            }
        }
        assert_eq!(next, 79856, "rows of threats");
        rows
    })
}

#[test]
fn halogen_has_the_values_of_the_engine() {
    let Some(bytes) = file("halogen") else { return };
    let mut network = Network::<Halogen>::from_bytes(&bytes).expect("the file fits");
    assert_written_back(&network, &bytes, "halogen");
    assert_cuts_are_refused::<Halogen>(&bytes, "halogen");
    for level in Level::available() {
        network = network.with_level(level);
        for Row { fen, output, value } in rows("halogen") {
            let position = position(&fen);
            assert_eq!(
                network.evaluate_fresh(&position).value,
                value,
                "{level}: {fen}"
            );
            let found = network.output_of(&network.accumulate(&position)).raw();
            assert_eq!(bits(found), bits(output), "{level}: {fen}");
        }
    }
}
