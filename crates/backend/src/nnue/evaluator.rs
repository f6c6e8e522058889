//! `nnue`: the value of a declared network.

use std::sync::Arc;

use nnue_runtime::game::Reads;
use nnue_runtime::{Batch, Evaluation, Model, Network};

use super::board::ReadBy;
use super::identity::{Described, digest_of_values, identity};
use super::scale::SCALE;
use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::digest::Digest;
use crate::error::Error;
use crate::evaluator::{Batched, Evaluator};
use crate::game::{Sample, Wanted};
use crate::options::Opt;
use crate::registry::Entry;
use crate::value::expected_score;
use crate::workers::{THREADS, Workers};

/// Batch size up to which the network sorts positions itself.
const TOGETHER: usize = 256;
/// Number of positions per additional thread.
pub(super) const WORTH: usize = 64;

/// A declared network with a value, for chess or a custom game. Batches are sorted so that neighbours share
/// rows, and split over threads. `score` is the value of the network, `q` its expected result.
pub struct Nnue<A: Model> {
    network: Arc<Network<A>>,
    identity: u128,
    scale: f32,
    workers: Arc<Workers<Batch<A>>>,
}

impl<A: Model> Nnue<A> {
    /// A network on a number of threads, 0 for one per core. `scale` is the value with an expected score of
    /// 73 %: see [`expected_score`](crate::expected_score).
    pub fn new(network: Arc<Network<A>>, threads: usize, scale: f32) -> Self {
        let identity = identity(Described::description(&*network), &network.weights());
        Self {
            network,
            identity,
            scale,
            workers: Arc::new(Workers::new(threads, WORTH, Batch::new)),
        }
    }

    /// Evaluates boards, sorted by likeness if the network would not sort so many itself.
    fn values<G: ReadBy<A>>(&self, boards: &[G::Board]) -> Vec<Evaluation>
    where
        A::Game: Reads<A, G::Board>,
    {
        by_likeness(boards, G::likeness, |boards, values| {
            self.workers.with(boards.len(), |batches| {
                self.network.evaluate_on_threads(boards, values, batches)
            });
        })
    }
}

/// Evaluates boards, sorted by likeness if the network would not sort so many itself.
pub(super) fn by_likeness<B: Clone>(
    boards: &[B],
    likeness: impl Fn(&B) -> u64,
    evaluate: impl Fn(&[B], &mut [Evaluation]),
) -> Vec<Evaluation> {
    let mut values = vec![Evaluation::default(); boards.len()];
    if boards.len() <= TOGETHER {
        evaluate(boards, &mut values);
        return values;
    }
    let mut order: Vec<(u64, usize)> = boards.iter().map(likeness).zip(0..).collect();
    order.sort_unstable();
    let sorted: Vec<B> = order
        .iter()
        .map(|&(_, index)| boards[index].clone())
        .collect();
    let mut sorted_values = values.clone();
    evaluate(&sorted, &mut sorted_values);
    order
        .iter()
        .zip(sorted_values)
        .for_each(|(&(_, index), value)| values[index] = value);
    values
}

/// The answer for a value of a network.
pub(super) fn answer(value: i32, scale: f32) -> Answer<[f32; 0]> {
    Answer {
        q: expected_score(value, scale),
        d: 0.0,
        m: 0.0,
        score: Some(value),
        policy: [],
    }
}

/// The scale from an option; `None` for another option.
pub(super) fn scale_of(option: &str, value: &str) -> Result<Option<f32>, Error> {
    if option != SCALE.name {
        return Ok(None);
    }
    let wrong = || Error::Setting {
        option: option.into(),
        found: value.into(),
        expected: SCALE.expected(),
    };
    Ok(Some(SCALE.read(value).ok_or_else(wrong)? as f32))
}

/// Digest of the board as the network reads it, and of the moves if it has a policy.
pub(super) fn key_of<G: ReadBy<A>, A: Model>(sample: &Sample<'_, G>, moves: &[G::Move]) -> u128 {
    let mut digest = Digest::new();
    if let Some(position) = sample.position() {
        G::board_words(&G::board(position), |word| digest.word(word));
    }
    moves.iter().for_each(|mv| digest.word(G::move_word(mv)));
    digest.finish()
}

impl<G: ReadBy<A>, A: Model> Evaluator<G> for Nnue<A>
where
    A::Game: Reads<A, G::Board>,
{
    type Input = G::Board;

    fn attributes(&self) -> Attributes {
        Attributes {
            has_score: true,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        digest_of_values(self.identity, self.scale)
    }

    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        key_of::<G, A>(sample, &[])
    }

    fn read(&self, sample: &Sample<'_, G>, _: Wanted) -> Result<G::Board, Error> {
        Ok(G::board(&sample.history[sample.history.len() - 1]))
    }

    fn evaluate(&self, boards: &[G::Board], answers: &mut Answers) -> Result<(), Error> {
        for Evaluation { value, .. } in self.values::<G>(boards) {
            answers.push(&answer(value, self.scale));
        }
        Ok(())
    }

    fn with(&self, option: &str, value: &str) -> Result<Option<Self>, Error> {
        let Some(scale) = scale_of(option, value)? else {
            return Ok(None);
        };
        let (network, workers) = (Arc::clone(&self.network), Arc::clone(&self.workers));
        Ok(Some(Self {
            network,
            identity: self.identity,
            scale,
            workers,
        }))
    }
}

/// The backend kind `nnue` for this network. It becomes the default.
pub fn entry<G: ReadBy<A>, A: Model>(network: Arc<Network<A>>) -> Entry<G>
where
    A::Game: Reads<A, G::Board>,
{
    let about = "the declared network of this program";
    Entry::new(
        "nnue",
        100,
        about,
        vec![THREADS.help(), SCALE.help()],
        move |builder| {
            let (threads, scale) = (builder.get(&THREADS)? as usize, builder.get(&SCALE)? as f32);
            Ok(Arc::new(Batched::new(
                builder.path(),
                Nnue::new(Arc::clone(&network), threads, scale),
            )))
        },
    )
}
