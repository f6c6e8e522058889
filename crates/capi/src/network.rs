//! Type-erased networks and stacks, the handles of C.

use std::mem::MaybeUninit;
use std::sync::Arc;

use nnue::{AccumulatorStack, AccumulatorTable, Architecture, Batch, Evaluation, Network};

use crate::c::{self, Change, Position};
use crate::failure::{Failure, Status};

/// A loaded network.
pub(crate) trait AnyNetwork: Send + Sync {
    /// The name of its instruction level.
    fn level(&self) -> &'static str;
    fn evaluate_fresh(&self, position: &Position) -> Evaluation;
    /// The value before it is rounded.
    fn real_fresh(&self, position: &Position) -> f64;
    fn stack(self: Arc<Self>) -> Box<dyn AnyStack>;
    fn table(self: Arc<Self>) -> Box<dyn AnyTable>;
    /// A batch evaluator with this number of threads.
    fn batch(self: Arc<Self>, threads: usize) -> Box<dyn AnyBatch>;
}

/// The accumulators of a search, with their network. Implementations read and write the structures of C
/// directly: a copy would be stored in small pieces and then loaded in larger ones, which waits for the
/// stores (store forwarding).
pub(crate) trait AnyStack: Send {
    /// An error if a number of the change is out of range.
    fn push(&mut self, change: &Change) -> Result<(), Failure>;
    fn push_null(&mut self);
    /// An error if nothing was pushed.
    fn pop(&mut self) -> Result<(), Failure>;
    /// An error if fewer moves than `depth` were pushed.
    fn truncate(&mut self, depth: usize) -> Result<(), Failure>;
    fn depth(&self) -> usize;
    fn reset(&mut self);
    /// An independent stack with the same line and refresh table.
    fn copy(&self) -> Box<dyn AnyStack>;
    fn evaluate(&mut self, position: &Position, place: &mut MaybeUninit<c::Evaluation>);
    /// The value before it is rounded.
    fn real(&mut self, position: &Position) -> f64;
    /// The probabilities of loss, draw and win, if the network has them.
    fn wdl(&mut self, position: &Position) -> Option<[f32; 3]>;
    /// [`Network::evaluate_children`]: one evaluation per change. An error if a number of a change is out of
    /// range.
    fn children(
        &mut self,
        position: &Position,
        changes: &[Change],
    ) -> Result<&[Evaluation], Failure>;
}

/// The last accumulators of positions that come without moves, with their network.
pub(crate) trait AnyTable: Send {
    fn evaluate(&mut self, position: &Position, place: &mut MaybeUninit<c::Evaluation>);
    fn clear(&mut self);
}

/// A batch evaluator, with its network.
pub(crate) trait AnyBatch: Send {
    /// One evaluation per position.
    fn evaluate(&mut self, positions: &[Position]) -> &[Evaluation];
}

impl<A: Architecture> AnyNetwork for Network<A> {
    fn level(&self) -> &'static str {
        Network::level(self).level().name()
    }

    fn evaluate_fresh(&self, position: &Position) -> Evaluation {
        Network::evaluate_fresh(self, position)
    }

    fn real_fresh(&self, position: &Position) -> f64 {
        self.evaluate_fresh_real(position).real
    }

    fn stack(self: Arc<Self>) -> Box<dyn AnyStack> {
        Box::new(StackOf {
            network: self,
            stack: AccumulatorStack::new(),
            changes: Vec::new(),
            children: Vec::new(),
        })
    }

    fn table(self: Arc<Self>) -> Box<dyn AnyTable> {
        Box::new(TableOf {
            network: self,
            table: AccumulatorTable::new(),
        })
    }

    fn batch(self: Arc<Self>, threads: usize) -> Box<dyn AnyBatch> {
        let batches = (0..threads).map(|_| Batch::new()).collect();
        Box::new(BatchOf {
            network: self,
            batches,
            values: Vec::new(),
        })
    }
}

struct StackOf<A: Architecture> {
    network: Arc<Network<A>>,
    stack: AccumulatorStack<A>,
    /// those of the last children; kept to reuse the memory
    changes: Vec<nnue::Change>,
    /// the last children; kept to reuse the memory
    children: Vec<Evaluation>,
}

impl<A: Architecture> AnyStack for StackOf<A> {
    fn push(&mut self, change: &Change) -> Result<(), Failure> {
        self.stack.push(change.read()?);
        Ok(())
    }

    fn push_null(&mut self) {
        self.stack.push_null();
    }

    fn pop(&mut self) -> Result<(), Failure> {
        if self.stack.depth() == 0 {
            return Err(Failure::new(
                Status::NothingToPop,
                "a move is taken back, and none was made",
            ));
        }
        self.stack.pop();
        Ok(())
    }

    fn truncate(&mut self, depth: usize) -> Result<(), Failure> {
        if self.stack.depth() < depth {
            let message = format!(
                "`depth` is {depth}, and {} moves were pushed",
                self.stack.depth()
            );
            return Err(Failure::new(Status::NothingToPop, message));
        }
        self.stack.truncate(depth);
        Ok(())
    }

    fn depth(&self) -> usize {
        self.stack.depth()
    }

    fn reset(&mut self) {
        self.stack.reset();
    }

    fn copy(&self) -> Box<dyn AnyStack> {
        Box::new(Self {
            network: self.network.clone(),
            stack: self.stack.clone(),
            changes: Vec::new(),
            children: Vec::new(),
        })
    }

    fn evaluate(&mut self, position: &Position, place: &mut MaybeUninit<c::Evaluation>) {
        place.write(self.network.evaluate(position, &mut self.stack).into());
    }

    fn real(&mut self, position: &Position) -> f64 {
        self.network.evaluate_real(position, &mut self.stack).real
    }

    fn wdl(&mut self, position: &Position) -> Option<[f32; 3]> {
        match nnue::Output::raw(self.network.output(position, &mut self.stack)) {
            nnue::spec::RawOutput::Wdl(wdl) => Some(wdl.probabilities()),
            _ => None,
        }
    }

    fn children(
        &mut self,
        position: &Position,
        changes: &[Change],
    ) -> Result<&[Evaluation], Failure> {
        self.changes.clear();
        for change in changes {
            self.changes.push(change.read()?);
        }
        self.network.evaluate_children(
            position,
            &self.changes,
            &mut self.stack,
            &mut self.children,
        );
        Ok(&self.children)
    }
}

struct TableOf<A: Architecture> {
    network: Arc<Network<A>>,
    table: AccumulatorTable<A>,
}

impl<A: Architecture> AnyTable for TableOf<A> {
    fn evaluate(&mut self, position: &Position, place: &mut MaybeUninit<c::Evaluation>) {
        place.write(self.network.evaluate_at(position, &mut self.table).into());
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

struct BatchOf<A: Architecture> {
    network: Arc<Network<A>>,
    /// one per thread
    batches: Vec<Batch<A>>,
    values: Vec<Evaluation>,
}

impl<A: Architecture> AnyBatch for BatchOf<A> {
    fn evaluate(&mut self, positions: &[Position]) -> &[Evaluation] {
        self.values.resize(positions.len(), Evaluation::default());
        self.network
            .evaluate_on_threads(positions, &mut self.values, &mut self.batches);
        &self.values
    }
}
