//! Legal moves: those of `cozy-chess`. Whether one move is legal can also be asked of positions that its board refuses.

use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Piece, Square, get_between_rays};

use super::play::castled;
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

    /// The position after a legal move. `None` if the move is not legal. Positions without [`legal_moves`](Self::legal_moves), such as one with
    /// nine queens and eight pawns, have legal moves here as well.
    ///
    /// ```
    /// use nnue_data::{Move, Position};
    ///
    /// let pinned: Position = "4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1".parse()?;
    /// let played = |text| Some(pinned.play_legal(Move::from_uci(text, &pinned).ok()?)?.fen(1));
    /// assert_eq!(played("e2c3"), None);
    /// assert_eq!(played("e1d1").as_deref(), Some("4k3/4r3/8/8/8/8/4N3/3K4 b - - 1 1"));
    /// # Ok::<(), nnue_data::FenError>(())
    /// ```
    pub fn play_legal(&self, mv: Move) -> Option<Self> {
        if mv.kind == MoveKind::Castling && self.castles_through_check(mv) {
            return None;
        }
        self.play(mv).ok().filter(|after| !after.exposes_king())
    }

    /// Whether the king is attacked where a castling begins or on its way. Where it ends is judged when the rook has moved too.
    fn castles_through_check(&self, castling: Move) -> bool {
        let (king, _) = castled(castling.from, castling.to);
        let way = get_between_rays(castling.from, king) | castling.from.bitboard();
        let occupied = self.occupied() & !castling.from.bitboard();
        way.into_iter()
            .any(|square| self.is_attacked(square, !self.side_to_move(), occupied))
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
        let files = || {
            (position.castling() & position.color(color))
                .iter()
                .map(Square::file)
        };
        let (short, long) = (
            files().find(|&file| file > king),
            files().find(|&file| file < king),
        );
        builder.castle_rights[color as usize] = CastleRights { short, long };
    }
    builder.build().ok()
}

fn as_ours(mv: cozy_chess::Move, position: &Position) -> Move {
    let is_pawn = position.pieces(Piece::Pawn).has(mv.from);
    let kind = match mv.promotion {
        Some(piece) => MoveKind::Promotion(piece),
        None if position.color(position.side_to_move()).has(mv.to) => MoveKind::Castling,
        None if is_pawn
            && position.en_passant() == Some(mv.to)
            && mv.from.file() != mv.to.file() =>
        {
            MoveKind::EnPassant
        }
        None => MoveKind::Normal,
    };
    Move {
        from: mv.from,
        to: mv.to,
        kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every pair of squares, with everything that a move can do besides.
    fn all_moves() -> impl Iterator<Item = Move> {
        let promotions =
            [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].map(MoveKind::Promotion);
        let kinds: Vec<_> = [MoveKind::Normal, MoveKind::Castling, MoveKind::EnPassant]
            .into_iter()
            .chain(promotions)
            .collect();
        let pairs = Square::ALL
            .into_iter()
            .flat_map(|from| Square::ALL.map(|to| (from, to)));
        pairs.flat_map(move |(from, to)| {
            kinds
                .clone()
                .into_iter()
                .map(move |kind| Move { from, to, kind })
        })
    }

    #[test]
    fn legal_moves_are_those_that_can_be_played() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/3p4/1Pp4r/1K3p2/6k1/4P1P1/1R6 w - c6 0 3",
            "8/1k6/8/8/3Pp3/8/8/4K2B b - d3 0 1",
            "8/8/8/8/R2pP2k/8/8/4K3 b - e3 0 1",
            // castling out of, through, into and beside an attack
            "r3k2r/8/8/8/4Q3/8/8/4K3 b kq - 0 1",
            "r3k2r/8/8/8/3Q4/8/8/4K3 b kq - 0 1",
            "r3k2r/8/8/8/6Q1/8/8/1R2K3 b kq - 0 1",
            // Chess960: the rook leaves the king without cover; it stays where it is; both change places
            "4k3/8/8/8/8/8/8/qR1K3R w HB - 0 1",
            "4k3/8/8/8/8/8/8/5RK1 w F - 0 1",
            "4k3/8/8/8/8/8/8/1RK2R2 w FB - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let key = |mv: &Move| (mv.from as u8, mv.to as u8, format!("{:?}", mv.kind));
            let mut legal = position.legal_moves().unwrap();
            legal.sort_by_key(key);
            let mut playable: Vec<_> = all_moves()
                .filter(|&mv| position.play_legal(mv).is_some())
                .collect();
            playable.sort_by_key(key);
            assert_eq!(playable, legal, "{fen}");
        }
    }

    #[test]
    fn more_material_than_a_game_begins_with_can_move() {
        let fen = "4k3/8/8/8/8/QQQQ1QQQ/PPPPPPPP/RNBQKBNR w KQ - 0 1";
        let position: Position = fen.parse().unwrap();
        assert_eq!(position.legal_moves(), None);
        let played = position.play_legal(Move::from_uci("b1a3", &position).unwrap());
        assert_eq!(played, None, "a queen of his own stands there");
        assert!(
            position
                .play_legal(Move::from_uci("a3a8", &position).unwrap())
                .is_some()
        );
    }
}
