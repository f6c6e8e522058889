//! Moves in 16 bits.

use cozy_chess::{Piece, Square};

use crate::{Move, MoveKind};

pub(crate) fn unpack(bits: u16) -> Move {
    let square = |shift: u16| Square::ALL[usize::from(bits >> shift & 63)];
    let kind = match bits >> 14 {
        0 => MoveKind::Normal,
        1 => MoveKind::EnPassant,
        2 => MoveKind::Castling,
        _ => MoveKind::Promotion(Piece::ALL[Piece::Knight as usize + usize::from(bits >> 12 & 3)]),
    };
    Move {
        from: square(0),
        to: square(6),
        kind,
    }
}

pub(crate) fn pack(mv: Move) -> u16 {
    let kind = match mv.kind {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1 << 14,
        MoveKind::Castling => 2 << 14,
        MoveKind::Promotion(piece) => 3 << 14 | (piece as u16 - Piece::Knight as u16) << 12,
    };
    mv.from as u16 | (mv.to as u16) << 6 | kind
}
