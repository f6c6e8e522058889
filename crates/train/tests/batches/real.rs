//! Published data, whose licence keeps them out of the repository. `NNUE_DATA` names the folder with
//! `small.binpack`; without it, this test prints that it is skipped, and passes.

use std::fs::File;
use std::path::PathBuf;

use nnue_data::binpack::Reader;
use nnue_spec::reference::active_features;
use nnue_train::batches::Batches;
use nnue_train::features::Features;

use crate::order::settings;
use crate::{board, declared};

/// Compares every 200th position, which takes a second.
#[test]
fn small_binpack_becomes_batches_of_the_rows_of_the_reference() {
    let Some(folder) = std::env::var_os("NNUE_DATA") else {
        println!("not run: NNUE_DATA does not name a folder with small.binpack");
        return;
    };
    let path = PathBuf::from(folder).join("small.binpack");
    let open = || {
        Reader::new(File::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    };
    let sets = "HalfKAv2_hm[..] + FullThreats[59808] as i8 + PawnPairs[..] as i8";
    let plan = declared(&format!(
        "struct N = {sets} -> 32x2, psqt 8 -> (32 -> 1)x8;"
    ))
    .remove(0);
    let tables = plan.tables();
    let net = tables.descriptor();
    let mut batches = Batches::new(Features::new(&net).unwrap(), open(), settings(16384, 3));
    let mut records = open()
        .map(Result::unwrap)
        .filter(|record| record.score().is_some());
    while let Some(batch) = batches.next_batch().unwrap() {
        for (index, record) in records.by_ref().take(batch.len()).enumerate().step_by(200) {
            let board = board(&record.fen());
            for (perspective, black) in [board.black_to_move, !board.black_to_move]
                .into_iter()
                .enumerate()
            {
                let mut found: Vec<usize> = batch
                    .rows(index, perspective)
                    .iter()
                    .map(|&row| row as usize)
                    .collect();
                found.sort_unstable();
                assert_eq!(
                    found,
                    active_features(&net, &board, black),
                    "{}",
                    record.fen()
                );
            }
            let target = (
                batch.scores()[index],
                f64::from(batch.results()[index]),
                batch.plies()[index],
            );
            assert_eq!(
                target,
                (record.score.into(), record.outcome.points(), record.ply),
                "{}",
                record.fen()
            );
        }
    }
    assert!(records.next().is_none());
    assert_eq!(batches.positions(), 434_921 - 10_200);
}
