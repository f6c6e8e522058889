//! Answers from memory and from a file that the system has in memory.

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use nnue_backend::adapters::{CacheOptions, Cached};
use nnue_backend::nnue::Board;
use nnue_backend::{Backend, Chess, Wanted};

use crate::games::{alone, unrelated};
use crate::group::{Aim, Group};
use crate::networks::{Sfnnv9, backend, fresh};

/// Positions that are asked for again and again.
const COUNT: usize = 4096;

/// A folder for the files, removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A fresh evaluation, an answer from memory, and one from a file.
pub(crate) fn group(network: &Sfnnv9) -> Group {
    let positions = Arc::new(unrelated(COUNT as u64));
    let folder = Folder(std::env::temp_dir().join(format!("nnue-bench-{}", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let file = folder.0.join("cache");
    let cached = |file, memory| {
        let options = CacheOptions {
            memory,
            ..CacheOptions::default()
        };
        Cached::new("cached", backend(network), file, &options).expect("a cache")
    };
    let (in_memory, in_files) = (cached(None, 256 << 20), cached(Some(file.as_path()), 0));
    let expected = fresh(network, &positions);
    for cached in [&in_memory, &in_files] {
        for _ in 0..2 {
            let answers = cached
                .evaluate(&alone(&positions), Wanted::VALUE)
                .expect("answers");
            assert!(
                answers
                    .iter()
                    .map(|answer| answer.score)
                    .eq(expected.iter().copied())
            );
        }
    }
    let mut group = Group::new("cached");
    let (own, all) = (Arc::clone(network), Arc::clone(&positions));
    group.add("fresh, one by one", Aim::None, move || {
        all.iter().for_each(|&position| {
            black_box(own.evaluate_fresh(&Board(position)));
        });
        COUNT
    });
    let (all, memory) = (Arc::clone(&positions), in_memory);
    group.add("from memory", Aim::TimesFirst(3.0), move || {
        ask(&memory, &alone(&all))
    });
    group.add("from a warm file", Aim::TimesFirst(3.0 / 20.0), move || {
        let _ = &folder; // the files live as long as this
        ask(&in_files, &alone(&positions))
    });
    group
}

/// Asks for each position as a search does: its answer is at hand when it is added.
fn ask(cached: &Cached<Chess>, samples: &[nnue_backend::Sample<'_, Chess>]) -> usize {
    let computation = cached.computation();
    for sample in samples {
        black_box(computation.add(sample, Wanted::VALUE).expect("room"));
    }
    // in memory an answer may have lost its place to another one
    assert!(
        computation.used_batch_size() * 100 <= samples.len(),
        "nearly all are at hand"
    );
    samples.len()
}
