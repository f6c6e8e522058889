//! Answers in memory.
//!
//! ```text
//!   key   ..............................................
//!         bits 0 to 5: the shard, each with a lock of its own
//!                bits 6 ..: the slot; an answer takes the place of the one that is there
//! ```
//!
//! Answers have different sizes, so each shard counts its bytes: if they become too many, slots are emptied in turn.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::answers::Answer;
use crate::game::Wanted;

const SHARDS: usize = 64;
/// What an answer takes besides its probabilities: the entry, what the allocator adds to both, the slot.
const OVERHEAD: usize = size_of::<Entry>() + 40;
/// Bytes of an answer that slots are made for: some thirty probabilities.
const USUAL: usize = OVERHEAD + 120;

/// An answer that is kept.
pub(crate) struct Entry {
    pub(crate) key: u128,
    /// what was wanted when it was computed
    pub(crate) wanted: Wanted,
    pub(crate) answer: Answer<Box<[f32]>>,
}

impl Entry {
    fn bytes(&self) -> usize {
        OVERHEAD + size_of_val(&*self.answer.policy)
    }
}

/// Answers by their keys, of which every bit is as good as another.
pub(crate) struct Table {
    shards: Vec<Mutex<Shard>>,
    /// most bytes of a shard
    most: usize,
}

#[derive(Default)]
struct Shard {
    slots: Vec<Option<Box<Entry>>>,
    count: usize,
    bytes: usize,
    /// the slot that is emptied next
    hand: usize,
}

impl Table {
    /// Room for so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = bytes / SHARDS;
        let slots = (most / USUAL).max(1);
        let shard = || {
            let mut shard = Shard::default();
            shard.slots.resize_with(slots, || None);
            Mutex::new(shard)
        };
        Self { shards: (0..SHARDS).map(|_| shard()).collect(), most }
    }

    fn shard(&self, key: u128) -> MutexGuard<'_, Shard> {
        self.shards[key as usize % SHARDS].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer with this key, if it has all that is wanted.
    pub(crate) fn get(&self, key: u128, wanted: Wanted) -> Option<Answer> {
        let shard = self.shard(key);
        let entry = shard.slots[slot(key, shard.slots.len())].as_ref().filter(|entry| entry.key == key)?;
        covers(entry.wanted, wanted).then(|| entry.answer.to_owned())
    }

    /// Keeps an answer, unless it is larger than all that is kept.
    pub(crate) fn put(&self, entry: Entry) {
        let (key, bytes) = (entry.key, entry.bytes());
        if bytes > self.most {
            return;
        }
        let mut shard = self.shard(key);
        let at = slot(key, shard.slots.len());
        shard.empty(at);
        while shard.bytes + bytes > self.most {
            let hand = shard.hand;
            shard.empty(hand);
            shard.hand = (hand + 1) % shard.slots.len();
        }
        shard.slots[at] = Some(Box::new(entry));
        shard.bytes += bytes;
        shard.count += 1;
    }

    /// How many answers are kept, and how many bytes they take.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sizes = self.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            (shard.count, shard.bytes)
        });
        sizes.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
}

impl Shard {
    fn empty(&mut self, at: usize) {
        if let Some(entry) = self.slots[at].take() {
            self.bytes -= entry.bytes();
            self.count -= 1;
        }
    }
}

const fn slot(key: u128, slots: usize) -> usize {
    ((key >> 64) as u64 as usize) % slots
}

/// Whether an answer has all that is wanted.
pub(crate) const fn covers(has: Wanted, wanted: Wanted) -> bool {
    (has.policy || !wanted.policy) && (has.draws || !wanted.draws) && (has.moves_left || !wanted.moves_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u128, moves: usize) -> Entry {
        let answer = Answer { q: key as f32, d: 0.0, m: 0.0, score: None, policy: vec![0.5; moves].into() };
        Entry { key, wanted: Wanted::ALL, answer }
    }

    fn key(number: u128) -> u128 {
        crate::digest::digest_of("key", &[number as u64])
    }

    #[test]
    fn memory_is_bounded_and_answers_are_their_own() {
        let table = Table::new(1 << 20);
        for number in 0..20_000 {
            table.put(entry(key(number), number as usize % 200));
            let (count, bytes) = table.size();
            assert!(bytes <= 1 << 20 && count <= 20_000, "{count} answers, {bytes} bytes");
        }
        let found = (0..20_000).filter(|&number| {
            let answer = table.get(key(number), Wanted::ALL);
            answer.is_some_and(|answer| {
                assert_eq!((answer.q, answer.policy.len()), (key(number) as f32, number as usize % 200));
                true
            })
        });
        assert_eq!(found.count(), table.size().0);
        assert!(table.size().0 > 500, "{:?}", table.size());
        let tiny = Table::new(64 * 200);
        tiny.put(entry(5, 1000));
        assert_eq!(tiny.size(), (0, 0), "larger than all that is kept");
    }

    #[test]
    fn an_answer_without_policy_is_not_one_with() {
        let table = Table::new(1 << 16);
        table.put(Entry { wanted: Wanted::VALUE, ..entry(5, 0) });
        assert!(table.get(5, Wanted::VALUE).is_some());
        assert_eq!(table.get(5, Wanted::ALL), None);
        assert_eq!(table.get(5 + (1 << 70), Wanted::VALUE), None);
    }
}
