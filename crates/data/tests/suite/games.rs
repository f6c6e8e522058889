//! Random games, played by `cozy-chess`, which shares no code with the positions under test but for tables of attacks.

use cozy_chess::Board;
use fastrand::Rng;
use nnue_data::{Color, Move, MoveKind, Outcome, Piece, Position, Record, Square};

/// The records of a random game of at most `plies` plies from the position of a FEN.
pub(crate) fn game(random: &mut Rng, fen: &str, plies: u32) -> Vec<Record> {
    let mut board: Board = fen.parse().expect("a FEN");
    let mut position: Position = fen.parse().expect("a FEN");
    let mut outcome = [Outcome::Loss, Outcome::Draw, Outcome::Win][random.usize(..3)];
    let mut records = Vec::new();
    let begin = u32::from(board.fullmove_number() - 1) * 2 + board.side_to_move() as u32;
    for ply in begin..begin + plies {
        same(&board, &position);
        let Some(played) = legal_move(random, &board) else {
            break;
        };
        let mv = as_ours(played, &board);
        let score = if random.u8(..) < 8 {
            random.i16(..)
        } else {
            random.i16(-300..300)
        };
        records.push(Record {
            position,
            score,
            outcome,
            ply,
            mv: Some(mv),
        });
        position = position
            .play(mv)
            .unwrap_or_else(|error| panic!("{board}: {error}"));
        board.play(played);
        outcome = outcome.flipped();
    }
    records
}

/// Random games from the start position and from positions with castling, promotions and en passant at hand.
pub(crate) fn games(seed: u64, count: usize) -> Vec<Record> {
    const STARTS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/pppq1ppp/8/4p3/3pP3/8/PPPPQPPP/R3K2R w KQkq - 4 9",
        "4k3/1P4P1/8/2p5/5P2/8/1p2P1p1/4K3 b - - 0 30",
        "8/3k1p2/6p1/4P3/2pP4/8/1P3K2/8 w - - 0 40",
    ];
    let random = &mut Rng::with_seed(seed);
    (0..count)
        .flat_map(|index| game(random, STARTS[index % STARTS.len()], 80))
        .collect()
}

/// A random legal move. Castling, promotions and captures of pawns are preferred, so that they occur.
fn legal_move(random: &mut Rng, board: &Board) -> Option<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of| {
        moves.extend(of);
        false
    });
    let special: Vec<_> = moves
        .iter()
        .copied()
        .filter(|&mv| as_ours(mv, board).kind != MoveKind::Normal)
        .collect();
    let from = if random.bool() && !special.is_empty() {
        special
    } else {
        moves
    };
    random.choice(from)
}

fn as_ours(mv: cozy_chess::Move, board: &Board) -> Move {
    let is_pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
    let kind = match mv.promotion {
        Some(piece) => MoveKind::Promotion(piece),
        None if board.colors(board.side_to_move()).has(mv.to) => MoveKind::Castling,
        None if is_pawn && mv.from.file() != mv.to.file() && board.piece_on(mv.to).is_none() => {
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

/// Compares a position with the board of `cozy-chess`, which has an en passant square after every double push.
fn same(board: &Board, position: &Position) {
    for color in Color::ALL {
        for piece in Piece::ALL {
            assert_eq!(
                position.colored(color, piece),
                board.colored_pieces(color, piece),
                "{board}"
            );
        }
        let rights = board.castle_rights(color);
        let files = [rights.short, rights.long].into_iter().flatten();
        let rank = board.king(color).rank();
        let rooks = files
            .map(|file| Square::new(file, rank).bitboard())
            .fold(cozy_chess::BitBoard::EMPTY, |all, rook| all | rook);
        assert_eq!(
            position.castling() & position.color(color),
            rooks,
            "{board}"
        );
    }
    assert_eq!(position.side_to_move(), board.side_to_move());
    assert_eq!(position.is_check(), !board.checkers().is_empty(), "{board}");
    assert_eq!(position.halfmove_clock(), board.halfmove_clock().into());
    assert_eq!(
        position.en_passant().is_some(),
        can_capture_en_passant(board),
        "{board}"
    );
}

fn can_capture_en_passant(board: &Board) -> bool {
    board.generate_moves(|moves| {
        moves
            .into_iter()
            .any(|mv| as_ours(mv, board).kind == MoveKind::EnPassant)
    })
}
