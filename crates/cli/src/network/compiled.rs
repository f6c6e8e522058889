//! Implements the traits of [`any`](super::any) for `Network<A>`.

use std::hint::black_box;
use std::marker::PhantomData;

use nnue::{
    AccumulatorStack, Accumulators, Architecture, AvailableLevel, Batch, Change, Evaluation,
    Network, Parameters,
};
use nnue_format::Header;
use nnue_spec::{NetDesc, TensorRef};

use super::{Accumulated, AnyNetwork, Batches, Evaluator, Line, Stack, Verdict, Verdicts};
use crate::bench::{FeatureRows, Sets};
use crate::input::Placement;

impl<A: Architecture> Evaluator for Network<A> {
    fn spec(&self) -> &'static NetDesc<'static> {
        const { &A::SPEC }
    }

    fn header(&self) -> &Header {
        self.header()
    }

    fn tensors(&self) -> Vec<TensorRef<'_>> {
        self.params().tensors()
    }

    fn evaluated_by(&self) -> String {
        self.level().to_string()
    }

    fn inner_column(&self) -> Option<&'static str> {
        None
    }

    fn evaluate(&self, position: &Placement) -> Verdict {
        self.evaluate_fresh(position).into()
    }

    fn trace(&self, position: &Placement) -> Verdicts {
        let trace = self.trace(position);
        Verdicts {
            bucket: trace.bucket,
            buckets: trace.buckets.into_iter().map(Verdict::from).collect(),
        }
    }

    fn line(&self) -> Box<dyn Line + '_> {
        Box::new(Followed {
            network: self,
            stack: AccumulatorStack::new(),
            children: Vec::new(),
        })
    }
}

impl<A: Architecture> AnyNetwork for Network<A> {
    fn level(&self) -> AvailableLevel {
        self.level()
    }

    fn with_level(self: Box<Self>, level: AvailableLevel) -> Box<dyn AnyNetwork> {
        Box::new((*self).with_level(level))
    }

    fn stack(&self) -> Box<dyn Stack + '_> {
        Box::new(Followed {
            network: self,
            stack: AccumulatorStack::new(),
            children: Vec::new(),
        })
    }

    fn batches(&self, threads: usize) -> Box<dyn Batches + '_> {
        Box::new(Together {
            network: self,
            batches: (0..threads).map(|_| Batch::new()).collect(),
        })
    }

    fn accumulate(
        &self,
        positions: &mut dyn Iterator<Item = &Placement>,
    ) -> Box<dyn Accumulated + '_> {
        let accumulators = positions
            .map(|position| self.accumulate(position))
            .collect();
        Box::new(Ready {
            network: self,
            accumulators,
        })
    }

    fn rows(&self) -> &dyn FeatureRows {
        const { &Sets::<A::Features, A::Pairs>(PhantomData) }
    }

    #[cfg(feature = "backends")]
    fn into_backend(self: Box<Self>, name: &str, threads: usize, scale: f32) -> super::Shared {
        let nnue = nnue_backend::nnue::Nnue::new(std::sync::Arc::from(self), threads, scale);
        std::sync::Arc::new(nnue_backend::Batched::new(name, nnue))
    }

    #[cfg(feature = "backends")]
    fn into_reference(
        self: Box<Self>,
        name: &str,
        scale: f32,
    ) -> Result<super::Shared, nnue_backend::Error> {
        let reference =
            nnue_backend::nnue::Reference::new(std::sync::Arc::<Self>::from(self), scale)?;
        Ok(std::sync::Arc::new(nnue_backend::Batched::new(
            name, reference,
        )))
    }
}

/// A network and the accumulators along a line of moves.
struct Followed<'a, A: Architecture> {
    network: &'a Network<A>,
    stack: AccumulatorStack<A>,
    children: Vec<Evaluation>,
}

impl<A: Architecture> Line for Followed<'_, A> {
    fn push(&mut self, change: Change) {
        self.stack.push(change);
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, position: &Placement) -> Verdict {
        self.network.evaluate(position, &mut self.stack).into()
    }
}

impl<A: Architecture> Stack for Followed<'_, A> {
    fn reset(&mut self) {
        self.stack.reset();
    }

    fn clear(&mut self) {
        self.stack.clear();
    }

    fn update(&mut self, position: &Placement) {
        self.network.update(position, &mut self.stack);
    }

    fn evaluate_children(&mut self, position: &Placement, changes: &[Change]) -> &[Evaluation] {
        self.network
            .evaluate_children(position, changes, &mut self.stack, &mut self.children);
        &self.children
    }
}

/// A network and one batch buffer per thread.
struct Together<'a, A: Architecture> {
    network: &'a Network<A>,
    batches: Vec<Batch<A>>,
}

impl<A: Architecture> Batches for Together<'_, A> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        self.network
            .evaluate_on_threads(positions, values, &mut self.batches);
    }
}

struct Ready<'a, A: Architecture> {
    network: &'a Network<A>,
    accumulators: Vec<Accumulators<A>>,
}

impl<A: Architecture> Accumulated for Ready<'_, A> {
    fn count(&self) -> usize {
        self.accumulators.len()
    }

    fn forward_all(&self) {
        for accumulators in &self.accumulators {
            black_box(self.network.forward(accumulators));
        }
    }
}
