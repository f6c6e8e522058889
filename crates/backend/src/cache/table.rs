//! Answers in memory.
//!
//! ```text
//!   key   ..............................................
//!         bits 0 to 5: the shard, each with a lock of its own
//!                bits 6 ..: the slot; an answer takes the place of the one that is there
//! ```
//!
//! Answers have different sizes, so each shard counts its bytes; above the limit, slots are emptied in turn.
//!
//! Readers share an entry with the table: nothing is copied under a lock, and displaced entries are freed
//! after it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::answers::Answer;
use crate::game::Wanted;

const SHARDS: usize = 64;
/// Size of an answer without its probabilities: the entry with its reference counts, allocator overhead, the
/// slot.
const OVERHEAD: usize = size_of::<Entry>() + 16 + 40;
/// Assumed size of an answer, for the number of slots: some thirty probabilities.
const USUAL: usize = OVERHEAD + 120;

pub(crate) struct Entry {
    pub(crate) key: u128,
    /// the outputs that it has
    pub(crate) wanted: Wanted,
    pub(crate) answer: Answer<Box<[f32]>>,
}

impl Entry {
    fn bytes(&self) -> usize {
        OVERHEAD + size_of_val(&*self.answer.policy)
    }
}

/// Answers by key. Keys must have uniformly random bits.
pub(crate) struct Table {
    shards: Vec<Mutex<Shard>>,
    /// size limit of a shard in bytes
    most: usize,
}

#[derive(Default)]
struct Shard {
    slots: Vec<Option<Arc<Entry>>>,
    count: usize,
    bytes: usize,
    /// the slot to be emptied next
    hand: usize,
}

impl Table {
    /// A table with a size limit in bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        let most = bytes / SHARDS;
        let slots = (most / USUAL).max(1);
        let shard = || {
            let mut shard = Shard::default();
            shard.slots.resize_with(slots, || None);
            Mutex::new(shard)
        };
        Self {
            shards: (0..SHARDS).map(|_| shard()).collect(),
            most,
        }
    }

    fn shard(&self, key: u128) -> MutexGuard<'_, Shard> {
        self.shards[key as usize % SHARDS]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The answer with this key, if it has all requested outputs.
    pub(crate) fn get(&self, key: u128, wanted: Wanted) -> Option<Arc<Entry>> {
        let shard = self.shard(key);
        let entry = shard.slots[slot(key, shard.slots.len())].as_ref()?;
        (entry.key == key && covers(entry.wanted, wanted)).then(|| Arc::clone(entry))
    }

    /// Inserts an answer, unless it exceeds the limit by itself.
    pub(crate) fn put(&self, entry: Arc<Entry>) {
        let (key, bytes) = (entry.key, entry.bytes());
        if bytes > self.most {
            return;
        }
        let mut shard = self.shard(key);
        let at = slot(key, shard.slots.len());
        let displaced = shard.empty(at);
        while shard.bytes + bytes > self.most {
            let hand = shard.hand;
            shard.empty(hand);
            shard.hand = (hand + 1) % shard.slots.len();
        }
        shard.slots[at] = Some(entry);
        shard.bytes += bytes;
        shard.count += 1;
        drop(shard);
        drop(displaced);
    }

    /// Number of answers and their size in bytes.
    pub(crate) fn size(&self) -> (usize, usize) {
        let sizes = self.shards.iter().map(|shard| {
            let shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            (shard.count, shard.bytes)
        });
        sizes.fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    }
}

impl Shard {
    /// Removes the entry of a slot.
    fn empty(&mut self, at: usize) -> Option<Arc<Entry>> {
        let entry = self.slots[at].take()?;
        self.bytes -= entry.bytes();
        self.count -= 1;
        Some(entry)
    }
}

const fn slot(key: u128, slots: usize) -> usize {
    ((key >> 64) as u64 as usize) % slots
}

/// Whether an answer has all requested outputs.
pub(crate) const fn covers(has: Wanted, wanted: Wanted) -> bool {
    (has.policy || !wanted.policy)
        && (has.draws || !wanted.draws)
        && (has.moves_left || !wanted.moves_left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u128, moves: usize, wanted: Wanted) -> Arc<Entry> {
        let answer = Answer {
            q: key as f32,
            d: 0.0,
            m: 0.0,
            score: None,
            policy: vec![0.5; moves].into(),
        };
        Arc::new(Entry {
            key,
            wanted,
            answer,
        })
    }

    fn key(number: u128) -> u128 {
        crate::digest::digest_of("key", &[number as u64])
    }

    #[test]
    fn memory_is_bounded_and_answers_are_their_own() {
        let table = Table::new(1 << 20);
        for number in 0..20_000 {
            table.put(entry(key(number), number as usize % 200, Wanted::ALL));
            let (count, bytes) = table.size();
            assert!(
                bytes <= 1 << 20 && count <= 20_000,
                "{count} answers, {bytes} bytes"
            );
        }
        let found = (0..20_000).filter(|&number| {
            let entry = table.get(key(number), Wanted::ALL);
            entry.is_some_and(|entry| {
                let answer = &entry.answer;
                assert_eq!(
                    (answer.q, answer.policy.len()),
                    (key(number) as f32, number as usize % 200)
                );
                true
            })
        });
        assert_eq!(found.count(), table.size().0);
        assert!(table.size().0 > 500, "{:?}", table.size());
        let tiny = Table::new(64 * 200);
        tiny.put(entry(5, 1000, Wanted::ALL));
        assert_eq!(tiny.size(), (0, 0), "larger than all that is kept");
    }

    #[test]
    fn an_answer_without_policy_is_not_one_with() {
        let table = Table::new(1 << 16);
        table.put(entry(5, 0, Wanted::VALUE));
        assert!(table.get(5, Wanted::VALUE).is_some());
        assert!(table.get(5, Wanted::ALL).is_none());
        assert!(table.get(5 + (1 << 70), Wanted::VALUE).is_none());
    }

    #[test]
    fn an_answer_that_was_found_stays_when_its_place_is_taken() {
        let table = Table::new(1 << 16);
        table.put(entry(5, 3, Wanted::ALL));
        let found = table.get(5, Wanted::ALL).expect("it was just put there");
        table.put(entry(5, 7, Wanted::ALL));
        assert_eq!(found.answer.policy.len(), 3);
        assert_eq!(
            table
                .get(5, Wanted::ALL)
                .expect("the other one")
                .answer
                .policy
                .len(),
            7
        );
        assert_eq!(
            table.size(),
            (1, OVERHEAD + 7 * 4),
            "what is shared outside is no longer counted"
        );
    }
}
