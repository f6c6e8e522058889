//! `nnue data generate`: plays games of a network against itself.
//!
//! ```text
//!   threads     number of a game ──► Game::play ──► records
//!                                                     │ whichever is done first
//!   main        sorted by number ──► Block of 32 games ──► appended to the file, and then to its state
//! ```
//!
//! A game follows from the seed and its number. Blocks are appended whole, and the state stores the size of
//! the complete part. After a kill, `--resume` cuts off the rest and plays those games again.

mod adjudication;
mod block;
mod game;
mod opening;
mod state;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use crate::note::line;
use crate::progress::Progress;
use nnue_data::Format;
use nnue_spec::plan::plan;
use nnue_train::search::{Real, Search};

use crate::args::train::GenerateArgs;
use crate::error::Error;
use crate::train::data::filter::filter;
use crate::train::data::input::nameless;
use crate::train::loaded::{RealNetwork, declared, exact};
use block::Blocks;
use game::{Game, Rules};

/// Size of a search's hash table, as a power of two.
const TABLE_BITS: u32 = 16;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Error> {
    let graph = declared(&args.network)?;
    let plan = plan(&graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let real = RealNetwork::new(&graph, &net, &exact(&net, &args.network.net)?)?;
    let openings = opening::read(args.games.openings.as_deref())?;
    let rules = Rules {
        games: &args.games,
        openings: &openings,
        seed: args.seed.seed,
    };
    let format = Format::of_path(&args.output)
        .ok_or_else(|| nameless(&args.output, "a name for --output that ends"))?;
    let blocks = Blocks::open(args, format, filter(&args.rules))?;
    let threads = args
        .threads
        .or(thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);
    generate(&real, &rules, blocks, threads.get(), args.positions)
}

/// Plays games until there are `positions` positions.
fn generate(
    real: &RealNetwork,
    rules: &Rules<'_>,
    mut blocks: Blocks,
    threads: usize,
    positions: u64,
) -> Result<(), Error> {
    let (next, is_done) = (AtomicU64::new(blocks.games()), AtomicBool::new(false));
    let (to, from) = sync_channel(2 * threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            let (to, next, is_done) = (to.clone(), &next, &is_done);
            scope.spawn(move || play(real, rules, (next, is_done), &to));
        }
        drop(to);
        let written = write(&mut blocks, &from, positions);
        is_done.store(true, Ordering::Relaxed);
        // unblocks threads that wait to send a game
        drop(from);
        written
    })?;
    line(format_args!("{blocks}"));
    Ok(())
}

/// A game and its number; `None` if no balanced opening was found.
type Played = (u64, Option<Game>);

fn play(
    real: &RealNetwork,
    rules: &Rules<'_>,
    (next, is_done): (&AtomicU64, &AtomicBool),
    to: &SyncSender<Played>,
) {
    let RealNetwork {
        features,
        network,
        parameters,
    } = real;
    let mut search = Search::new(Real::new(features, network, parameters), TABLE_BITS);
    while !is_done.load(Ordering::Relaxed) {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if to
            .send((number, Game::play(&mut search, rules, number)))
            .is_err()
        {
            return;
        }
    }
}

/// Writes games in the order of their numbers until there are `positions` positions.
fn write(blocks: &mut Blocks, from: &Receiver<Played>, positions: u64) -> Result<(), Error> {
    let progress = Progress::rated("generating", positions.saturating_sub(blocks.positions()));
    let mut waiting = BTreeMap::new();
    let mut outcomes = [0_u64; 3];
    while blocks.positions() < positions {
        let Some(game) = waiting.remove(&blocks.games()) else {
            let (number, game) = from
                .recv()
                .expect("threads play until they are told not to");
            waiting.insert(number, game);
            continue;
        };
        let Some(game): Option<Game> = game else {
            return Err(Error::Argument(format!(
                "game {} has no even opening in {} tries: raise --opening-limit, or name other --openings",
                blocks.games() + 1,
                game::TRIES
            )));
        };
        outcomes[game.outcome as usize] += 1;
        progress.advance(blocks.append(&game)?);
        // indexed by `Outcome`: loss, draw, win
        let [black, draws, white] = outcomes;
        progress.say(format!(
            "game {}: {white} won by White, {draws} drawn, {black} won by Black",
            blocks.games()
        ));
    }
    blocks.flush()
}
