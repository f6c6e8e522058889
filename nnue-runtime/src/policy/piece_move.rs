//! Moves with their piece, and their numbers in the scheme 3920.
//!
//! ```text
//!   0      pawn     154    by square of origin, then by target, ascending: one step ahead, or one ahead and one aside
//!   154    knight   336    the same for the moves of the other pieces on an empty board
//!   490    bishop   560
//!   1050   rook     896
//!   1946   queen   1456
//!   3402   king     420
//!   3822   promotions      22 * (knight, bishop, rook, queen) + 2 * from file + to file
//!   3910   castlings       towards file h of the board as it is seen, towards file a
//!   3912   double pushes   by their file
//! ```
//!
//! For pawns, this order includes moves from the first rank and to the eighth, which are never
//! legal.

use super::squares::{FILES, MoveSquares, promotion};
use crate::board::{Color, PieceKind, Position, Square};

/// A move, with everything that the rows of policies distinguish.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyMove {
    /// the piece that moves; the king for a castling
    pub piece: PieceKind,
    /// the squares and the promotion; for a castling, the king's move onto its own rook
    pub squares: MoveSquares,
    /// whether it is a castling
    pub castling: bool,
}

const PROMOTIONS: usize = 3822;
const CASTLINGS: usize = PROMOTIONS + 4 * FILES;
const DOUBLE_PUSHES: usize = CASTLINGS + 2;
const ALL: usize = DOUBLE_PUSHES + 8;

/// The squares that each kind of piece reaches from each square of an empty board.
const TARGETS: [[u64; 64]; 6] = targets();
/// The number of the first move of each piece and origin; the last entry is the total.
const FIRST: [u16; 6 * 64 + 1] = first();

impl PolicyMove {
    /// A move that is not a castling. A pawn that captures en passant moves to the square that the
    /// captured pawn has passed.
    pub const fn new(piece: PieceKind, squares: MoveSquares) -> Self {
        Self {
            piece,
            squares,
            castling: false,
        }
    }

    /// A castling of the king on one square with the rook on another.
    pub const fn castling(king: Square, rook: Square) -> Self {
        Self {
            piece: PieceKind::King,
            squares: MoveSquares::new(king, rook, None),
            castling: true,
        }
    }

    /// The move of the side to move in `position` with these squares, [seen
    /// by](MoveSquares::seen_by) this side. Converts the result of 1858, 1880 or `from_to` to a
    /// move. `None` if no piece of the side to move is on the first square.
    ///
    /// A king that moves onto its own rook, or over more than one file, castles. A pawn that
    /// reaches the last rank without a promotion becomes a knight, as 1858 has it; with `from_to`
    /// the program sets the promotion.
    pub fn on(position: &(impl Position + ?Sized), squares: MoveSquares) -> Option<Self> {
        let mover = position.side_to_move();
        let MoveSquares {
            from,
            to,
            promotion,
        } = squares.seen_by(mover);
        let own = |kind, square: Square| position.pieces(mover, kind) & square.bit() != 0;
        let piece = PieceKind::ALL.into_iter().find(|&kind| own(kind, from))?;
        let castling = piece == PieceKind::King
            && (own(PieceKind::Rook, to)
                || from.rank() == to.rank() && from.file().abs_diff(to.file()) > 1);
        let promotes = piece == PieceKind::Pawn && squares.to.rank() == 7;
        let promotion = promotion.or(promotes.then_some(PieceKind::Knight));
        Some(Self {
            piece,
            squares: MoveSquares {
                promotion,
                ..squares
            },
            castling,
        })
    }

    /// The move from the mover's point of view: for Black, the ranks are flipped. Call it again to
    /// undo it.
    #[must_use]
    pub const fn seen_by(self, mover: Color) -> Self {
        Self {
            squares: self.squares.seen_by(mover),
            ..self
        }
    }

    /// The move on a board whose files are mirrored, for networks that keep the own king on one half.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self {
            squares: self.squares.mirrored(),
            ..self
        }
    }

    /// The squares of the move; for a castling, the king's move to file g or c: for schemes of
    /// engines that write castlings like this (e1g1). In Chess960 another move of the king may have
    /// the same squares. Call it before files are [mirrored](Self::mirrored).
    pub const fn to_target(self) -> MoveSquares {
        let MoveSquares { from, to, .. } = self.squares;
        if !self.castling {
            return self.squares;
        }
        let file = if to.file() > from.file() { 6 } else { 2 };
        MoveSquares::new(from, Square::at(file, from.rank()), None)
    }

    /// The number of the move in 3920; `None` if the piece does not move like this.
    pub const fn index_3920(self) -> Option<usize> {
        let MoveSquares {
            from,
            to,
            promotion,
        } = self.squares;
        if self.castling {
            return Some(CASTLINGS + (to.file() < from.file()) as usize);
        }
        if promotion.is_some() {
            return match (self.piece, self.squares.promotion_index()) {
                (PieceKind::Pawn, Some(index)) => Some(PROMOTIONS + index),
                _ => None,
            };
        }
        if matches!(self.piece, PieceKind::Pawn)
            && from.rank() == 1
            && to.rank() == 3
            && from.file() == to.file()
        {
            return Some(DOUBLE_PUSHES + from.file() as usize);
        }
        let targets = TARGETS[self.piece.index()][from.index()];
        if targets & to.bit() == 0 {
            return None;
        }
        let before = (targets & (to.bit() - 1)).count_ones();
        Some(FIRST[64 * self.piece.index() + from.index()] as usize + before as usize)
    }

    /// The move with this number; `None` above 3919. The number of a castling only encodes the
    /// direction, so its squares are those of a king on e1.
    pub fn of_3920(index: usize) -> Option<Self> {
        if index < PROMOTIONS {
            // the last origin whose first number is not greater
            let origin = FIRST.partition_point(|&first| usize::from(first) <= index) - 1;
            let mut targets = TARGETS[origin / 64][origin % 64];
            for _ in usize::from(FIRST[origin])..index {
                targets &= targets - 1;
            }
            let [from, to] = [origin as u32, targets.trailing_zeros()].map(Square::wrapping);
            return Some(Self::new(
                PieceKind::ALL[origin / 64],
                MoveSquares::new(from, to, None),
            ));
        }
        match index {
            PROMOTIONS..CASTLINGS => {
                Some(Self::new(PieceKind::Pawn, promotion(index - PROMOTIONS)))
            }
            CASTLINGS..DOUBLE_PUSHES => Some(Self::castling(
                Square::at(4, 0),
                Square::at([7, 0][index - CASTLINGS], 0),
            )),
            DOUBLE_PUSHES..ALL => {
                let file = (index - DOUBLE_PUSHES) as u8;
                let squares = MoveSquares::new(Square::at(file, 1), Square::at(file, 3), None);
                Some(Self::new(PieceKind::Pawn, squares))
            }
            _ => None,
        }
    }
}

/// By piece and origin, the squares that it reaches on an empty board. Pawns move one rank ahead,
/// with and without a capture.
const fn targets() -> [[u64; 64]; 6] {
    let (mut targets, mut pair) = ([[0; 64]; 6], 0_usize);
    while pair < 64 * 64 {
        let (from, to) = (pair / 64, pair % 64);
        let (files, ranks) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
        let (straight, diagonal) = (files == 0 || ranks == 0, files == ranks);
        let goes = [
            to / 8 == from / 8 + 1 && files <= 1,
            files * ranks == 2,
            diagonal,
            straight,
            straight || diagonal,
            files <= 1 && ranks <= 1,
        ];
        let mut piece = 0;
        while piece < 6 && from != to {
            targets[piece][from] |= (goes[piece] as u64) << to;
            piece += 1;
        }
        pair += 1;
    }
    targets
}

const fn first() -> [u16; 6 * 64 + 1] {
    let (mut first, mut origin) = ([0; 6 * 64 + 1], 0);
    while origin < 6 * 64 {
        first[origin + 1] = first[origin] + TARGETS[origin / 64][origin % 64].count_ones() as u16;
        origin += 1;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_begin_where_they_should() {
        let starts: Vec<usize> = (0..=6).map(|piece| FIRST[64 * piece].into()).collect();
        assert_eq!(starts, [0, 154, 490, 1050, 1946, 3402, PROMOTIONS]);
        assert_eq!([CASTLINGS, DOUBLE_PUSHES, ALL], [3910, 3912, 3920]);
    }

    #[test]
    fn every_number_has_one_move() {
        for index in 0..ALL {
            let mv = PolicyMove::of_3920(index).expect("a move");
            assert_eq!(mv.index_3920(), Some(index), "{mv:?}");
        }
        assert_eq!(
            (PolicyMove::of_3920(ALL), PolicyMove::of_3920(usize::MAX)),
            (None, None)
        );
    }

    #[test]
    fn every_move_has_its_own_number() {
        let promotions = [
            None,
            Some(PieceKind::Knight),
            Some(PieceKind::Queen),
            Some(PieceKind::King),
        ];
        let moves = PieceKind::ALL.into_iter().flat_map(|piece| {
            promotions.into_iter().flat_map(move |promotion| {
                let squares = (0..4096).filter_map(MoveSquares::of_from_to);
                squares.map(move |squares| {
                    PolicyMove::new(
                        piece,
                        MoveSquares {
                            promotion,
                            ..squares
                        },
                    )
                })
            })
        });
        let numbered: Vec<PolicyMove> = moves.filter(|mv| mv.index_3920().is_some()).collect();
        assert_eq!(numbered.len(), PROMOTIONS + 2 * FILES + 8);
        assert!(
            numbered
                .iter()
                .all(|mv| mv.index_3920().and_then(PolicyMove::of_3920) == Some(*mv))
        );
    }

    #[test]
    fn castlings_are_numbered_by_their_direction() {
        let mv = |king, rook| PolicyMove::castling(Square::at(king, 0), Square::at(rook, 0));
        assert_eq!(
            [mv(4, 7), mv(4, 0), mv(1, 0), mv(5, 6)].map(|mv| mv.index_3920()),
            [3910, 3911, 3911, 3910].map(Some)
        );
        assert_eq!(mv(4, 7).mirrored().index_3920(), Some(3911));
        let target = |king, rook| mv(king, rook).to_target().to.file();
        assert_eq!(
            [target(4, 7), target(4, 0), target(1, 0), target(5, 6)],
            [6, 2, 2, 6]
        );
        let black = PolicyMove::castling(Square::at(4, 7), Square::at(7, 7)).seen_by(Color::Black);
        assert_eq!(black, mv(4, 7));
    }
}
