//! Batches come in the order of the records, complete or with the error that ended them, and nothing
//! deadlocks.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use nnue_data::{Format, NO_SCORE, Outcome, Position, ReadError, Reader, Record, Writer};
use nnue_train::batches::{Batches, Settings};
use nnue_train::features::Features;

use crate::declared;

fn features() -> Features {
    let plan = declared("struct N = HalfKAv2_hm[..] -> 32x2 -> 1;").remove(0);
    Features::new(&plan.tables().descriptor()).unwrap()
}

pub(crate) fn settings(size: usize, threads: usize) -> Settings {
    let number = |number| NonZeroUsize::new(number).unwrap();
    Settings {
        size: number(size),
        threads: number(threads),
        skip: 0,
    }
}

/// A record that is identified by its ply. The king walks along the first rank.
fn record(ply: u32) -> Record {
    let rank: String = (0..8)
        .map(|file| if file == ply % 8 { 'K' } else { '1' })
        .collect();
    let position: Position = format!("4k3/8/8/8/8/8/4P3/{rank} w - - 0 1")
        .parse()
        .unwrap();
    Record {
        position,
        score: 5,
        outcome: Outcome::Win,
        ply,
        mv: None,
    }
}

fn endless() -> impl Iterator<Item = Result<Record, Infallible>> + Send + 'static {
    (0..).map(|ply| Ok(record(ply)))
}

/// All data of each position of each batch.
type Seen = Vec<Vec<(u32, Vec<i32>, Vec<i32>)>>;

fn seen<E: Send + 'static>(batches: &mut Batches<E>) -> Result<Seen, E> {
    let mut all = Vec::new();
    while let Some(batch) = batches.next_batch()? {
        let position = |index| {
            (
                batch.plies()[index],
                batch.rows(index, 0).to_vec(),
                batch.rows(index, 1).to_vec(),
            )
        };
        all.push((0..batch.len()).map(position).collect());
    }
    Ok(all)
}

#[test]
fn any_number_of_threads_gives_the_same_batches() {
    let made = |threads| {
        let mut batches = Batches::new(features(), endless().take(1003), settings(10, threads));
        let seen = seen(&mut batches).unwrap();
        assert_eq!(batches.positions(), 1003);
        assert!(batches.next_batch().unwrap().is_none());
        seen
    };
    let one = made(1);
    assert_eq!((one.len(), one[100].len()), (101, 3));
    assert!(one.iter().flatten().map(|(ply, ..)| *ply).eq(0..1003));
    assert!(one[..100].iter().all(|batch| batch.len() == 10));
    for threads in [2, 5] {
        assert_eq!(made(threads), one, "{threads} threads");
    }
}

#[test]
fn a_run_goes_on_where_it_was_stopped() {
    let without_stop = seen(&mut Batches::new(
        features(),
        endless().take(95),
        settings(10, 2),
    ))
    .unwrap();
    let mut batches = Batches::new(features(), endless().take(95), settings(10, 3));
    for _ in 0..4 {
        batches.next_batch().unwrap();
    }
    let skip = batches.positions();
    drop(batches);
    let mut batches = Batches::new(
        features(),
        endless().take(95),
        Settings {
            skip,
            ..settings(10, 1)
        },
    );
    assert_eq!(batches.positions(), 40);
    assert_eq!(seen(&mut batches).unwrap(), without_stop[4..]);
    assert_eq!(batches.positions(), 95);
}

#[test]
fn positions_without_a_score_are_passed_over() {
    let records = (0..20).map(|ply| {
        let record = record(ply);
        Ok::<_, Infallible>(if ply % 2 == 0 {
            record
        } else {
            Record {
                score: NO_SCORE,
                ..record
            }
        })
    });
    let mut batches = Batches::new(
        features(),
        records,
        Settings {
            skip: 3,
            ..settings(4, 2)
        },
    );
    let plies: Vec<Vec<u32>> = seen(&mut batches)
        .unwrap()
        .iter()
        .map(|batch| batch.iter().map(|(ply, ..)| *ply).collect())
        .collect();
    assert_eq!(plies, [vec![6, 8, 10, 12], vec![14, 16, 18]]);
}

#[test]
fn no_records_give_no_batch() {
    let mut batches = Batches::new(features(), endless().take(0), settings(10, 3));
    assert!(batches.next_batch().unwrap().is_none());
}

#[test]
fn dropping_early_ends_the_workers() {
    let alive = Arc::new(());
    for wanted in [0, 1, 7] {
        for threads in [1, 4] {
            let held = Arc::clone(&alive);
            let records = endless().inspect(move |_| assert!(Arc::strong_count(&held) > 0));
            let mut batches = Batches::new(features(), records, settings(10, threads));
            for _ in 0..wanted {
                batches.next_batch().unwrap();
            }
        }
        assert_eq!(
            Arc::strong_count(&alive),
            1,
            "a worker still has the records"
        );
    }
}

#[test]
fn no_more_is_read_than_there_is_room_for() {
    let read = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&read);
    let records = endless().inspect(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let mut batches = Batches::new(features(), records, settings(10, 2));
    for handed_over in 1..=50 {
        batches.next_batch().unwrap();
        // Records are in the queue, held by workers, or handed over.
        assert!(read.load(Ordering::Relaxed) <= 10 * (2 + 2 + handed_over));
    }
}

#[test]
fn a_damaged_file_gives_what_is_before_and_its_fault() {
    let mut writer = Writer::new(Format::Binpack, Vec::new());
    (0..25)
        .try_for_each(|ply| writer.write(&record(ply)))
        .unwrap();
    let chunk = writer.finish().unwrap();
    let mut bytes = chunk.repeat(3);
    bytes[chunk.len() + 8..][..8].fill(0);
    for threads in [1, 3] {
        let reader = Reader::new(Format::Binpack, std::io::Cursor::new(bytes.clone()));
        let mut batches = Batches::new(features(), reader, settings(10, threads));
        let lengths: Vec<usize> = (0..3)
            .map(|_| batches.next_batch().unwrap().unwrap().len())
            .collect();
        assert_eq!(lengths, [10, 10, 5]);
        let error: ReadError = batches.next_batch().unwrap_err();
        let expected = format!(
            "chunk 2, byte {}: 0 white kings instead of one",
            chunk.len() + 8
        );
        assert_eq!(error.to_string(), expected);
        assert!(batches.next_batch().unwrap().is_none());
        assert_eq!(batches.positions(), 25);
    }
}

#[test]
fn a_panic_of_the_records_is_not_an_end() {
    let records = endless()
        .inspect(|next| assert!(next.as_ref().is_ok_and(|record| record.ply < 35), "too far"));
    let mut batches = Batches::new(features(), records, settings(10, 2));
    let panic = catch_unwind(AssertUnwindSafe(|| seen(&mut batches))).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"too far"));
}
