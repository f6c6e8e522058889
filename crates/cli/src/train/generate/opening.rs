//! Openings of games.

use std::path::Path;

use crate::system::SystemError;
use cozy_chess::Board;
use nnue_data::Position;
use nnue_data::files::bounded;

use crate::error::Error;

/// Largest file of openings in bytes, since it is held in memory.
const MOST: u64 = 256 << 20;

/// Reads a file of FENs or EPDs; without one, the start position.
pub(super) fn read(path: Option<&Path>) -> Result<Vec<Board>, Error> {
    let Some(path) = path else {
        return Ok(vec![Board::default()]);
    };
    let text = bounded::read_text(path, MOST).map_err(SystemError::from)?;
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty());
    let boards = lines.map(|(number, line)| {
        parse(line).map_err(|reason| {
            Error::Argument(format!("{}:{}: {reason}", path.display(), number + 1))
        })
    });
    let boards: Vec<Board> = boards.collect::<Result<_, _>>()?;
    if boards.is_empty() {
        return Err(Error::Argument(format!(
            "{} has no positions: one FEN or EPD in each line is expected",
            path.display()
        )));
    }
    Ok(boards)
}

/// Parses a line without its clocks and operations.
fn parse(line: &str) -> Result<Board, String> {
    let fields: Vec<&str> = line.split_whitespace().take(4).collect();
    let position: Position = format!("{} 0 1", fields.join(" "))
        .parse()
        .map_err(|error| format!("{error}"))?;
    position
        .board()
        .map_err(|error| format!("no position of a game: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_fens_or_epds() {
        let start = Board::default();
        assert_eq!(
            parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            Ok(start.clone())
        );
        assert_eq!(
            parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; id \"start\";"),
            Ok(start)
        );
        assert!(parse("rnbqkbnr/pppppppp/8/8 w KQkq -").is_err());
        // the side that has moved is in check
        assert!(
            parse("4k3/4R3/8/8/8/8/8/4K3 w - -")
                .unwrap_err()
                .starts_with("no position of a game: the side that has moved is in check")
        );
        assert!(
            parse("kK6/8/8/8/8/8/8/8 w - -")
                .unwrap_err()
                .contains("the kings on b8 and a8 stand side by side")
        );
    }
}
