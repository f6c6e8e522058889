//! Appends games to the output file.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::PathBuf;

use crate::system::SystemError;
use nnue_data::files::bounded::{self, MOST_OF_NETWORK};
use nnue_data::filter::{Filter, Sieve};
use nnue_data::{Format, NO_SCORE, Record, Writer};

use super::game::Game;
use super::state::{self, State};
use crate::args::train::{GameArgs, GenerateArgs, NetworkArgs, RuleArgs, SeedArgs};
use crate::error::Error;
use nnue_data::files::fnv;

/// Games that are appended together. At most so many are lost if the command is killed.
const GAMES: u64 = 32;

/// The output file, and games that wait to be appended.
pub(super) struct Blocks {
    path: PathBuf,
    file: File,
    format: Format,
    filter: Filter,
    seed: u64,
    /// hash of everything that the bytes depend on
    settings: u64,
    /// including the waiting games
    state: State,
    waiting: Vec<Record>,
}

impl Blocks {
    /// Creates the file of `--output`, or reopens it with `--resume`.
    pub(super) fn open(args: &GenerateArgs, format: Format, filter: Filter) -> Result<Self, Error> {
        let path = args.output.clone();
        if format == Format::Viriformat
            && filter
                != (Filter {
                    no_score: true,
                    ..Filter::KEEP_ALL
                })
        {
            let message = "viriformat stores whole games, so no position can be left out: filter when training, or write a binpack";
            return Err(Error::Argument(message.into()));
        }
        let settings = settings(&args.network, &args.games, &args.rules, &args.seed)?;
        let state = State::read(&path, settings)?;
        if !args.resume && (path.exists() || state.is_some()) {
            let message = "already exists: continue with --resume, or name another --output";
            return Err(Error::Argument(format!("{} {message}", path.display())));
        }
        if state.is_none() && path.exists() {
            let missing = state::path_of(&path);
            return Err(Error::Argument(format!(
                "{} cannot be resumed: there is no {}",
                path.display(),
                missing.display()
            )));
        }
        // The state comes first: from here on, the file can be resumed.
        let state = state.unwrap_or_default();
        state.write(&path, settings)?;
        let file = open(&path, state.bytes).map_err(|source| SystemError::write(&path, source))?;
        Ok(Self {
            path,
            file,
            format,
            filter,
            seed: args.seed.seed,
            settings,
            state,
            waiting: Vec::new(),
        })
    }

    /// The number of games so far, which is the next game's number.
    pub(super) const fn games(&self) -> u64 {
        self.state.games
    }

    pub(super) const fn positions(&self) -> u64 {
        self.state.positions
    }

    /// Appends the next game. Returns its number of positions with a score.
    pub(super) fn append(&mut self, game: &Game) -> Result<u64, Error> {
        let mut sieve = Sieve::new(self.filter.clone(), self.seed ^ !game.number);
        let keeps_games = self.format == Format::Binpack;
        let mut kept = Vec::with_capacity(game.records.len());
        for record in &game.records {
            match sieve.judge(record) {
                None => kept.push(*record),
                // Keeps the game in one chain: a filtered record after a kept one is written without its
                // score.
                Some(_) if keeps_games && !kept.is_empty() => kept.push(Record {
                    score: NO_SCORE,
                    ..*record
                }),
                Some(_) => {}
            }
        }
        let last = kept
            .iter()
            .rposition(|record| record.score().is_some())
            .map_or(0, |last| last + 1);
        kept.truncate(last);
        let positions = kept
            .iter()
            .filter(|record| record.score().is_some())
            .count() as u64;
        self.waiting.append(&mut kept);
        self.state.games += 1;
        self.state.positions += positions;
        if self.state.games.is_multiple_of(GAMES) {
            self.flush()?;
        }
        Ok(positions)
    }

    /// Appends the waiting games to the file, then updates the state.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        let bytes = self.encode()?;
        let written = self
            .file
            .write_all(&bytes)
            .and_then(|()| self.file.sync_data());
        written.map_err(|source| SystemError::write(&self.path, source))?;
        self.state.bytes += bytes.len() as u64;
        self.waiting.clear();
        self.state.write(&self.path, self.settings)
    }

    fn encode(&self) -> Result<Vec<u8>, Error> {
        let mut writer = Writer::new(self.format, Vec::new());
        let refuse = |number: usize, reason| Error::Record {
            number: self
                .state
                .positions
                .saturating_sub((self.waiting.len() - number) as u64),
            path: self.path.clone(),
            format: self.format,
            reason,
        };
        for (number, record) in self.waiting.iter().enumerate() {
            writer
                .write(record)
                .map_err(|reason| refuse(number, reason))?;
        }
        writer
            .finish()
            .map_err(|reason| refuse(self.waiting.len(), reason))
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State {
            games, positions, ..
        } = self.state;
        write!(
            f,
            "{positions} positions of {games} games in {}",
            self.path.display()
        )
    }
}

/// Opens a file and truncates it to its `bytes` complete bytes.
fn open(path: &std::path::Path, bytes: u64) -> io::Result<File> {
    let found = std::fs::symlink_metadata(path);
    if found.is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("it is a link or no file"));
    }
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)?;
    if file.metadata()?.len() < bytes {
        return Err(io::Error::other("it is shorter than its state says"));
    }
    file.set_len(bytes)?;
    file.seek(SeekFrom::Start(bytes))?;
    Ok(file)
}

/// A hash of everything that games and their bytes depend on.
fn settings(
    network: &NetworkArgs,
    games: &GameArgs,
    rules: &RuleArgs,
    seed: &SeedArgs,
) -> Result<u64, Error> {
    let files = [
        Some(&network.net),
        Some(&network.declaration),
        games.openings.as_ref(),
    ];
    // the contents of the file count, not its name
    let named = GameArgs {
        openings: None,
        ..games.clone()
    };
    let mut sum = fnv::add(
        fnv::START,
        format!("{:?} {named:?} {rules:?} {seed:?}", network.name).as_bytes(),
    );
    for path in files.into_iter().flatten() {
        let bytes = bounded::read(path, MOST_OF_NETWORK).map_err(SystemError::from)?;
        sum = fnv::add(sum, &bytes);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::kept::Role::{Contents, Nothing, Value};
    use crate::kept::{Base, Row, check};

    const BASE: Base = &[
        &["--net", "a.net"],
        &["--declaration", "a.rs"],
        &["--output", "a.binpack"],
        &["--positions", "10"],
        &["--openings", "a.epd"],
    ];

    /// Files are relative to the folder of the test.
    const OPTIONS: &[Row] = &[
        (
            "net",
            Contents,
            &[&["--net", "same.net"], &["--net", "b.net"]],
        ),
        (
            "declaration",
            Contents,
            &[&["--declaration", "same.rs"], &["--declaration", "b.rs"]],
        ),
        ("name", Value, &[&["--name", "Other"]]),
        ("output", Nothing, &[&["--output", "b.binpack"]]),
        // more positions continue the file
        ("positions", Nothing, &[&["--positions", "20"]]),
        ("resume", Nothing, &[&["--resume"]]),
        ("threads", Nothing, &[&["--threads", "3"]]),
        ("nodes", Value, &[&["--nodes", "7"]]),
        (
            "openings",
            Contents,
            &[&["--openings", "same.epd"], &["--openings", "b.epd"]],
        ),
        ("random_plies", Value, &[&["--random-plies", "3"]]),
        ("opening_limit", Value, &[&["--opening-limit", "7"]]),
        ("win_score", Value, &[&["--win-score", "7"]]),
        ("win_count", Value, &[&["--win-count", "7"]]),
        ("draw_score", Value, &[&["--draw-score", "7"]]),
        ("draw_count", Value, &[&["--draw-count", "7"]]),
        ("draw_ply", Value, &[&["--draw-ply", "7"]]),
        ("max_plies", Value, &[&["--max-plies", "7"]]),
        ("quiet", Value, &[&["--quiet"]]),
        ("no_check", Value, &[&["--no-check"]]),
        ("no_captures", Value, &[&["--no-captures"]]),
        ("no_promotions", Value, &[&["--no-promotions"]]),
        ("max_score", Value, &[&["--max-score", "7"]]),
        ("min_ply", Value, &[&["--min-ply", "7"]]),
        ("max_ply", Value, &[&["--max-ply", "7"]]),
        ("min_pieces", Value, &[&["--min-pieces", "7"]]),
        ("max_pieces", Value, &[&["--max-pieces", "7"]]),
        ("win_rate", Value, &[&["--win-rate"]]),
        ("one_in", Value, &[&["--one-in", "7"]]),
        ("seed", Value, &[&["--seed", "7"]]),
    ];

    #[test]
    fn every_option_counts_as_the_table_says() {
        let folder = std::env::temp_dir().join(format!("nnue-generate.{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        for kind in ["net", "rs", "epd"] {
            for (name, contents) in [("a", "1"), ("same", "1"), ("b", "2")] {
                fs::write(folder.join(name).with_extension(kind), contents).expect("a file");
            }
        }
        check(&[(BASE, OPTIONS)], |args: &GenerateArgs| {
            let mut games = args.games.clone();
            games.openings = games.openings.map(|path| folder.join(path));
            let network = NetworkArgs {
                net: folder.join(&args.network.net),
                declaration: folder.join(&args.network.declaration),
                name: args.network.name.clone(),
            };
            settings(&network, &games, &args.rules, &args.seed).expect("the files are there")
        });
        fs::remove_dir_all(&folder).expect("it can be removed");
    }
}
