//! Legal moves: those of `cozy-chess`. Whether one move is legal can also be asked of positions that its board refuses.

use cozy_chess::{Board, BoardBuilder, CastleRights, Color, Piece, Square, get_between_rays};

use super::play::castled;
use super::{IllegalPosition, Move, MoveKind, Position};

/// The greatest clock of a board: the game can be ended then.
const MOST_OF_CLOCK: u16 = 100;

impl Position {
    /// The legal moves. `None` if the position is none of a game: see [`check_of_game`](Self::check_of_game).
    ///
    /// ```
    /// use nnue_data::Position;
    ///
    /// let position: Position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".parse()?;
    /// assert_eq!(position.legal_moves().map(|moves| moves.len()), Some(20));
    /// # Ok::<(), nnue_data::FenError>(())
    /// ```
    pub fn legal_moves(&self) -> Option<Vec<Move>> {
        let board = self.board().ok()?;
        let mut moves = Vec::new();
        board.generate_moves(|of| {
            moves.extend(of.into_iter().map(|mv| as_ours(mv, self)));
            false
        });
        Some(moves)
    }

    /// The board of `cozy-chess`, for searches. A clock of more than 100 becomes 100.
    ///
    /// # Errors
    ///
    /// If the position is none of a game: see [`check_of_game`](Self::check_of_game).
    ///
    /// ```
    /// use nnue_data::Position;
    ///
    /// let position: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 120 90".parse()?;
    /// assert_eq!(position.board()?.halfmove_clock(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn board(&self) -> Result<Board, IllegalPosition> {
        self.check_of_game()?;
        Ok(builder(self)
            .build()
            .expect("a position of a game has what a board asks for"))
    }

    /// The position after a legal move. `None` if the move is not legal, or if a king can be taken. Positions without
    /// [`legal_moves`](Self::legal_moves) that have too much material, such as nine queens and eight pawns, have legal moves here as well.
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
        self.check_kings().ok()?;
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

/// The parts of a board.
fn builder(position: &Position) -> BoardBuilder {
    let mut builder = BoardBuilder::empty();
    for square in position.occupied() {
        builder.board[square as usize] = position.piece_on(square).zip(position.color_on(square));
    }
    builder.side_to_move = position.side_to_move();
    builder.en_passant = position.en_passant();
    builder.halfmove_clock = position.halfmove_clock().min(MOST_OF_CLOCK) as u8;
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
    builder
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
    use super::super::Placement;
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

    /// What the board refuses is refused, and beside it kings side by side, which the board accepts.
    #[test]
    fn the_rule_of_games_is_that_of_the_board() {
        let mut random = fastrand::Rng::with_seed(29);
        let (mut accepted, mut touching, mut kinds) = (0, 0, std::collections::BTreeSet::new());
        for _ in 0..200_000 {
            let Some(position) = any_position(&mut random) else {
                continue;
            };
            let board = builder(&position).build();
            match position.check_of_game() {
                Ok(()) => {
                    accepted += 1;
                    let board = board.unwrap_or_else(|_| panic!("{}", position.fen(1)));
                    assert_eq!(position.board(), Ok(board));
                }
                Err(IllegalPosition::KingsTouch { .. }) => touching += 1,
                Err(error) => {
                    // the board counts no checks either
                    let is_refused =
                        board.is_err() || matches!(error, IllegalPosition::Checks { .. });
                    assert!(is_refused, "{} {error}", position.fen(1));
                    kinds.insert(error.to_string().replace(char::is_numeric, ""));
                }
            }
            assert_eq!(
                position.legal_moves().is_some(),
                position.check_of_game().is_ok()
            );
        }
        assert!(accepted > 1000 && touching > 100, "{accepted} {touching}");
        let seen = |part: &str| kinds.iter().any(|kind| kind.contains(part));
        for part in [
            "in check",
            "pieces, at most",
            "pawns, at most",
            "give check",
            "en passant",
        ] {
            assert!(seen(part), "{part}: {kinds:?}");
        }
    }

    /// Pieces anywhere, sometimes more than a game has, with an en passant square if there can be one.
    fn any_position(random: &mut fastrand::Rng) -> Option<Position> {
        let mut placement = Placement::EMPTY;
        let mut squares = Square::ALL;
        random.shuffle(&mut squares);
        let count = [3, 4, 6, 10, 29][random.usize(..5)];
        let black = [0.5, 0.9][random.usize(..2)];
        let pawns = [0.3, 0.9][random.usize(..2)];
        for (index, square) in squares.into_iter().take(count + 2).enumerate() {
            let color = match index {
                0 => Color::White,
                1 => Color::Black,
                _ if random.f64() < black => Color::Black,
                _ => Color::White,
            };
            let piece = match index {
                0 | 1 => Piece::King,
                _ if random.f64() < pawns => Piece::Pawn,
                _ => Piece::ALL[random.usize(1..5)],
            };
            placement.put(square, color, piece);
        }
        placement.side_to_move = Color::ALL[random.usize(..2)];
        let them = !placement.side_to_move;
        let pushed = placement.pieces[Piece::Pawn as usize] & placement.colors[them as usize];
        let passed =
            |pawn: Square| Square::new(pawn.file(), cozy_chess::Rank::Third.relative_to(them));
        for square in pushed.into_iter().map(passed) {
            let with_passed = Placement {
                en_passant: Some(square),
                ..placement
            };
            if let Ok(position) = with_passed.check() {
                return Some(position);
            }
        }
        placement.check().ok()
    }

    #[test]
    fn kings_are_not_taken() {
        for fen in [
            "kK6/8/8/8/8/8/8/8 w - - 0 1",
            "8/8/8/8/8/8/kp6/K7 w - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            assert_eq!(position.legal_moves(), None, "{fen}");
            assert!(matches!(
                position.board(),
                Err(IllegalPosition::KingsTouch { .. })
            ));
            assert!(
                all_moves().all(|mv| position.play_legal(mv).is_none()),
                "{fen}"
            );
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
