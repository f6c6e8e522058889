//! What backends say about positions.

/// What a backend says about a position, from the point of view of the side to move. `P` is how the policy is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<P = Vec<f32>> {
    /// expected result, -1 (a loss) to 1 (a win)
    pub q: f32,
    /// share of draws, 0 to 1; 0 of backends without [`has_wdl`](crate::Attributes::has_wdl)
    pub d: f32,
    /// plies that are left, at least 0; 0 of backends without [`has_moves_left`](crate::Attributes::has_moves_left)
    pub m: f32,
    /// the value in the units of the network, before it became `q`, of backends with [`has_score`](crate::Attributes::has_score)
    pub score: Option<i32>,
    /// probability of each move in the order in which they were given; empty if it was not wanted, or if the backend has none
    pub policy: P,
}

impl<P: AsRef<[f32]>> Answer<P> {
    /// The same answer with a policy of its own.
    pub fn to_owned(&self) -> Answer {
        let Self { q, d, m, score, .. } = *self;
        Answer {
            q,
            d,
            m,
            score,
            policy: self.policy.as_ref().to_vec(),
        }
    }

    /// The same answer with its policy borrowed.
    pub fn as_view(&self) -> Answer<&[f32]> {
        let Self { q, d, m, score, .. } = *self;
        Answer {
            q,
            d,
            m,
            score,
            policy: self.policy.as_ref(),
        }
    }
}

/// What a computation gives: an answer for each slot.
///
/// ```text
///   q, d, m, score   one for each slot
///   policy           | slot 0 .. | slot 1 .. | ..        ends   where each of them ends
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    digest: u128,
    values: Vec<Answer<()>>,
    policy: Vec<f32>,
    ends: Vec<usize>,
}

impl Answers {
    /// No answers yet, of what has this digest.
    pub const fn new(digest: u128) -> Self {
        Self {
            digest,
            values: Vec::new(),
            policy: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// The digest of what has computed them: see [`Backend::digest`](crate::Backend::digest).
    pub const fn digest(&self) -> u128 {
        self.digest
    }

    /// How many there are.
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds the answer of the next slot.
    pub fn push<P: AsRef<[f32]>>(&mut self, answer: &Answer<P>) {
        let Answer {
            q,
            d,
            m,
            score,
            ref policy,
        } = *answer;
        self.values.push(Answer {
            q,
            d,
            m,
            score,
            policy: (),
        });
        self.policy.extend_from_slice(policy.as_ref());
        self.ends.push(self.policy.len());
    }

    /// The answer of a slot.
    ///
    /// # Panics
    ///
    /// If there is no such slot, as all the others here.
    pub fn get(&self, slot: usize) -> Answer<&[f32]> {
        let Answer {
            q,
            d,
            m,
            score,
            policy: (),
        } = self.values[slot];
        Answer {
            q,
            d,
            m,
            score,
            policy: self.policy(slot),
        }
    }

    /// All of them, in the order of their slots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Answer<&[f32]>> {
        (0..self.len()).map(|slot| self.get(slot))
    }

    /// The expected result of a slot, -1 to 1.
    pub fn q(&self, slot: usize) -> f32 {
        self.values[slot].q
    }

    /// The share of draws of a slot, 0 to 1.
    pub fn d(&self, slot: usize) -> f32 {
        self.values[slot].d
    }

    /// The plies that are left of a slot.
    pub fn m(&self, slot: usize) -> f32 {
        self.values[slot].m
    }

    /// The probability of a move of a slot, by its place in the list that was given; 0 if no policy was wanted.
    pub fn p(&self, slot: usize, index: usize) -> f32 {
        self.policy(slot).get(index).copied().unwrap_or(0.0)
    }

    /// The probabilities of all moves of a slot.
    pub fn policy(&self, slot: usize) -> &[f32] {
        let begin = if slot == 0 { 0 } else { self.ends[slot - 1] };
        &self.policy[begin..self.ends[slot]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_slot_has_its_own_answer() {
        let mut answers = Answers::new(5);
        for (q, policy) in [(0.5, vec![0.25, 0.75]), (-1.0, vec![]), (0.0, vec![1.0])] {
            answers.push(&Answer {
                q,
                d: 0.1,
                m: 3.0,
                score: Some(7),
                policy,
            });
        }
        assert_eq!((answers.len(), answers.digest()), (3, 5));
        assert_eq!([answers.q(0), answers.q(1), answers.q(2)], [0.5, -1.0, 0.0]);
        assert_eq!(
            (answers.policy(0), answers.policy(1), answers.policy(2)),
            (&[0.25, 0.75][..], &[][..], &[1.0][..])
        );
        assert_eq!(
            [answers.p(0, 1), answers.p(1, 0), answers.p(2, 9)],
            [0.75, 0.0, 0.0]
        );
        assert_eq!(answers.get(2).to_owned().as_view(), answers.get(2));
        assert_eq!(
            (answers.d(1), answers.m(2), answers.get(1).score),
            (0.1, 3.0, Some(7))
        );
    }
}
