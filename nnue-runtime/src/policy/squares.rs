//! Squares of moves, and the schemes that number moves by their squares.

use crate::board::{Color, PieceKind, Square};

/// The squares and the promotion of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveSquares {
    /// origin
    pub from: Square,
    /// target
    pub to: Square,
    /// the piece that a pawn becomes
    pub promotion: Option<PieceKind>,
}

/// Moves of a queen or a knight on an empty board.
const PLAIN: usize = 1792;
/// Marks squares between which neither moves.
const NONE: u16 = u16::MAX;
/// The numbers of the plain moves by origin and target.
const NUMBERS: [[u16; 64]; 64] = numbers();
/// The plain moves by their numbers.
const MOVES: [[u8; 2]; PLAIN] = moves();
/// Pairs of neighbouring files, or equal ones.
pub(super) const FILES: usize = 22;

impl MoveSquares {
    /// A move.
    pub const fn new(from: Square, to: Square, promotion: Option<PieceKind>) -> Self {
        Self {
            from,
            to,
            promotion,
        }
    }

    /// The move from the mover's point of view: for Black, the ranks are flipped. Call it again to
    /// undo it.
    #[must_use]
    pub const fn seen_by(self, mover: Color) -> Self {
        match mover {
            Color::White => self,
            Color::Black => Self {
                from: self.from.xor(56),
                to: self.to.xor(56),
                ..self
            },
        }
    }

    /// The move on a board whose files are mirrored, for networks that keep the own king on one half.
    #[must_use]
    pub const fn mirrored(self) -> Self {
        Self {
            from: self.from.xor(7),
            to: self.to.xor(7),
            ..self
        }
    }

    /// `64 * from + to`, below 4096.
    pub const fn from_to(self) -> usize {
        64 * self.from.index() + self.to.index()
    }

    /// The move with this number, without a promotion; `None` above 4095.
    pub const fn of_from_to(index: usize) -> Option<Self> {
        if index >= 4096 {
            return None;
        }
        Some(plain([(index / 64) as u8, (index % 64) as u8]))
    }

    /// The number of the move in 1858; `None` if no piece moves like this. A promotion to a knight
    /// has the number of its squares.
    pub const fn index_1858(self) -> Option<usize> {
        let piece = match self.promotion {
            None | Some(PieceKind::Knight) => return self.plain_index(),
            Some(PieceKind::Queen) => 0,
            Some(PieceKind::Rook) => 1,
            Some(PieceKind::Bishop) => 2,
            Some(PieceKind::Pawn | PieceKind::King) => return None,
        };
        match self.files() {
            Some(files) => Some(PLAIN + 3 * files + piece),
            None => None,
        }
    }

    /// The move with this number; `None` above 1857. Promotions to a knight have no separate
    /// numbers.
    pub const fn of_1858(index: usize) -> Option<Self> {
        const PIECES: [PieceKind; 3] = [PieceKind::Queen, PieceKind::Rook, PieceKind::Bishop];
        match index.checked_sub(PLAIN) {
            None => Some(plain(MOVES[index])),
            Some(index) if index < 3 * FILES => Some(promotion_on(index / 3, PIECES[index % 3])),
            Some(_) => None,
        }
    }

    /// The number of the move in 1880; `None` if no piece moves like this.
    pub const fn index_1880(self) -> Option<usize> {
        if self.promotion.is_none() {
            return self.plain_index();
        }
        match self.promotion_index() {
            Some(index) => Some(PLAIN + index),
            None => None,
        }
    }

    /// The move with this number; `None` above 1879.
    pub const fn of_1880(index: usize) -> Option<Self> {
        match index.checked_sub(PLAIN) {
            None => Some(plain(MOVES[index])),
            Some(index) if index < 4 * FILES => Some(promotion(index)),
            Some(_) => None,
        }
    }

    /// The number of a promotion among 4 * 22: by the new piece, then by its pair of files.
    pub(super) const fn promotion_index(self) -> Option<usize> {
        let piece = match self.promotion {
            Some(PieceKind::Knight) => 0,
            Some(PieceKind::Bishop) => 1,
            Some(PieceKind::Rook) => 2,
            Some(PieceKind::Queen) => 3,
            Some(PieceKind::Pawn | PieceKind::King) | None => return None,
        };
        match self.files() {
            Some(files) => Some(FILES * piece + files),
            None => None,
        }
    }

    const fn plain_index(self) -> Option<usize> {
        match NUMBERS[self.from.index()][self.to.index()] {
            NONE => None,
            number => Some(number as usize),
        }
    }

    /// The number of the pair of files of a move from the seventh rank to the eighth:
    /// `2 * from + to`, which is unique.
    const fn files(self) -> Option<usize> {
        let ([from, to], ranks) = (
            [self.from.index() % 8, self.to.index() % 8],
            [self.from.index() / 8, self.to.index() / 8],
        );
        if ranks[0] == 6 && ranks[1] == 7 && from.abs_diff(to) <= 1 {
            Some(2 * from + to)
        } else {
            None
        }
    }
}

const fn plain([from, to]: [u8; 2]) -> MoveSquares {
    MoveSquares::new(
        Square::wrapping(from as u32),
        Square::wrapping(to as u32),
        None,
    )
}

/// The promotion with this number among 4 * 22.
pub(super) const fn promotion(index: usize) -> MoveSquares {
    const PIECES: [PieceKind; 4] = [
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ];
    promotion_on(index % FILES, PIECES[index / FILES])
}

/// The promotion on this pair of files.
const fn promotion_on(files: usize, piece: PieceKind) -> MoveSquares {
    // 0, 1 | 2, 3, 4 | 5, 6, 7 | ..: groups of three numbers share the file of origin
    let from = (files + 1) / 3;
    MoveSquares::new(
        Square::wrapping(48 + from as u32),
        Square::wrapping((56 + files - 2 * from) as u32),
        Some(piece),
    )
}

/// Whether a queen or a knight moves from one square to another on an empty board.
const fn is_plain(from: usize, to: usize) -> bool {
    let (files, ranks) = ((from % 8).abs_diff(to % 8), (from / 8).abs_diff(to / 8));
    from != to && (files == 0 || ranks == 0 || files == ranks || files * ranks == 2)
}

const fn numbers() -> [[u16; 64]; 64] {
    let (mut numbers, mut next, mut pair) = ([[NONE; 64]; 64], 0, 0);
    while pair < 4096 {
        if is_plain(pair / 64, pair % 64) {
            numbers[pair / 64][pair % 64] = next;
            next += 1;
        }
        pair += 1;
    }
    numbers
}

const fn moves() -> [[u8; 2]; PLAIN] {
    let (mut moves, mut pair) = ([[0; 2]; PLAIN], 0);
    while pair < 4096 {
        let number = NUMBERS[pair / 64][pair % 64];
        if number != NONE {
            moves[number as usize] = [(pair / 64) as u8, (pair % 64) as u8];
        }
        pair += 1;
    }
    moves
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn all() -> impl Iterator<Item = MoveSquares> {
        let promotions = [
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
        ]
        .map(Some);
        let pieces = [None].into_iter().chain(promotions);
        pieces.flat_map(|promotion| {
            (0..4096)
                .filter_map(MoveSquares::of_from_to)
                .map(move |mv| MoveSquares { promotion, ..mv })
        })
    }

    #[test]
    fn every_number_has_one_move() {
        for (numbers, index, of) in [
            (
                1858,
                MoveSquares::index_1858 as fn(MoveSquares) -> Option<usize>,
                MoveSquares::of_1858 as fn(usize) -> Option<MoveSquares>,
            ),
            (1880, MoveSquares::index_1880, MoveSquares::of_1880),
        ] {
            let moves: Vec<MoveSquares> = (0..numbers)
                .map(|number| of(number).expect("a move"))
                .collect();
            assert!(
                moves
                    .iter()
                    .enumerate()
                    .all(|(number, mv)| index(*mv) == Some(number))
            );
            assert_eq!(
                moves
                    .iter()
                    .map(|mv| format!("{mv:?}"))
                    .collect::<BTreeSet<_>>()
                    .len(),
                numbers
            );
            assert_eq!((of(numbers), of(usize::MAX)), (None, None));
            let found: BTreeSet<usize> = all().filter_map(index).collect();
            assert_eq!(found, (0..numbers).collect());
        }
    }

    #[test]
    fn published_numbers_are_these() {
        let square = |name: &str| {
            let [file, rank] = *name.as_bytes() else {
                panic!("a square")
            };
            Square::wrapping(u32::from(file - b'a') + 8 * u32::from(rank - b'1'))
        };
        let mv = |from, to, promotion| MoveSquares::new(square(from), square(to), promotion);
        let plain = |from, to| mv(from, to, None).index_1858();
        assert_eq!(
            [plain("a1", "b1"), plain("a1", "e1"), plain("e1", "h1")],
            [0, 3, 103].map(Some)
        );
        assert_eq!(
            mv("a7", "a8", Some(PieceKind::Queen)).index_1858(),
            Some(1792)
        );
        assert_eq!(
            mv("h7", "h8", Some(PieceKind::Bishop)).index_1858(),
            Some(1857)
        );
        assert_eq!(
            mv("h7", "h8", Some(PieceKind::Knight)).index_1858(),
            plain("h7", "h8")
        );
        assert_eq!(
            mv("h7", "h8", Some(PieceKind::Queen)).index_1880(),
            Some(1879)
        );
        let black = mv("e7", "e5", None).seen_by(Color::Black);
        assert_eq!(
            (black, black.mirrored()),
            (mv("e2", "e4", None), mv("d2", "d4", None))
        );
        assert_eq!(mv("a1", "b4", None).index_1880(), None);
        assert_eq!(mv("a6", "a7", Some(PieceKind::Queen)).index_1880(), None);
    }
}
