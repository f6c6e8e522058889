//! A network declared at run time, evaluated by the kernels that compiled networks use.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Read;

use nnue::dynamic::{Accumulators, Batch, Network, OpenError, Stack as Plies};
use nnue::{AvailableLevel, Change, Evaluation, LoadError};
use nnue_format::Header;
use nnue_spec::{HeadKind, NetDesc, RawOutput, TensorRef};

use super::declared::inner_column;
use super::{Accumulated, AnyNetwork, Batches, Evaluator, Inner, Line, Stack, Verdict, Verdicts};
use crate::bench::FeatureRows;
use crate::input::Placement;

/// A network, and the extra column of its verdicts.
pub(crate) struct Described {
    network: Network,
    inner: Option<&'static str>,
}

impl Described {
    pub(crate) fn new(network: Network) -> Self {
        let inner = inner_column(network.spec());
        Self { network, inner }
    }

    /// The same without an inner number, as for compiled networks.
    pub(crate) fn without_inner(self) -> Self {
        Self {
            inner: None,
            ..self
        }
    }

    /// Reads the file of a network without custom code.
    pub(crate) fn read(
        spec: &'static NetDesc<'static>,
        source: impl Read,
    ) -> Result<Self, LoadError> {
        match Network::read(spec, source) {
            Ok(network) => Ok(Self::new(network)),
            Err(OpenError::Load(error)) => Err(error),
            Err(other) => panic!("`{}` was opened before: {other}", spec.name),
        }
    }

    /// The verdict of a layer stack. The inner number comes from `Network::intermediate`.
    fn verdict(
        &self,
        accumulators: &Accumulators,
        stack: usize,
        evaluation: Evaluation,
    ) -> Verdict {
        if self.inner.is_none() {
            return evaluation.into();
        }
        let layers = self.network.intermediate(accumulators, stack);
        let inner = match (layers.output(self.network.spec()), layers.direct) {
            (RawOutput::Float(output), _) => Inner::Float(output),
            (_, Some(sum)) => Inner::Sum(sum),
            (_, None) => Inner::Hidden,
        };
        Verdict { evaluation, inner }
    }

    /// The verdict on a position; `stack` has its accumulators.
    fn judge(&self, position: &Placement, stack: &mut Plies) -> Verdict {
        let evaluation = self.network.evaluate(position, stack);
        match self.inner {
            None => evaluation.into(),
            Some(_) => self.verdict(
                &self.network.accumulate(position),
                evaluation.bucket,
                evaluation,
            ),
        }
    }
}

impl Evaluator for Described {
    fn spec(&self) -> &'static NetDesc<'static> {
        self.network.spec()
    }

    fn header(&self) -> &Header {
        self.network.header()
    }

    fn tensors(&self) -> Vec<TensorRef<'_>> {
        self.network.tensors()
    }

    fn evaluated_by(&self) -> String {
        self.network.level().to_string()
    }

    fn inner_column(&self) -> Option<&'static str> {
        self.inner
    }

    fn evaluate(&self, position: &Placement) -> Verdict {
        self.trace(position).used()
    }

    fn trace(&self, position: &Placement) -> Verdicts {
        let (trace, accumulators) = (
            self.network.trace(position),
            self.network.accumulate(position),
        );
        let buckets = trace.buckets.iter().enumerate();
        let buckets =
            buckets.map(|(stack, evaluation)| self.verdict(&accumulators, stack, *evaluation));
        Verdicts {
            bucket: trace.bucket,
            buckets: buckets.collect(),
        }
    }

    fn outputs(&self, position: &Placement) -> Vec<(&'static str, Vec<f32>)> {
        let (_, outputs) = self.network.evaluate_with(position, &mut Plies::new());
        // Rows stand for moves, which the command does not number.
        let heads = self
            .network
            .spec()
            .heads
            .iter()
            .zip(outputs)
            .filter(|(head, _)| head.kind != HeadKind::Rows);
        heads.map(|(_, output)| output).collect()
    }

    fn line(&self) -> Box<dyn Line + '_> {
        Box::new(Followed {
            described: self,
            stack: Plies::new(),
            children: Vec::new(),
        })
    }
}

impl AnyNetwork for Described {
    fn level(&self) -> AvailableLevel {
        self.network.level()
    }

    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork> {
        Box::new(Self {
            network: self.network.with_level(level),
            ..*self
        })
    }

    fn stack(&self) -> Box<dyn Stack + '_> {
        Box::new(Followed {
            described: self,
            stack: Plies::new(),
            children: Vec::new(),
        })
    }

    fn batches(&self, threads: usize) -> Box<dyn Batches + '_> {
        Box::new(Together {
            network: &self.network,
            batches: (0..threads).map(|_| Batch::new()).collect(),
        })
    }

    fn accumulate(
        &self,
        positions: &mut dyn Iterator<Item = &Placement>,
    ) -> Box<dyn Accumulated + '_> {
        let accumulators = positions
            .map(|position| self.network.accumulate(position))
            .collect();
        Box::new(Ready {
            network: &self.network,
            accumulators,
            stack: RefCell::default(),
        })
    }

    fn rows(&self) -> &dyn FeatureRows {
        &self.network
    }

    #[cfg(feature = "backends")]
    fn into_backend(self: Box<Self>, name: &str, threads: usize, scale: f32) -> super::Shared {
        let network = std::sync::Arc::new(self.network);
        let nnue = nnue_backend::nnue::NnueAtRunTime::new(network, threads, scale);
        std::sync::Arc::new(nnue_backend::Batched::new(name, nnue))
    }

    #[cfg(feature = "backends")]
    fn into_reference(
        self: Box<Self>,
        name: &str,
        scale: f32,
    ) -> Result<super::Shared, nnue_backend::Error> {
        let reference =
            nnue_backend::nnue::Reference::new(std::sync::Arc::new(self.network), scale)?;
        Ok(std::sync::Arc::new(nnue_backend::Batched::new(
            name, reference,
        )))
    }
}

/// A network and the accumulators along a line of moves.
struct Followed<'a> {
    described: &'a Described,
    stack: Plies,
    children: Vec<Evaluation>,
}

impl Line for Followed<'_> {
    fn push(&mut self, change: Change) {
        self.stack.push(change);
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, position: &Placement) -> Verdict {
        self.described.judge(position, &mut self.stack)
    }
}

impl Stack for Followed<'_> {
    fn reset(&mut self) {
        self.stack.reset();
    }

    fn clear(&mut self) {
        self.stack.clear();
    }

    fn update(&mut self, position: &Placement) {
        self.described.network.update(position, &mut self.stack);
    }

    fn evaluate_children(&mut self, position: &Placement, changes: &[Change]) -> &[Evaluation] {
        self.described.network.evaluate_children(
            position,
            changes,
            &mut self.stack,
            &mut self.children,
        );
        &self.children
    }
}

/// A network and one batch buffer per thread.
struct Together<'a> {
    network: &'a Network,
    batches: Vec<Batch>,
}

impl Batches for Together<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        self.network
            .evaluate_on_threads(positions, values, &mut self.batches);
    }
}

struct Ready<'a> {
    network: &'a Network,
    accumulators: Vec<Accumulators>,
    /// scratch memory of the forward pass
    stack: RefCell<Plies>,
}

impl Accumulated for Ready<'_> {
    fn count(&self) -> usize {
        self.accumulators.len()
    }

    fn forward_all(&self) {
        let mut stack = self.stack.borrow_mut();
        for accumulators in &self.accumulators {
            black_box(self.network.forward(accumulators, &mut stack));
        }
    }
}
