//! Positions with their history and their legal moves.

use std::io::{BufRead, Cursor, Read};
use std::path::Path;

use nnue_backend::{Chess, Sample};
use nnue_data::pgn;
use nnue_data::{Move, Outcome, Position, ReadError};

use crate::error::Error;
use crate::input::{lines, lines_of, open};
use crate::system::SystemError;

/// Longest line read to detect the format of a file.
const LONGEST: u64 = 1 << 16;

/// A sequence of positions, or a single one.
pub(super) struct Game {
    /// index in a PGN file, from 1; 0 for other files
    pub(super) number: u64,
    pub(super) name: String,
    /// plies before the first position
    pub(super) ply: u32,
    pub(super) positions: Vec<Position>,
    /// the moves played, one fewer than positions
    pub(super) moves: Vec<Move>,
    /// legal moves of each position
    pub(super) legal: Vec<Vec<Move>>,
}

impl Game {
    fn new(
        name: String,
        ply: u32,
        positions: Vec<Position>,
        moves: Vec<Move>,
    ) -> Result<Self, String> {
        let legal = positions.iter().map(|position| {
            let rule = position.check_of_game();
            rule.map(|()| position.legal_moves().unwrap_or_default())
                .map_err(|error| format!("no position of a game: {error}"))
        });
        Ok(Self {
            number: 0,
            name,
            ply,
            legal: legal.collect::<Result<_, _>>()?,
            positions,
            moves,
        })
    }

    /// Reads a FEN. Text after a tab is ignored.
    pub(super) fn of_fen(line: &str) -> Result<Self, String> {
        let fen = line.split('\t').next().unwrap_or_default().trim();
        let position = fen
            .parse()
            .map_err(|error: nnue_data::FenError| error.to_string())?;
        Self::new(fen.to_owned(), 0, vec![position], Vec::new())
    }

    /// Reads a game in the format of the other commands: an id, a FEN and UCI moves, separated by tabs.
    pub(super) fn of_line(line: &str) -> Result<Self, String> {
        let mut columns = line.split('\t');
        let (Some(id), Some(fen)) = (columns.next(), columns.next()) else {
            return Err("a game is an id, a start FEN and UCI moves, separated by tabs".into());
        };
        let mut game = Self {
            name: id.to_owned(),
            ..Self::of_fen(fen)?
        };
        for (index, text) in columns
            .next()
            .unwrap_or_default()
            .split_whitespace()
            .enumerate()
        {
            game.play(text)
                .map_err(|message| format!("move {}: {message}", index + 1))?;
        }
        Ok(game)
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let (position, legal) = (
            &self.positions[self.moves.len()],
            &self.legal[self.moves.len()],
        );
        let mv = Move::from_uci(text, position).map_err(|error| error.to_string())?;
        let illegal = || format!("{text} is illegal in {}", position.fen(1));
        let after = position
            .play(mv)
            .ok()
            .filter(|_| legal.contains(&mv))
            .ok_or_else(illegal)?;
        self.legal.push(after.legal_moves().ok_or_else(illegal)?);
        self.positions.push(after);
        self.moves.push(mv);
        Ok(())
    }

    fn of_pgn(game: pgn::Game) -> Result<Self, String> {
        let player = |tag| game.tag(tag).unwrap_or("?");
        let result = match game.outcome {
            Some(Outcome::Win) => "1-0",
            Some(Outcome::Draw) => "1/2-1/2",
            Some(Outcome::Loss) => "0-1",
            None => "*",
        };
        let name = format!(
            "{}: {} - {}, {result}",
            game.number,
            player("White"),
            player("Black")
        );
        let own = Self::new(name, game.ply, game.positions, game.moves);
        let own = own.map_err(|error| format!("game {}: {error}", game.number))?;
        Ok(Self {
            number: game.number,
            ..own
        })
    }

    pub(super) fn samples(&self) -> impl ExactSizeIterator<Item = Sample<'_, Chess>> {
        (0..self.positions.len()).map(|index| Sample {
            history: &self.positions[..=index],
            moves: &self.legal[index],
        })
    }

    pub(super) const fn is_game(&self) -> bool {
        !self.moves.is_empty()
    }

    /// A legal move of a position in SAN.
    pub(super) fn san(&self, index: usize, mv: Move) -> String {
        let position = &self.positions[index];
        pgn::san(mv, position).unwrap_or_else(|| mv.to_uci(position))
    }

    /// The number of the next move in PGN style: `12.` or `12...`.
    pub(super) fn number(&self, index: usize) -> String {
        let dots = if self.positions[index].side_to_move() == nnue_data::Color::White {
            "."
        } else {
            "..."
        };
        format!("{}{dots}", (self.ply as usize + index) / 2 + 1)
    }
}

/// Reads games from lines of an id, a FEN and UCI moves.
pub(super) fn games_of_lines(
    path: &Path,
) -> Result<impl Iterator<Item = Result<Game, Error>>, Error> {
    Ok(lines(path)?.map(|line| {
        let (place, line) = line?;
        Game::of_line(&line).map_err(|message| Error::Input { place, message })
    }))
}

/// Reads positions, one per line.
pub(super) fn fens(path: &Path) -> Result<impl Iterator<Item = Result<Game, Error>>, Error> {
    Ok(lines(path)?.map(of_fen))
}

fn of_fen(line: Result<(String, String), Error>) -> Result<Game, Error> {
    let (place, line) = line?;
    Game::of_fen(&line).map_err(|message| Error::Input { place, message })
}

/// Reads a PGN file or a file of FENs; the first line decides. After an [`Error::Input`], which concerns one
/// game, more follow; after any other error none do.
pub(super) fn games(path: &Path) -> Result<Box<dyn Iterator<Item = Result<Game, Error>>>, Error> {
    let (mut reader, name) = open(path)?;
    let mut first = Vec::new();
    while first.trim_ascii().is_empty() {
        first.clear();
        let read = reader.by_ref().take(LONGEST).read_until(b'\n', &mut first);
        if read.map_err(|source| Error::from(SystemError::read(&name, source)))? == 0 {
            break;
        }
    }
    let is_fen = is_fen(&first);
    let whole: Box<dyn BufRead> = Box::new(Cursor::new(first).chain(reader));
    if is_fen {
        return Ok(Box::new(lines_of(whole, name).map(of_fen)));
    }
    let games = pgn::Games::new(whole).map(move |game| {
        let wrong = |message: String| Error::Input {
            place: name.display().to_string(),
            message,
        };
        match game {
            Ok(game) => Game::of_pgn(game).map_err(wrong),
            Err(ReadError::Io(source)) => Err(SystemError::read(&name, source).into()),
            Err(error) => Err(wrong(error.to_string())),
        }
    });
    Ok(Box::new(games))
}

/// Whether a line begins with eight ranks: seven slashes before the first blank.
fn is_fen(line: &[u8]) -> bool {
    let text = line
        .trim_ascii_start()
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(line.trim_ascii_start());
    let board = text
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    !text.starts_with(b"[") && board.iter().filter(|&&byte| byte == b'/').count() == 7
}
