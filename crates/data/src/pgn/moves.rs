//! Moves in SAN, the notation of PGN. Which piece is meant depends on the legal moves.

use cozy_chess::{File, Piece, Rank, Square};

use crate::{Move, MoveKind, Position};

/// What remains of the suffix of `exf6e.p.` in its word, which a dot ends.
const EN_PASSANT: char = 'e';

/// The parts of a move in SAN.
struct Named {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Piece>,
}

/// The legal move that a text names in SAN (`Nbxd2+`), or in the notation of UCI (`b1d2`). `None` if it names
/// none or several.
pub fn read(text: &str, position: &Position) -> Option<Move> {
    let text = text.trim_end_matches(['+', '#', '!', '?']);
    let legal = position.legal_moves()?;
    let of_uci = || {
        let mv = Move::from_uci(text, position).ok()?;
        legal.contains(&mv).then_some(mv)
    };
    of_san(text, position, &legal).or_else(of_uci)
}

fn of_san(text: &str, position: &Position, legal: &[Move]) -> Option<Move> {
    let is_meant: Box<dyn Fn(&Move) -> bool> = match text {
        "O-O" | "0-0" => {
            Box::new(|mv| mv.kind == MoveKind::Castling && mv.to.file() > mv.from.file())
        }
        "O-O-O" | "0-0-0" => {
            Box::new(|mv| mv.kind == MoveKind::Castling && mv.to.file() < mv.from.file())
        }
        _ => {
            let named = named(text.strip_suffix(EN_PASSANT).unwrap_or(text))?;
            Box::new(move |mv| named.fits(mv, position))
        }
    };
    let mut meant = legal.iter().copied().filter(is_meant);
    let mv = meant.next()?;
    meant.next().is_none().then_some(mv)
}

fn named(text: &str) -> Option<Named> {
    let (text, promotion) = match text.split_once('=') {
        Some((text, piece)) => (text, Some(piece_of(piece)?)),
        // some programs omit the `=`
        None => match text
            .char_indices()
            .last()
            .filter(|(_, letter)| "NBRQ".contains(*letter))
        {
            Some((at, _)) if at > 1 => (&text[..at], Some(piece_of(&text[at..])?)),
            _ => (text, None),
        },
    };
    let piece = text.get(..1).and_then(piece_of);
    let squares: String = text
        .get(usize::from(piece.is_some())..)?
        .chars()
        .filter(|&c| c != 'x' && c != '-')
        .collect();
    let (from, to) = squares.split_at_checked(squares.len().checked_sub(2)?)?;
    let (mut file, mut rank) = (None, None);
    for letter in from.chars() {
        match (File::try_from(letter), Rank::try_from(letter)) {
            (Ok(found), _) if file.is_none() && rank.is_none() => file = Some(found),
            (_, Ok(found)) if rank.is_none() => rank = Some(found),
            _ => return None,
        }
    }
    Some(Named {
        piece: piece.unwrap_or(Piece::Pawn),
        file,
        rank,
        to: to.parse().ok()?,
        promotion,
    })
}

/// The piece of an English letter. Pawns have none.
fn piece_of(letter: &str) -> Option<Piece> {
    match letter {
        "N" => Some(Piece::Knight),
        "B" => Some(Piece::Bishop),
        "R" => Some(Piece::Rook),
        "Q" => Some(Piece::Queen),
        "K" => Some(Piece::King),
        _ => None,
    }
}

impl Named {
    fn fits(&self, mv: &Move, position: &Position) -> bool {
        let promotion = match mv.kind {
            MoveKind::Castling => return false,
            MoveKind::Promotion(piece) => Some(piece),
            MoveKind::Normal | MoveKind::EnPassant => None,
        };
        mv.to == self.to
            && promotion == self.promotion
            && position.pieces(self.piece).has(mv.from)
            && self.file.is_none_or(|file| file == mv.from.file())
            && self.rank.is_none_or(|rank| rank == mv.from.rank())
    }
}

/// Formats a move in SAN (`Nbxd2`), without signs of check and mate. `None` if it is illegal.
pub fn write(mv: Move, position: &Position) -> Option<String> {
    let legal = position.legal_moves()?;
    if !legal.contains(&mv) {
        return None;
    }
    if mv.kind == MoveKind::Castling {
        return Some(
            if mv.to.file() > mv.from.file() {
                "O-O"
            } else {
                "O-O-O"
            }
            .into(),
        );
    }
    let piece = position.piece_on(mv.from)?;
    let takes = if position.is_capture(mv) { "x" } else { "" };
    let promotion = match mv.kind {
        MoveKind::Promotion(piece) => format!("={}", char::from(piece).to_ascii_uppercase()),
        _ => String::new(),
    };
    if piece == Piece::Pawn {
        let file = if takes.is_empty() {
            String::new()
        } else {
            mv.from.file().to_string()
        };
        return Some(format!("{file}{takes}{}{promotion}", mv.to));
    }
    let others: Vec<Square> = legal
        .iter()
        .filter(|other| other.to == mv.to && other.from != mv.from && other.kind == mv.kind)
        .filter(|other| position.pieces(piece).has(other.from))
        .map(|other| other.from)
        .collect();
    let letter = char::from(piece).to_ascii_uppercase();
    Some(format!(
        "{letter}{}{takes}{}",
        distinction(mv.from, &others),
        mv.to
    ))
}

/// The shortest part of a square that distinguishes it from the others: nothing, the file, the rank, or both.
fn distinction(from: Square, others: &[Square]) -> String {
    if others.is_empty() {
        String::new()
    } else if others.iter().all(|other| other.file() != from.file()) {
        from.file().to_string()
    } else if others.iter().all(|other| other.rank() != from.rank()) {
        from.rank().to_string()
    } else {
        from.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uci(fen: &str, text: &str) -> Option<String> {
        let position: Position = fen.parse().unwrap();
        read(text, &position).map(|mv| mv.to_uci(&position))
    }

    #[test]
    fn moves_are_found() {
        const KNIGHTS: &str = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
        assert_eq!(uci(KNIGHTS, "Nbd2").as_deref(), Some("b1d2"));
        assert_eq!(uci(KNIGHTS, "N3d2!?").as_deref(), Some("f3d2"));
        assert_eq!(uci(KNIGHTS, "Nf3-d2+").as_deref(), Some("f3d2"));
        assert_eq!(uci(KNIGHTS, "Nd2"), None);
        assert_eq!(uci(KNIGHTS, "Nd3"), None);
        assert_eq!(
            uci("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "O-O-O").as_deref(),
            Some("e1c1")
        );
        assert_eq!(
            uci("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "0-0").as_deref(),
            Some("e1g1")
        );
        assert_eq!(
            uci("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "exd8=N").as_deref(),
            Some("e7d8n")
        );
        assert_eq!(
            uci("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "exd8Q+").as_deref(),
            Some("e7d8q")
        );
        assert_eq!(
            uci("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6").as_deref(),
            Some("e5d6")
        );
        assert_eq!(
            uci("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6e").as_deref(),
            Some("e5d6")
        );
        for (fen, moves) in [
            (KNIGHTS, ["b1d2", "f3d2"]),
            ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", ["e1g1", "e1c1"]),
            ("3n4/4P2k/8/8/8/8/8/4K3 w - - 0 1", ["e7e8q", "e7d8n"]),
        ] {
            for text in moves {
                assert_eq!(uci(fen, text).as_deref(), Some(text));
            }
        }
        assert_eq!(uci(KNIGHTS, "b1b3"), None);
        for nonsense in [
            "",
            "x",
            "=",
            "e",
            "é4",
            "Nééé",
            "Q",
            "e2e4e5",
            "=Q",
            "\u{1F600}",
        ] {
            assert_eq!(uci(KNIGHTS, nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn every_legal_move_is_read_as_it_was_written() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/Q6Q/2k5/8/8/Q3K2Q w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let moves = position.legal_moves().unwrap();
            assert!(moves.len() > 5, "{fen}");
            for mv in moves {
                let text = write(mv, &position).unwrap();
                assert_eq!(read(&text, &position), Some(mv), "{text} in {fen}");
            }
        }
    }
}
