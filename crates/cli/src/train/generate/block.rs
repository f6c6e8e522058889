//! Games on their way into the file.

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
use crate::args::train::GenerateArgs;
use crate::error::Error;
use nnue_data::files::fnv;

/// Games that are appended together: so many are lost if the command is killed.
const GAMES: u64 = 32;

/// A file, and the games that are not in it yet.
pub(super) struct Blocks {
    path: PathBuf,
    file: File,
    format: Format,
    filter: Filter,
    seed: u64,
    /// a sum of all that the bytes depend on
    settings: u64,
    /// with the games that are waiting
    state: State,
    /// records of the games that are waiting
    waiting: Vec<Record>,
}

impl Blocks {
    /// Opens the file of `--output`: a new one, or with `--resume` one that was begun.
    pub(super) fn open(args: &GenerateArgs, format: Format, filter: Filter) -> Result<Self, Error> {
        let path = args.output.clone();
        if format == Format::Viriformat
            && filter
                != (Filter {
                    no_score: true,
                    ..Filter::KEEP_ALL
                })
        {
            let message = "viriformat has whole games, from which nothing can be left out: filter when training, or write a binpack";
            return Err(Error::Argument(message.into()));
        }
        let settings = settings(args)?;
        let state = State::read(&path, settings)?;
        if !args.resume && (path.exists() || state.is_some()) {
            let message = "is there already: go on with --resume, or name another --output";
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
        // First of all: from here on, whatever is in the file can be resumed.
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

    /// Games so far; the number of the next one.
    pub(super) const fn games(&self) -> u64 {
        self.state.games
    }

    /// Positions with a score so far.
    pub(super) const fn positions(&self) -> u64 {
        self.state.positions
    }

    /// Appends the next game. Gives its positions with a score.
    pub(super) fn append(&mut self, game: &Game) -> Result<u64, Error> {
        let mut sieve = Sieve::new(self.filter.clone(), self.seed ^ !game.number);
        let keeps_games = self.format == Format::Binpack;
        let mut kept = Vec::with_capacity(game.records.len());
        for record in &game.records {
            match sieve.judge(record) {
                None => kept.push(*record),
                // It keeps the game together, if anything of it was kept before.
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

    /// Appends what is waiting to the file, and then says so in its state.
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

    /// The waiting records in the format of the file.
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

/// Opens a file, of which so many bytes are whole. One of which nothing is may have been left by a call that was killed.
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

/// The sum of everything that games and their bytes depend on.
fn settings(args: &GenerateArgs) -> Result<u64, Error> {
    let GenerateArgs {
        network,
        games,
        rules,
        seed,
        ..
    } = args;
    let mut sum = fnv::add(
        fnv::START,
        format!("{:?} {games:?} {rules:?} {seed:?}", network.name).as_bytes(),
    );
    let files = [
        Some(&network.net),
        Some(&network.declaration),
        games.openings.as_ref(),
    ];
    for path in files.into_iter().flatten() {
        let bytes = bounded::read(path, MOST_OF_NETWORK).map_err(SystemError::from)?;
        sum = fnv::add(sum, &bytes);
    }
    Ok(sum)
}
