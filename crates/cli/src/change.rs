//! Converts moves to changes of the board.

use nnue::{Change, Color, Piece, PieceKind, Square};
use nnue_data::{Move, MoveKind, Position};

pub(crate) fn of(position: &Position, mv: Move) -> Change {
    let color = Color::from(position.side_to_move());
    let kind = |square| position.piece_on(square).map(PieceKind::from);
    let Some(moving) = kind(mv.from) else {
        return Change::null();
    };
    let (piece, from, to) = (Piece::new(color, moving), mv.from.into(), mv.to.into());
    let captured = kind(mv.to).map(|captured| Piece::new(color.other(), captured));
    match (mv.kind, captured) {
        (MoveKind::Castling, _) => castling(color, from, to),
        (MoveKind::EnPassant, _) => Change::en_passant(color, from, to),
        (MoveKind::Promotion(promoted), _) => {
            Change::promotion(color, from, to, promoted.into(), captured)
        }
        (MoveKind::Normal, Some(captured)) => Change::capture(piece, from, to, captured),
        (MoveKind::Normal, None) => Change::quiet(piece, from, to),
    }
}

/// King and rook go to files g and f, or c and d.
fn castling(color: Color, king: Square, rook: Square) -> Change {
    let files = if rook.file() > king.file() {
        (6, 5)
    } else {
        (2, 3)
    };
    let target = |file| Square::at(file, king.rank());
    Change::castling(color, (king, target(files.0)), (rook, target(files.1)))
}

#[cfg(test)]
mod tests {
    use nnue::Position as _;

    use super::*;
    use crate::input::Placement;

    fn changed(before: &Placement, change: &Change) -> Vec<u64> {
        let mut sets: Vec<u64> = sets(before);
        let index = |piece: Piece| piece.color().index() * 6 + piece.kind().index();
        change
            .removed()
            .iter()
            .for_each(|placed| sets[index(placed.piece)] ^= 1 << placed.square.index());
        change
            .added()
            .iter()
            .for_each(|placed| sets[index(placed.piece)] ^= 1 << placed.square.index());
        sets
    }

    fn sets(board: &Placement) -> Vec<u64> {
        let of = |color| PieceKind::ALL.map(|kind| board.pieces(color, kind));
        Color::ALL.into_iter().flat_map(of).collect()
    }

    #[test]
    fn every_legal_move_makes_its_change() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "1rkr4/8/8/8/8/8/8/5RKR w FHbd - 0 1",
            "rk6/pp6/8/8/8/8/PP6/KR6 w Ba - 0 1",
        ] {
            let position: Position = fen.parse().expect(fen);
            for mv in position.legal_moves().expect("a position of a game") {
                let after = position.play(mv).expect("a legal move");
                let found = changed(&Placement::of(&position), &of(&position, mv));
                assert_eq!(found, sets(&Placement::of(&after)), "{fen}: {mv}");
            }
        }
    }
}
