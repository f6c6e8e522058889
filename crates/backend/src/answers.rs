//! Answers of backends.

/// An answer for a position, from the point of view of the side to move. `P` is the representation of the
/// policy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer<P = Vec<f32>> {
    /// expected result, -1 (loss) to 1 (win)
    pub q: f32,
    /// draw probability, 0 to 1; 0 without [`has_wdl`](crate::Attributes::has_wdl)
    pub d: f32,
    /// plies left, at least 0; 0 without [`has_moves_left`](crate::Attributes::has_moves_left)
    pub m: f32,
    /// for backends with [`has_score`](crate::Attributes::has_score): the value in the network's units, from
    /// which `q` is computed
    pub score: Option<i32>,
    /// probability of each move in the order of the sample; empty if it was not requested, or the backend has
    /// none
    pub policy: P,
}

impl<P: AsRef<[f32]>> Answer<P> {
    /// The answer with an owned policy.
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

    /// The answer with a borrowed policy.
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

/// The answers of a computation, one per slot.
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
    /// No answers yet, for a backend with this digest.
    pub const fn new(digest: u128) -> Self {
        Self {
            digest,
            values: Vec::new(),
            policy: Vec::new(),
            ends: Vec::new(),
        }
    }

    /// Digest of the backend: see [`Backend::digest`](crate::Backend::digest).
    pub const fn digest(&self) -> u128 {
        self.digest
    }

    /// Number of answers.
    pub const fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no answers.
    pub const fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Appends the answer for the next slot.
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
    /// If there is no such slot; this applies to all accessors here.
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

    /// All answers, in slot order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Answer<&[f32]>> {
        (0..self.len()).map(|slot| self.get(slot))
    }

    /// Expected result, -1 to 1.
    pub fn q(&self, slot: usize) -> f32 {
        self.values[slot].q
    }

    /// Draw probability, 0 to 1.
    pub fn d(&self, slot: usize) -> f32 {
        self.values[slot].d
    }

    /// Plies left.
    pub fn m(&self, slot: usize) -> f32 {
        self.values[slot].m
    }

    /// Probability of a move, by its index in the sample; 0 if no policy was requested.
    pub fn p(&self, slot: usize, index: usize) -> f32 {
        self.policy(slot).get(index).copied().unwrap_or(0.0)
    }

    /// Probabilities of all moves.
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
