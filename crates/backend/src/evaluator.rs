//! A simple interface to write a backend.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use crate::answers::Answers;
use crate::backend::{Added, Attributes, Backend, Computation};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};

/// Evaluates batches of positions. [`Batched`] makes a [`Backend`] of it: encoding runs in the threads that
/// add samples, and one of them evaluates the encoded batch.
///
/// An evaluator is immutable: [`with`](Self::with) makes another one for the batches that begin from then on.
pub trait Evaluator<G: Game>: Sized + Send + Sync + 'static {
    /// An encoded sample.
    type Input: Send + Sync + 'static;

    /// See [`Backend::attributes`].
    fn attributes(&self) -> Attributes;

    /// See [`Backend::digest`].
    fn digest(&self) -> u128;

    /// Encodes a sample, which has at least one position.
    ///
    /// # Errors
    ///
    /// If the sample cannot be evaluated.
    fn read(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Self::Input, Error>;

    /// Evaluates encoded samples, and pushes an answer for each input, in order.
    ///
    /// # Errors
    ///
    /// If the evaluation fails.
    fn evaluate(&self, inputs: &[Self::Input], answers: &mut Answers) -> Result<(), Error>;

    /// See [`Backend::key`].
    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        sample.digest(self.attributes().history)
    }

    /// A copy with another value of an option; `None` if there is no such option, or it cannot change at run
    /// time.
    ///
    /// # Errors
    ///
    /// See [`Backend::set`].
    fn with(&self, option: &str, value: &str) -> Result<Option<Self>, Error> {
        let _ = (option, value);
        Ok(None)
    }
}

/// A backend made of an [`Evaluator`].
#[derive(Debug)]
pub struct Batched<E> {
    name: Arc<str>,
    evaluator: RwLock<Arc<E>>,
}

impl<E> Batched<E> {
    /// A backend with a name for messages.
    pub fn new(name: &str, evaluator: E) -> Self {
        Self {
            name: name.into(),
            evaluator: RwLock::new(Arc::new(evaluator)),
        }
    }

    /// The evaluator for new batches.
    pub fn current(&self) -> Arc<E> {
        Arc::clone(
            &self
                .evaluator
                .read()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

impl<G: Game, E: Evaluator<G>> Backend<G> for Batched<E> {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Attributes {
        self.current().attributes()
    }

    fn digest(&self) -> u128 {
        self.current().digest()
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        let evaluator = self.current();
        let maximum = evaluator.attributes().maximum_batch;
        Box::new(Inputs {
            name: Arc::clone(&self.name),
            evaluator,
            maximum,
            inputs: Mutex::new(Vec::new()),
        })
    }

    fn key(&self, sample: &Sample<'_, G>) -> u128 {
        self.current().key(sample)
    }

    fn set(&self, option: &str, value: &str) -> Result<bool, Error> {
        // one change at a time, otherwise one of two could be lost
        let mut current = self
            .evaluator
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let changed = current.with(option, value)?;
        Ok(changed
            .map(|evaluator| *current = Arc::new(evaluator))
            .is_some())
    }
}

struct Inputs<E, I> {
    name: Arc<str>,
    evaluator: Arc<E>,
    maximum: usize,
    inputs: Mutex<Vec<I>>,
}

impl<G: Game, E: Evaluator<G>> Computation<G> for Inputs<E, E::Input> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        let backend = || self.name.to_string();
        if sample.history.is_empty() {
            return Err(Error::Sample {
                backend: backend(),
                what: "the history has no position".into(),
            });
        }
        let input = self.evaluator.read(sample, wanted)?;
        let mut inputs = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        if inputs.len() >= self.maximum {
            return Err(Error::Full {
                backend: backend(),
                maximum: self.maximum,
            });
        }
        inputs.push(input);
        Ok(Added::queued(inputs.len() - 1))
    }

    fn used_batch_size(&self) -> usize {
        self.inputs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let inputs = self
            .inputs
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        let mut answers = Answers::new(self.evaluator.digest());
        self.evaluator.evaluate(&inputs, &mut answers)?;
        if answers.len() != inputs.len() {
            let what = format!("{} answers to {} positions", answers.len(), inputs.len());
            return Err(Error::failed(&self.name, what));
        }
        Ok(answers)
    }
}
