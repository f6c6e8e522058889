//! How fast batches are made: `cargo run --release -p nnue-train --example batches -- FILE [SETS] [THREADS]`.
//!
//! `SETS` are the feature sets as declarations have them, `HalfKAv2_hm` if nothing is said. The file is in memory, and read ten times.

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::Instant;

use nnue_codegen::plan_text;
use nnue_data::binpack::Reader;
use nnue_data::{ReadError, Record};
use nnue_spec::NetDesc;
use nnue_spec::reference::{Board, active_features};
use nnue_train::batches::{Batches, Settings};
use nnue_train::features::{Features, Rows};

const TIMES: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which binpack?")?;
    let sets = arguments.next().unwrap_or_else(|| "HalfKAv2_hm[..]".into());
    let threads: NonZeroUsize = arguments.next().unwrap_or_else(|| "1".into()).parse()?;
    let declaration = format!("struct Measured = {sets} -> 1024x2, psqt 8 -> (16 -> 32 -> 1)x8;");
    let plan = plan_text(&declaration)
        .map_err(|errors| errors[0].shown_in("SETS", &declaration))?
        .remove(0);
    let tables = plan.tables();
    let net = tables.descriptor();
    let bytes: &'static [u8] = std::fs::read(path)?.leak();
    let features = Features::new(&net)?;
    check(&net, &features, bytes)?;

    let read = best(|| Ok(Reader::new(bytes).filter(has_score).count()))?;
    println!("reading alone        {read:>6.2} million positions/s");
    let settings = Settings {
        size: NonZeroUsize::new(16384).expect("not 0"),
        threads,
        skip: 0,
    };
    let made = best(|| {
        let mut batches = Batches::new(features.clone(), Reader::new(bytes), settings);
        while batches.next_batch()?.is_some() {}
        Ok(batches.positions() as usize)
    })?;
    println!("batches, {threads:>2} threads  {made:>6.2} million positions/s");
    Ok(())
}

fn has_score(record: &Result<Record, ReadError>) -> bool {
    record.as_ref().is_ok_and(|record| record.score().is_some())
}

/// Compares every hundredth position with the reference.
fn check(net: &NetDesc<'_>, features: &Features, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    let mut rows = Rows::default();
    for record in Reader::new(bytes).step_by(100) {
        let record = record?;
        let fen = nnue_spec::Fen::parse(&record.fen())?;
        features.find(&record.position, &mut rows);
        let mut found: Vec<usize> = rows.of(0).iter().map(|&row| row as usize).collect();
        found.sort_unstable();
        let black = fen.black_to_move;
        assert_eq!(
            found,
            active_features(net, &Board::new(fen.pieces, black), black),
            "{}",
            record.fen()
        );
    }
    Ok(())
}

/// The best of several runs, in million positions a second.
fn best(run: impl Fn() -> Result<usize, Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut best = 0.0_f64;
    for _ in 0..TIMES {
        let start = Instant::now();
        let count = run()?;
        best = best.max(count as f64 / start.elapsed().as_secs_f64() / 1e6);
    }
    Ok(best)
}
