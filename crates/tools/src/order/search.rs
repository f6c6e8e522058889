//! Searches an order of the groups with as many zero blocks as possible.
//!
//! First, blocks are filled greedily: with the busiest remaining group, then three times with the group that
//! is most often busy together with the block. Then groups of different blocks are swapped as long as that
//! helps. The result is deterministic.

use super::activity::{Activity, BLOCK, count};

/// Most rounds in which every group is compared with every other.
pub const SWEEPS: usize = 40;

/// The order: group `order[i]` goes to place `i`. `round` is called after each of at most [`SWEEPS`] rounds.
pub fn find(activity: &Activity, mut round: impl FnMut()) -> Vec<usize> {
    let mut exchange = Exchange::new(activity, cluster(activity));
    for _ in 0..SWEEPS {
        if !exchange.sweep() {
            break;
        }
        round();
    }
    exchange.order
}

/// Clusters groups that are busy together.
fn cluster(activity: &Activity) -> Vec<usize> {
    let mut left: Vec<usize> = (0..activity.groups()).collect();
    left.sort_by_key(|&group| core::cmp::Reverse(count(activity.row(group))));
    let mut order = Vec::with_capacity(activity.groups());
    while !left.is_empty() {
        let mut block = activity.row(left[0]).to_vec();
        order.push(left.remove(0));
        for _ in 1..BLOCK.min(left.len() + 1) {
            let shared = |group: usize| both(&block, activity.row(group));
            // ties: the first, which is busiest
            let best = (0..left.len())
                .rev()
                .max_by_key(|&at| shared(left[at]))
                .expect("groups are left");
            let group = left.remove(best);
            block
                .iter_mut()
                .zip(activity.row(group))
                .for_each(|(block, &row)| *block |= row);
            order.push(group);
        }
    }
    order
}

/// An order during local search.
struct Exchange<'a> {
    activity: &'a Activity,
    order: Vec<usize>,
    /// for each place, the OR of the other rows in its block
    others: Vec<u64>,
    /// for each place, the number of bits set in `others`
    others_count: Vec<usize>,
    /// for each block, the number of bits set in the OR of its rows
    busy: Vec<usize>,
}

impl<'a> Exchange<'a> {
    fn new(activity: &'a Activity, order: Vec<usize>) -> Self {
        let places = order.len();
        let others = vec![0; places * activity.words()];
        let (others_count, busy) = (vec![0; places], vec![0; places / BLOCK]);
        let mut exchange = Self {
            activity,
            order,
            others,
            others_count,
            busy,
        };
        (0..places / BLOCK).for_each(|block| exchange.refresh(block));
        exchange
    }

    /// Recomputes the data of a block.
    fn refresh(&mut self, block: usize) {
        let places = block * BLOCK..(block + 1) * BLOCK;
        let words = self.activity.words();
        for place in places.clone() {
            let others = &mut self.others[place * words..][..words];
            others.fill(0);
            for other in places.clone().filter(|&other| other != place) {
                let row = self.activity.row(self.order[other]);
                others
                    .iter_mut()
                    .zip(row)
                    .for_each(|(others, &row)| *others |= row);
            }
            self.others_count[place] = count(others);
        }
        self.busy[block] = self.with(places.start, self.order[places.start]);
    }

    /// Bits set in the block of `place` if `group` were there.
    fn with(&self, place: usize, group: usize) -> usize {
        let words = self.activity.words();
        either(
            &self.others[place * words..][..words],
            self.activity.row(group),
        )
    }

    /// Applies the best swap of every group. Returns whether anything improved.
    fn sweep(&mut self) -> bool {
        let mut improved = false;
        for place in 0..self.order.len() {
            if let Some(other) = self.best(place) {
                self.order.swap(place, other);
                self.refresh(place / BLOCK);
                self.refresh(other / BLOCK);
                improved = true;
            }
        }
        improved
    }

    /// The place whose swap saves most, if any saves something.
    fn best(&self, place: usize) -> Option<usize> {
        let (mut best, mut saved) = (None, 0);
        for other in (0..self.order.len()).filter(|other| other / BLOCK != place / BLOCK) {
            let now = self.busy[place / BLOCK] + self.busy[other / BLOCK];
            // the other rows are busy in any case
            if self.others_count[place] + self.others_count[other] + saved >= now {
                continue;
            }
            let then = self.with(place, self.order[other]);
            if then + self.others_count[other] + saved >= now {
                continue;
            }
            let then = then + self.with(other, self.order[place]);
            if then + saved < now {
                (best, saved) = (Some(other), now - then);
            }
        }
        best
    }
}

/// Number of bits set in both.
fn both(a: &[u64], b: &[u64]) -> usize {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a & b).count_ones() as usize)
        .sum()
}

/// Number of bits set in either.
fn either(a: &[u64], b: &[u64]) -> usize {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a | b).count_ones() as usize)
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A linear congruential generator; uses the upper bits.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            (self.0 >> 33) as usize % bound
        }
    }

    fn order(activity: &Activity) -> Vec<usize> {
        find(activity, || ())
    }

    /// Groups that share one of `kinds` causes, in mixed order, with noise.
    fn mixed(groups: usize, kinds: usize, noise: usize) -> Activity {
        let mut random = Random(1);
        let causes: Vec<usize> = (0..500).map(|_| random.below(kinds)).collect();
        let rows: Vec<Vec<bool>> = (0..groups)
            .map(|group| {
                causes
                    .iter()
                    .map(|&cause| (cause == group * 7 % kinds) ^ (random.below(1000) < noise))
                    .collect()
            })
            .collect();
        Activity::from_rows(&rows.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    #[test]
    fn groups_that_are_busy_together_stand_together() {
        let activity = mixed(32, 8, 0);
        let order = order(&activity);
        for block in order.chunks(BLOCK) {
            assert!(
                block.iter().all(|group| group * 7 % 8 == block[0] * 7 % 8),
                "{order:?}"
            );
        }
        // each of 8 blocks is busy only for its cause
        assert_eq!(activity.blocks(&order).zero, 7 * 500);
        let before = activity.blocks(&(0..32).collect::<Vec<_>>());
        assert!(
            before.zero < 5 * 500 && before.zero_inputs == 28 * 500,
            "{before:?}"
        );
    }

    #[test]
    fn exchanges_improve_on_clusters_and_name_every_group_once() {
        let activity = mixed(64, 11, 60);
        let (clustered, found) = (cluster(&activity), order(&activity));
        let zero = |order: &[usize]| activity.blocks(order).zero;
        assert!(
            zero(&found) > zero(&clustered),
            "{} {}",
            zero(&found),
            zero(&clustered)
        );
        assert!(zero(&clustered) > zero(&(0..64).collect::<Vec<_>>()));
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..64).collect::<Vec<_>>());
        assert_eq!(found, order(&activity), "the search is deterministic");
    }
}
