//! Parses the fields of a FEN. Missing fields have the values of a bare board with White to move.

use nnue_data::{BitBoard, Color, File, Piece, Placement, Rank, Square};

use super::Setup;

/// Parses a FEN. Fields are separated by blanks or, as in file names and URLs, by `_`.
pub(super) fn parse(fen: &str) -> Result<Setup, String> {
    let mut fields = fen.split([' ', '_']).filter(|field| !field.is_empty());
    let mut placement = board(fields.next().unwrap_or_default())?;
    placement.side_to_move = side_to_move(fields.next().unwrap_or("w"))?;
    placement.castling = castling(fields.next().unwrap_or("-"), &placement)?;
    placement.en_passant = en_passant(fields.next().unwrap_or("-"))?;
    let clock = number(fields.next().unwrap_or("0"))?;
    placement.halfmove_clock = u16::try_from(clock).unwrap_or(u16::MAX);
    let number = number(fields.next().unwrap_or("1"))?.max(1);
    match fields.next() {
        None => Ok(Setup { placement, number }),
        Some(more) if more.contains('+') => Err(counts_checks()),
        Some(_) => Err("it has more than six fields".into()),
    }
}

/// Parses the pieces: eight ranks from the eighth down, letters for pieces, digits for empty squares.
fn board(field: &str) -> Result<Placement, String> {
    if field.is_empty() {
        return Err("it is empty".into());
    }
    let ranks: Vec<&str> = field.split('/').collect();
    if ranks.len() != 8 {
        let noun = if ranks.len() == 1 { "rank" } else { "ranks" };
        return Err(format!("{} {noun}, a board has 8", ranks.len()));
    }
    let mut placement = Placement::EMPTY;
    for (rank, text) in Rank::ALL.into_iter().rev().zip(ranks) {
        fill(rank, text, &mut placement)?;
    }
    Ok(placement)
}

fn fill(rank: Rank, text: &str, placement: &mut Placement) -> Result<(), String> {
    let number = rank as usize + 1;
    let mut file = 0;
    for symbol in text.chars() {
        if let Some(empty) = symbol.to_digit(9).filter(|&empty| empty > 0) {
            file += empty as usize;
            continue;
        }
        let (color, piece) = piece(symbol)
            .ok_or_else(|| format!("`{}` in rank {number} is no piece", symbol.escape_default()))?;
        if let Some(file) = File::try_index(file) {
            placement.put(Square::new(file, rank), color, piece);
        }
        file += 1;
    }
    if file == 8 {
        Ok(())
    } else {
        Err(format!("rank {number} has {file} squares, not 8"))
    }
}

/// The piece of a letter; capitals are White's.
fn piece(letter: char) -> Option<(Color, Piece)> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    Some((color, letter.to_ascii_lowercase().try_into().ok()?))
}

fn side_to_move(field: &str) -> Result<Color, String> {
    match field {
        "w" => Ok(Color::White),
        "b" => Ok(Color::Black),
        _ => Err(format!(
            "the side to move is `{}` instead of `w` or `b`",
            shown(field)
        )),
    }
}

/// The rooks that may castle. `K` and `Q` mean the outermost rook on that side of the king, `A` to `H` the
/// rook on that file. A letter without such a rook is ignored.
fn castling(field: &str, placement: &Placement) -> Result<BitBoard, String> {
    if field == "-" {
        return Ok(BitBoard::EMPTY);
    }
    let wrong = || {
        format!(
            "`{}` names no castling rights: they are letters of KQkq or of files",
            shown(field)
        )
    };
    field.chars().try_fold(BitBoard::EMPTY, |all, letter| {
        Ok(all | rook(letter, placement).ok_or_else(wrong)?)
    })
}

/// The rook of a letter, or no square; `None` if the letter is invalid.
fn rook(letter: char, placement: &Placement) -> Option<BitBoard> {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let own = placement.colors[color as usize] & Rank::First.relative_to(color).bitboard();
    let rooks = own & placement.pieces[Piece::Rook as usize];
    let king = (own & placement.pieces[Piece::King as usize]).next_square();
    let rook = match letter.to_ascii_lowercase() {
        'k' => rooks
            .into_iter()
            .last()
            .filter(|rook| king.is_some_and(|king| rook.file() > king.file())),
        'q' => rooks
            .next_square()
            .filter(|rook| king.is_some_and(|king| rook.file() < king.file())),
        file => {
            let file = File::try_from(file).ok()?;
            rooks.into_iter().find(|rook| rook.file() == file)
        }
    };
    Some(rook.map_or(BitBoard::EMPTY, Square::bitboard))
}

fn en_passant(field: &str) -> Result<Option<Square>, String> {
    match field {
        "-" => Ok(None),
        _ => field
            .parse()
            .map(Some)
            .map_err(|_| format!("`{}` is no en passant square", shown(field))),
    }
}

/// A number; larger ones become [`u32::MAX`].
fn number(field: &str) -> Result<u32, String> {
    if field.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(field.parse().unwrap_or(u32::MAX));
    }
    Err(if field.contains('+') {
        counts_checks()
    } else {
        format!("`{}` is no number of half-moves or moves", shown(field))
    })
}

fn counts_checks() -> String {
    "it is one of a variant that counts checks".into()
}

/// The beginning of a field, for messages.
fn shown(field: &str) -> String {
    field
        .chars()
        .take(80)
        .flat_map(char::escape_default)
        .collect()
}
