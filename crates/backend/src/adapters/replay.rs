//! `replay`: replays recorded answers.

use std::collections::HashMap;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use nnue_data::files::regular;

use super::recording::{self, Head, Question};
use crate::answers::{Answer, Answers};
use crate::backend::Attributes;
use crate::cache::covers;
use crate::error::Error;
use crate::evaluator::{Batched, Evaluator};
use crate::game::{Game, Sample, Wanted};
use crate::options::{Opt, Text};
use crate::registry::Entry;

const FILE: Text = Text {
    name: "file",
    about: "a file that `record` has written",
};

/// Recorded answers, in any order of samples. A sample that was not recorded is an error.
pub struct Replay {
    name: String,
    head: Head,
    answers: HashMap<Question, Answer>,
}

impl Replay {
    /// Reads a file of [`Record`](super::Record). Of several answers to the same sample, the last one counts.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or has another format.
    pub fn open(name: &str, path: &Path) -> Result<Self, Error> {
        let told = |error: String| Error::failed(name, format!("{}: {error}", path.display()));
        let file = regular::read(path).map_err(|error| told(error.to_string()))?;
        let mut answers = HashMap::new();
        let head = recording::read(BufReader::new(file), |question, answer| {
            answers.insert(question, answer);
        });
        Ok(Self {
            name: name.to_owned(),
            head: head.map_err(told)?,
            answers,
        })
    }

    fn find(&self, key: u128, moves: usize, wanted: Wanted) -> Result<Answer, &'static str> {
        let recorded = |wanted| self.answers.get(&Question { key, wanted });
        let Some(answer) = every_wanted()
            .filter(|&has| covers(has, wanted))
            .find_map(recorded)
        else {
            return Err(match every_wanted().find_map(recorded) {
                None => "this position was not recorded",
                Some(_) => {
                    "this position was recorded without all that is wanted now: policy, draws, moves left"
                }
            });
        };
        let mut answer = answer.clone();
        if !wanted.policy || !self.head.attributes.has_policy {
            answer.policy.clear();
        } else if answer.policy.len() != moves {
            return Err("this position was recorded without its policy");
        }
        Ok(answer)
    }
}

/// All combinations of outputs.
fn every_wanted() -> impl Iterator<Item = Wanted> {
    (0..8).map(|bits| Wanted {
        policy: bits & 1 != 0,
        draws: bits & 2 != 0,
        moves_left: bits & 4 != 0,
    })
}

impl<G: Game> Evaluator<G> for Replay {
    type Input = Answer;

    fn attributes(&self) -> Attributes {
        self.head.attributes
    }

    fn digest(&self) -> u128 {
        self.head.digest
    }

    fn read(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Answer, Error> {
        let found = self.find(
            sample.digest(self.head.attributes.history),
            sample.moves.len(),
            wanted,
        );
        found.map_err(|what| Error::Sample {
            backend: self.name.clone(),
            what: what.into(),
        })
    }

    fn evaluate(&self, inputs: &[Answer], answers: &mut Answers) -> Result<(), Error> {
        inputs.iter().for_each(|answer| answers.push(answer));
        Ok(())
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    Entry::new(
        "replay",
        -999,
        "says again what `record` has written",
        vec![FILE.help()],
        |builder| {
            let file = builder.require(&FILE)?;
            Ok(Arc::new(Batched::new(
                builder.path(),
                Replay::open(builder.path(), Path::new(&file))?,
            )))
        },
    )
}
