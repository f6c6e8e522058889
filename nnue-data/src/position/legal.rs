//! Legal moves: those of `cozy-chess`.

use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Piece, Square};

use super::{Move, MoveKind, Position};

impl Position {
    /// The legal moves. `None` if the position is none of a game: if the side that has moved is in check, for example.
    ///
    /// ```
    /// use nnue_data::Position;
    ///
    /// let position: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
    /// assert_eq!(position.legal_moves().map(|moves| moves.len()), Some(20));
    /// # Ok::<(), nnue_data::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> Option<Vec<Move>> {
        let board = board(self)?;
        let mut moves = Vec::new();
        board.generate_moves(|of| {
            moves.extend(of.into_iter().map(|mv| as_ours(mv, self)));
            false
        });
        Some(moves)
    }
}

fn board(position: &Position) -> Option<Board> {
    let mut builder = BoardBuilder::empty();
    for square in position.occupied() {
        builder.board[square as usize] = position.piece_on(square).zip(position.color_on(square));
    }
    builder.side_to_move = position.side_to_move();
    builder.en_passant = position.en_passant();
    for color in Color::ALL {
        let king = position.king(color).file();
        let files = || (position.castling() & position.color(color)).iter().map(Square::file);
        let (short, long) = (files().find(|&file| file > king), files().find(|&file| file < king));
        builder.castle_rights[color as usize] = CastleRights { short, long };
    }
    builder.build().ok()
}

fn as_ours(mv: cozy_chess::Move, position: &Position) -> Move {
    let is_pawn = position.pieces(Piece::Pawn).has(mv.from);
    let kind = match mv.promotion {
        Some(piece) => MoveKind::Promotion(piece),
        None if position.color(position.side_to_move()).has(mv.to) => MoveKind::Castling,
        None if is_pawn && position.en_passant() == Some(mv.to) && mv.from.file() != mv.to.file() => {
            MoveKind::EnPassant
        }
        None => MoveKind::Normal,
    };
    Move { from: mv.from, to: mv.to, kind }
}
