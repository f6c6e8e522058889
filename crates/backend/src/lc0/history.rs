//! History for the planes: en passant, repetitions, and filling of missing positions.

use nnue_data::{BitBoard, Color, Piece, Placement, Position, Rank, Square};

/// How missing positions are filled if the game has fewer than eight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HistoryFill {
    /// not at all
    No,
    /// repeats the oldest position, unless it is the start position of a game. A pawn after a double push is
    /// put back to its start.
    #[default]
    FenOnly,
    /// always repeats the oldest position, likewise
    Always,
}

/// The square that the last move passed over, if an enemy pawn stands where it could capture there, pinned or
/// not. For the first position it is as written; for others it is derived from the position before, because
/// boards differ in when they set it.
pub(super) fn en_passant(history: &[Position], index: usize) -> Option<Square> {
    let now = &history[index];
    let Some(before) = index.checked_sub(1).map(|before| &history[before]) else {
        return now.en_passant();
    };
    let (mover, enemy) = (before.side_to_move(), now.side_to_move());
    if mover == enemy {
        return now.en_passant(); // not one move apart
    }
    let [left, arrived] = {
        let [before, now] = [before, now].map(|position| position.colored(mover, Piece::Pawn).0);
        [before & !now, now & !before].map(BitBoard)
    };
    let [from, to] = [left, arrived].map(|squares| {
        if squares.len() == 1 {
            squares.next_square()
        } else {
            None
        }
    });
    let (from, to) = (from?, to?);
    let is_double_push = from.file() == to.file() && (from as usize).abs_diff(to as usize) == 16;
    let beside = to.file().adjacent() & to.rank().bitboard();
    let is_capturable = !(beside & now.colored(enemy, Piece::Pawn)).is_empty();
    (is_double_push && is_capturable)
        .then(|| Square::new(to.file(), Rank::Third.relative_to(mover)))
}

/// Whether the position occurred 4, 6, .. plies ago, with no capture or pawn move since.
pub(super) fn is_repeated(history: &[Position], index: usize) -> bool {
    let position = &history[index];
    if position.halfmove_clock() < 4 {
        return false;
    }
    let mut earlier = index.checked_sub(4);
    while let Some(at) = earlier {
        if is_same(position.placement(), history[at].placement())
            && en_passant(history, at) == en_passant(history, index)
        {
            return true;
        }
        if history[at].halfmove_clock() < 2 {
            return false;
        }
        earlier = at.checked_sub(2);
    }
    false
}

fn is_same(a: &Placement, b: &Placement) -> bool {
    a.colors == b.colors
        && a.pieces == b.pieces
        && a.castling == b.castling
        && a.side_to_move == b.side_to_move
}

/// Whether this is the start position of a chess game.
pub(super) fn is_start(position: &Position) -> bool {
    const PIECES: [u64; Piece::NUM] = [
        0x00FF_0000_0000_FF00,
        0x4200_0000_0000_0042,
        0x2400_0000_0000_0024,
        0x8100_0000_0000_0081,
        0x0800_0000_0000_0008,
        0x1000_0000_0000_0010,
    ];
    let start = Placement {
        pieces: PIECES.map(BitBoard),
        colors: [BitBoard(0xFFFF), BitBoard(0xFFFF << 48)],
        side_to_move: Color::White,
        castling: BitBoard(PIECES[Piece::Rook as usize]),
        en_passant: None,
        halfmove_clock: position.halfmove_clock(),
    };
    *position.placement() == start
}
