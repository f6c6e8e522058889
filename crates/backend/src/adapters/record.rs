//! `record`: records the answers of a backend.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::common::passed_on;
use super::recording::{self, Head, Question};
use crate::answers::{Answer, Answers};
use crate::backend::{Added, Backend, Computation};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::options::{Opt, Text};
use crate::registry::{Entry, Shared};

const FILE: Text = Text {
    name: "file",
    about: "the file that is written; there must be none of this name yet",
};

/// Records the answers of the backend inside: each is written to a file before it is returned.
/// [`Replay`](super::Replay) replays them without the backend.
pub struct Record<G: Game> {
    name: String,
    parent: Shared<G>,
    file: Arc<Mutex<BufWriter<File>>>,
}

impl<G: Game> Record<G> {
    /// Records the answers of `parent` in a new file.
    ///
    /// # Errors
    ///
    /// If the file exists, or cannot be created.
    pub fn new(name: &str, parent: Arc<dyn Backend<G>>, path: &Path) -> Result<Self, Error> {
        let head = Head {
            digest: parent.digest(),
            attributes: parent.attributes(),
        };
        let begin = || {
            let mut file = BufWriter::new(File::create_new(path)?);
            recording::write_head(&head, &mut file)?;
            file.flush()?;
            Ok(file)
        };
        let told =
            |error: std::io::Error| Error::failed(name, format!("{}: {error}", path.display()));
        let file = Arc::new(Mutex::new(begin().map_err(told)?));
        Ok(Self {
            name: name.to_owned(),
            parent,
            file,
        })
    }
}

impl<G: Game> Backend<G> for Record<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        Box::new(Recorded {
            name: self.name.clone(),
            parent: self.parent.computation(),
            history: self.parent.attributes().history,
            questions: Mutex::default(),
            file: Arc::clone(&self.file),
        })
    }

    // not `cached`, whose answers would not be recorded; not `set`, because the file has one digest
    passed_on!(parent: attributes, digest, key, report);
}

/// A batch whose answers will be recorded.
struct Recorded<G: Game> {
    name: String,
    parent: Box<dyn Computation<G>>,
    history: usize,
    /// keys by slot
    questions: Mutex<Vec<(usize, Question)>>,
    file: Arc<Mutex<BufWriter<File>>>,
}

impl<G: Game> Computation<G> for Recorded<G> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        let added = self.parent.add(sample, wanted)?;
        let key = sample.digest(self.history);
        self.questions
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((added.slot, Question { key, wanted }));
        Ok(added)
    }

    fn used_batch_size(&self) -> usize {
        self.parent.used_batch_size()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let Self {
            name,
            parent,
            questions,
            file,
            ..
        } = *self;
        let answers = parent.compute()?;
        let mut questions = questions
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        questions.sort_by_key(|(slot, _)| *slot);
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let write = || {
            for (slot, question) in questions {
                let answer: Answer<&[f32]> = answers.get(slot);
                recording::write_answer(question, &answer, &mut *file)?;
            }
            file.flush()
        };
        write().map_err(|error: std::io::Error| Error::failed(&name, error))?;
        Ok(answers)
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    let about = "writes down what a backend says, for `replay`";
    Entry::new("record", -999, about, vec![FILE.help()], |builder| {
        let file = builder.require(&FILE)?;
        Ok(Arc::new(Record::new(
            builder.path(),
            builder.parent()?,
            Path::new(&file),
        )?))
    })
}
