//! Parses FENs.
//!
//! Networks evaluate any arrangement of pieces, so a position need not be legal: the side to move may give
//! check, and pawns may stand anywhere. Feature sets require eight ranks of eight squares, one king each and
//! at most 32 pieces.

mod fields;

use nnue::{Color, PieceKind};
use nnue_data::Piece;

/// Most pieces that accumulators and buckets support.
const MAX_PIECES: u32 = 32;

/// A position: twelve bitboards and the side to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placement {
    sets: [[u64; 6]; 2],
    turn: Color,
}

impl nnue::Position for Placement {
    #[inline(always)]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.sets[color.index()][kind.index()]
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.turn
    }
}

impl Placement {
    pub(crate) fn parse(fen: &str) -> Result<Self, String> {
        setup(fen).map(|setup| Self::new(&setup.placement))
    }

    pub(crate) fn of(position: &nnue_data::Position) -> Self {
        Self::new(position.placement())
    }

    fn new(placement: &nnue_data::Placement) -> Self {
        let sets = nnue_data::Color::ALL.map(|color| {
            Piece::ALL
                .map(|kind| (placement.colors[color as usize] & placement.pieces[kind as usize]).0)
        });
        Self {
            sets,
            turn: placement.side_to_move.into(),
        }
    }

    #[cfg(feature = "plot")]
    pub(crate) fn of_plain(board: &nnue_spec::reference::Board) -> Self {
        let mut sets = [[0; 6]; 2];
        for piece in &board.pieces {
            sets[usize::from(piece.black)][piece.kind] |= 1 << piece.square;
        }
        Self {
            sets,
            turn: if board.black_to_move {
                Color::Black
            } else {
                Color::White
            },
        }
    }

    #[cfg(feature = "rescore")]
    #[inline]
    pub(crate) fn of_position(&position: &nnue_data::Position) -> Self {
        use nnue::Position as _;
        let board = nnue_backend::nnue::Board(position);
        let sets = Color::ALL.map(|color| PieceKind::ALL.map(|kind| board.pieces(color, kind)));
        Self {
            sets,
            turn: board.side_to_move(),
        }
    }

    /// The pieces: colour, kind, square.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Color, PieceKind, usize)> {
        let all = Color::ALL
            .into_iter()
            .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
        let squares = |set: u64| (0..64).filter(move |square| set >> square & 1 == 1);
        all.flat_map(move |(color, kind)| {
            squares(self.sets[color.index()][kind.index()]).map(move |square| (color, kind, square))
        })
    }

    pub(crate) fn black_to_move(&self) -> bool {
        self.turn == Color::Black
    }

    pub(crate) fn plain(&self) -> nnue_spec::reference::Board {
        let pieces = self
            .iter()
            .map(|(color, kind, square)| (color == Color::Black, kind.index(), square));
        nnue_spec::reference::Board::new(pieces, self.black_to_move())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Setup {
    /// one king each, at most 32 pieces; castling rights and en passant are not checked
    pub(crate) placement: nnue_data::Placement,
    /// the move number, at least 1
    pub(crate) number: u32,
}

/// Parses a FEN and checks that each side has one king and the board at most 32 pieces.
pub(crate) fn setup(fen: &str) -> Result<Setup, String> {
    let setup = fields::parse(fen.trim()).map_err(|message| format!("not a FEN: {message}"))?;
    let placement = &setup.placement;
    for (color, name) in [
        (nnue_data::Color::White, "white"),
        (nnue_data::Color::Black, "black"),
    ] {
        match (placement.colors[color as usize] & placement.pieces[Piece::King as usize]).len() {
            0 => return Err(format!("{name} has no king")),
            1 => {}
            kings => return Err(format!("{name} has {kings} kings")),
        }
    }
    match (placement.colors[0] | placement.colors[1]).len() {
        pieces if pieces > MAX_PIECES => Err(format!(
            "{pieces} pieces, at most {MAX_PIECES} are possible"
        )),
        _ => Ok(setup),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn illegal_positions_are_accepted() {
        for fen in [
            // white to move gives check, pawns on the first rank, bare turn, bare board
            "k7/1Q6/8/8/8/8/8/K7 w - - 0 1",
            "4k3/8/8/8/8/8/8/PPP1K3 b",
            "4k3/8/8/8/8/8/8/4K3",
            // rights of missing rooks, en passant without a pawn, an impossible clock
            "4k3/8/8/8/8/8/8/4K3 w KQkq e5 999999 0",
            "4k3/8/8/8/8/8/8/RR2K2R w HBa - 0 1",
            "4k3/8/8/8/8/8/8/4K3_b_-_-_3_9",
            "QQQQkQQQ/QQQQQQQQ/QQQQQQQQ/8/8/8/8/4K3 w - - 0 1",
        ] {
            assert!(Placement::parse(fen).is_ok(), "{fen}");
        }
        assert_eq!(
            Placement::parse(crate::input::START).map(|position| position.iter().count()),
            Ok(32)
        );
    }

    #[test]
    fn every_mistake_has_its_message() {
        let cases = [
            ("", "not a FEN: it is empty"),
            ("hello", "not a FEN: 1 rank, a board has 8"),
            (
                "8/8/8/8/8/8/8/8/8 w - - 0 1",
                "not a FEN: 9 ranks, a board has 8",
            ),
            (
                "k7/8/8/8/8/8/8/K7/Q w - - 0 1",
                "not a FEN: 9 ranks, a board has 8",
            ),
            (
                "k7/8/8/8/8/8/8/K8 w - - 0 1",
                "not a FEN: rank 1 has 9 squares, not 8",
            ),
            (
                "k7/8/8/8/8/7/8/K7 w - - 0 1",
                "not a FEN: rank 3 has 7 squares, not 8",
            ),
            (
                "k7/8/8/8/8/7x/8/K7 w - - 0 1",
                "not a FEN: `x` in rank 3 is no piece",
            ),
            ("k7/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            ("k7/8/8/8/8/8/8/KK6 w - - 0 1", "white has 2 kings"),
            (
                "k7/8/8/8/8/8/8/K7 x - - 0 1",
                "not a FEN: the side to move is `x` instead of `w` or `b`",
            ),
            (
                "k7/8/8/8/8/8/8/K7[Q] w - - 0 1",
                "not a FEN: `[` in rank 1 is no piece",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w Kz - 0 1",
                "not a FEN: `Kz` names no castling rights",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - i9 0 1",
                "not a FEN: `i9` is no en passant square",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - x 1",
                "not a FEN: `x` is no number of half-moves or moves",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 -1",
                "not a FEN: `-1` is no number of half-moves or moves",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 1 2",
                "not a FEN: it has more than six fields",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 3+3 0 1",
                "not a FEN: it is one of a variant that counts checks",
            ),
            (
                "k7/8/8/8/8/8/8/K7 w - - 0 1 +0+0",
                "not a FEN: it is one of a variant that counts checks",
            ),
            (
                "kqqqqqqq/8/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/K7 w - - 0 1",
                "33 pieces, at most 32 are possible",
            ),
        ];
        for (fen, message) in cases {
            let error = Placement::parse(fen).expect_err(fen);
            assert!(error.starts_with(message), "{fen}: {error}");
        }
    }
}
