//! Damaged files, of every format.

use std::panic::{AssertUnwindSafe, catch_unwind};

use fastrand::Rng;
use nnue_data::{ReadError, Record};

/// What a reader gives: records and errors.
pub(crate) type Read = Vec<Result<Record, ReadError>>;

/// Reads every beginning of `whole`, of which `records` is what it holds: what is read is the beginning of that, and only a cut where
/// `may_end` says so is not reported.
pub(crate) fn every_cut(
    whole: &[u8],
    records: &[Record],
    read: impl Fn(&[u8]) -> Read,
    may_end: impl Fn(usize) -> bool,
) {
    for end in 0..whole.len() {
        let mut found = read(&whole[..end]);
        let is_told = found.pop_if(|last| last.is_err()).is_some();
        assert!(
            is_told != may_end(end),
            "cut after {end} bytes: an error: {is_told}"
        );
        let kept: Vec<Record> = found
            .into_iter()
            .map(|record| record.expect("one error, at the end"))
            .collect();
        assert_eq!(kept, records[..kept.len()], "cut after {end} bytes");
    }
}

/// Reads `whole` many times with some bytes changed: it ends without a panic, and whatever was read before the first change is kept.
/// Returns how many of the times an error was reported.
pub(crate) fn flipped_bytes(whole: &[u8], times: u64, read: impl Fn(&[u8]) -> Read) -> u64 {
    let mut told = 0;
    for seed in 0..times {
        let random = &mut Rng::with_seed(seed);
        let mut bytes = whole.to_vec();
        for _ in 0..random.usize(1..4) {
            bytes[random.usize(..whole.len())] ^= random.u8(1..);
        }
        let found = catch_unwind(AssertUnwindSafe(|| read(&bytes)))
            .unwrap_or_else(|_| panic!("seed {seed} panics"));
        assert!(
            found.len() <= whole.len() * 8,
            "seed {seed} gives {} records",
            found.len()
        );
        told += u64::from(found.iter().any(Result::is_err));
    }
    told
}
