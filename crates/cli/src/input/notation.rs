//! Notations of positions: FEN, EPD, `startpos`, and UCI `position` commands with moves.

use std::borrow::Cow;

use super::START;
use super::fen::Placement;
use super::games::Game;

/// Parses a position; also returns its FEN.
pub(crate) fn read(text: &str) -> Result<(Cow<'_, str>, Placement), String> {
    let text = text.trim();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_start();
    let (start, moves) = match text.split_once(" moves") {
        Some((start, moves)) if moves.is_empty() || moves.starts_with(' ') => (start, moves.trim()),
        _ => (text, ""),
    };
    let fen = fen(start.trim());
    if moves.is_empty() {
        let placement = Placement::parse(fen)?;
        return Ok((Cow::Borrowed(fen), placement));
    }
    let game = Game::parse(&format!("\t{fen}\t{moves}"))?;
    let placement = Placement::of(game.last());
    Ok((Cow::Owned(game.fen(game.moves().len())), placement))
}

/// Whether an argument is a position rather than a file name.
pub(crate) fn is_position(text: &str) -> bool {
    let text = text.trim();
    let first = text.split([' ', '_']).next().unwrap_or_default();
    let is_board = first.matches('/').count() == 7 && first.split('/').all(|rank| rank.len() <= 8);
    is_board || text.starts_with("position ") || text.split(' ').next() == Some("startpos")
}

/// The FEN of a start position, without EPD operations.
fn fen(start: &str) -> &str {
    if start == "startpos" {
        return START;
    }
    let start = start.strip_prefix("fen ").unwrap_or(start).trim_start();
    let fifth = start.match_indices(' ').nth(3).map(|(at, _)| at);
    match fifth {
        Some(at) if start[at + 1..].starts_with(|c: char| c.is_ascii_lowercase()) => &start[..at],
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";

    #[test]
    fn every_notation_is_read() {
        let after = |text: &str| read(text).expect(text).0.into_owned();
        for start in [
            "startpos",
            "position startpos",
            START,
            "position startpos moves",
        ] {
            assert_eq!(after(start), START);
        }
        for moved in [
            "startpos moves e2e4",
            "position startpos moves e2e4",
            &format!("position fen {START} moves e2e4"),
            &format!("{AFTER_E4} - 0 1"),
            &format!("{AFTER_E4} - bm e7e5; id \"one\";"),
        ] {
            assert!(after(moved).starts_with(AFTER_E4), "{moved}");
            assert!(is_position(moved), "{moved}");
        }
        assert_eq!(after("8/8/4k3/8/8/3QK3/8/8"), "8/8/4k3/8/8/3QK3/8/8");
    }

    #[test]
    fn files_are_no_positions_and_illegal_moves_are_told() {
        for file in [
            "net.nnue",
            "a/b/c/d/e/f/g/network.bin",
            "startpos.nnue",
            "-",
        ] {
            assert!(!is_position(file), "{file}");
        }
        let error = read("startpos moves e2e4 e7e4").expect_err("an illegal move");
        assert!(error.starts_with("move 2: e7e4 is illegal in "), "{error}");
    }
}
