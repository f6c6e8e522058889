//! `nnue analyze`: evaluates every position of a file with a backend, in batches.
//!
//! ```text
//!   file ─► games ─► a stretch of games, as many positions as fill the batches of all threads
//!                       └─► batches ─► answers ─► rows of the table, a drawing of each game
//!                              └─► the cache, batch by batch: what is there is not computed again
//! ```

mod plot;
mod table;

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use crate::note;
use crate::note::note;
use crate::progress::Progress;
use crate::system::SystemError;
use nnue_backend::adapters::{CacheOptions, Cached};
use nnue_backend::{Answer, Backend, Chess, Sample, Wanted};
use nnue_data::files::output::Output;
use nnue_data::files::regular;

use super::positions::{Game, games};
use super::registry::{Networks, create};
use crate::args::backends::AnalyzeArgs;
use crate::declaration;
use crate::error::Error;
use crate::input::{is_standard, one_reader};
use crate::network::Shared;
use crate::output;
use table::{Table, settle};

/// Batches per thread and stretch, so that threads rarely wait for each other.
const BATCHES: usize = 4;

/// Most positions of a batch, and most threads.
const MOST_BATCH: usize = 1 << 16;
const MOST_THREADS: usize = 256;

pub(crate) fn run(args: &AnalyzeArgs, out: &mut dyn Write) -> Result<(), Error> {
    check(args)?;
    let backend = backend(args)?;
    let most = backend.attributes().maximum_batch.clamp(1, MOST_BATCH);
    let size = args
        .batch
        .unwrap_or(backend.attributes().recommended_batch)
        .clamp(1, most);
    let work = Work {
        backend: &*backend,
        size,
        threads: args.threads,
        plots: args.plots.as_deref(),
    };
    if let Some(folder) = &args.plots {
        plot::make_folder(folder)?;
    }
    match &args.output {
        None => work.all(&args.file, args.tsv, out)?,
        Some(path) => work.write_file(args, path)?,
    }
    let mut report = String::new();
    if backend.report(&mut report).is_ok() {
        report
            .lines()
            .for_each(|line| note::line(format_args!("{line}")));
    }
    Ok(())
}

fn check(args: &AnalyzeArgs) -> Result<(), Error> {
    if !(1..=MOST_THREADS).contains(&args.threads) {
        return Err(Error::Argument(format!(
            "--threads {}: expected 1 to {MOST_THREADS}",
            args.threads
        )));
    }
    if args
        .batch
        .is_some_and(|batch| !(1..=MOST_BATCH).contains(&batch))
    {
        return Err(Error::Argument(format!(
            "--batch {}: expected 1 to {MOST_BATCH}",
            args.batch.unwrap_or_default()
        )));
    }
    let declaration = args
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    one_reader(&[
        ("--declaration", declaration),
        ("the games", Some(args.file.clone())),
    ])?;
    output::refuse_same(args.output.as_deref(), &[("the games", Some(&args.file))])
}

fn backend(args: &AnalyzeArgs) -> Result<Shared, Error> {
    let plain = create(&args.backend, &Networks::new(&args.net, &args.declared))?;
    let Some(file) = &args.cache else {
        return Ok(plain);
    };
    let cached = Cached::new("cached", plain, Some(file), &CacheOptions::default())?;
    Ok(Arc::new(cached))
}

struct Work<'w> {
    backend: &'w dyn Backend<Chess>,
    /// positions per batch
    size: usize,
    threads: usize,
    /// folder for drawings
    plots: Option<&'w Path>,
}

impl Work<'_> {
    /// Analyses all games and writes the table atomically.
    fn write_file(&self, args: &AnalyzeArgs, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::from(SystemError::write(path, source));
        let mut file = BufWriter::new(Output::create(path).map_err(failed)?);
        self.all(&args.file, args.tsv, &mut file)
            .map_err(|error| match error {
                Error::System(SystemError::Output(source)) => failed(source),
                other => other,
            })?;
        let file = file
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        file.commit().map_err(failed)
    }

    fn all(&self, file: &Path, as_tsv: bool, out: &mut dyn Write) -> Result<(), Error> {
        // report bad games before the work begins, not after hours
        let known = if is_standard(file) {
            None
        } else {
            // the file is read twice
            regular::read(file).map_err(|source| SystemError::read(file, source))?;
            Some(count(file)?)
        };
        let progress = known.map_or_else(
            || Progress::endless("positions"),
            |all| Progress::rated("positions", all),
        );
        let mut table = Table::new(self.backend.attributes(), as_tsv, out)?;
        let (mut stretch, mut positions) = (Vec::new(), 0);
        for game in sound(games(file)?, known.is_none()) {
            let game = game?;
            positions += game.positions.len();
            stretch.push(game);
            if positions >= BATCHES * self.size * self.threads {
                self.stretch(&std::mem::take(&mut stretch), &mut table, &progress)?;
                positions = 0;
            }
        }
        self.stretch(&stretch, &mut table, &progress)
    }

    fn stretch(
        &self,
        games: &[Game],
        table: &mut Table<'_>,
        progress: &Progress,
    ) -> Result<(), Error> {
        let samples: Vec<Sample<'_, Chess>> = games.iter().flat_map(Game::samples).collect();
        let mut answers = self.answers(&samples, progress)?;
        let mut rest = answers.as_mut_slice();
        for game in games {
            let (own, others) = rest.split_at_mut(game.positions.len());
            rest = others;
            settle(game, own);
            table.game(game, own)?;
            if let Some(folder) = self.plots.filter(|_| game.is_game()) {
                plot::draw(game, own, &self.backend.attributes(), folder)?;
            }
        }
        Ok(())
    }

    /// Evaluates all samples; threads take batches until none is left.
    fn answers(
        &self,
        samples: &[Sample<'_, Chess>],
        progress: &Progress,
    ) -> Result<Vec<Answer>, Error> {
        let batches = Mutex::new(samples.chunks(self.size).enumerate());
        let found = Mutex::new(Vec::new());
        let work = || -> Result<(), nnue_backend::Error> {
            let next = || batches.lock().ok()?.next();
            while let Some((index, samples)) = next() {
                let answers = self.backend.evaluate(samples, Wanted::ALL)?;
                progress.advance(samples.len() as u64);
                let answers: Vec<Answer> = answers.iter().map(|answer| answer.to_owned()).collect();
                found
                    .lock()
                    .expect("no thread panics here")
                    .push((index, answers));
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(work)).collect();
            let own = work();
            others
                .into_iter()
                .map(|thread| thread.join().expect("a thread does not panic"))
                .fold(own, Result::and)
        })?;
        let mut found = found.into_inner().expect("no thread panics here");
        found.sort_by_key(|(index, _)| *index);
        Ok(found.into_iter().flat_map(|(_, answers)| answers).collect())
    }
}

/// Counts the positions of a file and reports bad games.
fn count(file: &Path) -> Result<u64, Error> {
    sound(games(file)?, true).try_fold(0, |all, game| Ok(all + game?.positions.len() as u64))
}

/// The valid games. Bad ones are reported if `tells`.
fn sound(
    games: impl Iterator<Item = Result<Game, Error>>,
    tells: bool,
) -> impl Iterator<Item = Result<Game, Error>> {
    games.filter(move |game| match game {
        Err(error @ Error::Input { .. }) => {
            if tells {
                note!("left out: {error}");
            }
            false
        }
        _ => true,
    })
}
