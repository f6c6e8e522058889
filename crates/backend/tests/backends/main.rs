//! Backends and adapters, as programs use them: what they answer, what they refuse, and many threads at once.

mod adapters;
#[path = "../common/mod.rs"]
mod common;
mod errors;
mod example;
#[path = "../common/flips.rs"]
mod flips;
mod identity;
mod record;
mod stress;

use std::sync::Arc;

use nnue_backend::{Answer, Answers, Batched};
use nnue_backend::{Attributes, Backends, Chess, Entry, Error, Evaluator, Sample, Wanted};

use crate::common::{Game, answers, create};

/// Values that are wrong in ways that a test chooses.
struct Odd(fn(usize) -> Result<Answer, Error>);

impl Evaluator<Chess> for Odd {
    type Input = ();

    fn attributes(&self) -> Attributes {
        Attributes {
            maximum_batch: 50,
            ..Attributes::VALUE
        }
    }

    fn digest(&self) -> u128 {
        1
    }

    fn read(&self, _: &Sample<'_, Chess>, _: Wanted) -> Result<(), Error> {
        Ok(())
    }

    fn evaluate(&self, inputs: &[()], answers: &mut Answers) -> Result<(), Error> {
        for slot in 0..inputs.len() {
            answers.push(&self.0(slot)?);
        }
        Ok(())
    }
}

/// All backends, and one that is wrong.
fn with_odd(odd: fn(usize) -> Result<Answer, Error>) -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.add(Entry::new("odd", -1, "wrong", vec![], move |builder| {
        Ok(Arc::new(Batched::new(builder.path(), Odd(odd))))
    }));
    backends
}

const fn value(q: f32) -> Answer {
    Answer {
        q,
        d: 0.0,
        m: 0.0,
        score: None,
        policy: Vec::new(),
    }
}
