//! A declared network with a policy.

use std::marker::PhantomData;
use std::sync::Arc;

use nnue_runtime::game::Reads;
use nnue_runtime::{Batch, Evaluation, Heads, Model, Network, Policy, softmax};

use super::board::ReadBy;
use super::evaluator::{WORTH, key_of};
use super::identity::{Described, identity};
use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::digest::{digest_of, halves};
use crate::error::Error;
use crate::evaluator::Evaluator;
use crate::game::{Sample, Wanted};
use crate::workers::Workers;

/// How the outputs of a network become answers: a type of the program, which knows what its network was trained to say.
pub trait Outlook<G: ReadBy<A>, A: Policy>: Send + Sync + 'static {
    /// The outputs beside value and policy that it reads, types that `nnue!` makes; `()` for none.
    type Heads: Heads<A> + Send;

    /// What the answers have.
    fn attributes(&self) -> Attributes {
        Attributes {
            has_policy: true,
            has_score: true,
            ..Attributes::VALUE
        }
    }

    /// Expected result, share of draws, plies that are left.
    fn answer(&self, evaluation: &Evaluation, heads: &Self::Heads) -> [f32; 3];

    /// The row of a legal move, below [`Policy::ROWS`]; `None` if there is none, which is an error of the sample.
    fn row(&self, position: &G::Position, mv: &G::Move) -> Option<usize>;

    /// The temperature of the policy: above 1 it is less sure of itself.
    fn temperature(&self) -> f32 {
        1.0
    }
}

/// A declared network that says a value and a policy, and what else its outputs say. Of the policy, the rows of the legal moves alone are computed.
pub struct NnuePolicy<G, A: Model, O> {
    network: Arc<Network<A>>,
    identity: u128,
    outlook: O,
    workers: Workers<Batch<A>>,
    game: PhantomData<fn(G)>,
}

impl<G: ReadBy<A>, A: Policy, O: Outlook<G, A>> NnuePolicy<G, A, O> {
    /// A network on so many threads, 0 for one on each core.
    pub fn new(network: Arc<Network<A>>, threads: usize, outlook: O) -> Self {
        let identity = identity(Described::description(&*network), &network.weights());
        Self {
            network,
            identity,
            outlook,
            workers: Workers::new(threads, WORTH, Batch::new),
            game: PhantomData,
        }
    }

    /// The answers to a part of a batch.
    fn part(&self, inputs: &[Input<G::Board>], batch: &mut Batch<A>) -> Vec<Answer>
    where
        A::Game: Reads<A, G::Board>,
    {
        let boards: Vec<G::Board> = inputs.iter().map(|input| input.board.clone()).collect();
        let (mut outputs, mut logits) = (Vec::new(), Vec::new());
        self.network.policy_batch::<O::Heads, _, _>(
            &boards,
            inputs,
            &mut outputs,
            &mut logits,
            batch,
        );
        let mut rest = logits.as_slice();
        let answer = |(input, (evaluation, heads)): (&Input<G::Board>, &(Evaluation, O::Heads))| {
            let (own, others) = rest.split_at(input.rows.len());
            rest = others;
            let mut policy = own.to_vec();
            softmax(&mut policy, self.outlook.temperature());
            let [q, d, m] = self.outlook.answer(evaluation, heads);
            Answer {
                q,
                d,
                m,
                score: Some(evaluation.value),
                policy,
            }
        };
        inputs.iter().zip(&outputs).map(answer).collect()
    }
}

/// What the network reads of a sample, and the rows of its moves.
pub struct Input<B> {
    board: B,
    rows: Vec<usize>,
}

impl<B> AsRef<[usize]> for Input<B> {
    fn as_ref(&self) -> &[usize] {
        &self.rows
    }
}

impl<G: ReadBy<A>, A: Policy, O: Outlook<G, A>> Evaluator<G> for NnuePolicy<G, A, O>
where
    A::Game: Reads<A, G::Board>,
{
    type Input = Input<G::Board>;

    fn attributes(&self) -> Attributes {
        self.outlook.attributes()
    }

    fn digest(&self) -> u128 {
        let [low, high] = halves(self.identity);
        digest_of(
            "nnue policy",
            &[low, high, self.outlook.temperature().to_bits().into()],
        )
    }

    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        key_of::<G, A>(sample, sample.moves)
    }

    fn read(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Self::Input, Error> {
        let position = &sample.history[sample.history.len() - 1];
        let moves = if wanted.policy { sample.moves } else { &[] };
        let row = |mv| self.outlook.row(position, mv).filter(|&row| row < A::ROWS);
        let rows = moves.iter().map(row).collect::<Option<Vec<usize>>>();
        let what = || "a move has no row in the policy".to_owned();
        let rows = rows.ok_or_else(|| Error::Sample {
            backend: A::SPEC.name.into(),
            what: what(),
        })?;
        Ok(Input {
            board: G::board(position),
            rows,
        })
    }

    fn evaluate(&self, inputs: &[Self::Input], answers: &mut Answers) -> Result<(), Error> {
        let parts = self
            .workers
            .spread(inputs, |inputs, batch| self.part(inputs, batch));
        parts.iter().for_each(|answer| answers.push(answer));
        Ok(())
    }
}
