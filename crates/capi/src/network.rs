//! Type-erased networks and stacks, the handles of C.

use std::mem::MaybeUninit;
use std::sync::Arc;

use nnue::Evaluation;
use nnue::spec::RawOutput;

use crate::c::{self, Change, Position};
use crate::executor::{Executor, Follows, Numbers};
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
    /// The names of its outputs besides the value.
    fn outputs(&self) -> Vec<&'static str>;
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
    /// The numbers of a named output.
    fn output(&mut self, position: &Position, name: &str) -> Result<Numbers, Failure>;
    /// [`evaluate_children`](nnue::Network::evaluate_children): one evaluation per change. An error if a number of a change is out of
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

impl<E: Executor> AnyNetwork for E {
    fn level(&self) -> &'static str {
        Executor::level(self)
    }

    fn evaluate_fresh(&self, position: &Position) -> Evaluation {
        Executor::evaluate_fresh(self, position)
    }

    fn real_fresh(&self, position: &Position) -> f64 {
        Executor::real_fresh(self, position)
    }

    fn outputs(&self) -> Vec<&'static str> {
        Executor::outputs(self)
    }

    fn stack(self: Arc<Self>) -> Box<dyn AnyStack> {
        Box::new(StackOf {
            network: self,
            stack: E::Stack::default(),
            changes: Vec::new(),
            children: Vec::new(),
        })
    }

    fn table(self: Arc<Self>) -> Box<dyn AnyTable> {
        Box::new(TableOf {
            network: self,
            table: E::Table::default(),
        })
    }

    fn batch(self: Arc<Self>, threads: usize) -> Box<dyn AnyBatch> {
        let batches = (0..threads).map(|_| E::Batch::default()).collect();
        Box::new(BatchOf {
            network: self,
            batches,
            values: Vec::new(),
        })
    }
}

struct StackOf<E: Executor> {
    network: Arc<E>,
    stack: E::Stack,
    /// those of the last children; kept to reuse the memory
    changes: Vec<nnue::Change>,
    /// the last children; kept to reuse the memory
    children: Vec<Evaluation>,
}

impl<E: Executor> AnyStack for StackOf<E> {
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
        let evaluation = self.network.evaluate(position, &mut self.stack);
        place.write(evaluation.into());
    }

    fn real(&mut self, position: &Position) -> f64 {
        self.network.real(position, &mut self.stack)
    }

    fn wdl(&mut self, position: &Position) -> Option<[f32; 3]> {
        match self.network.raw(position, &mut self.stack) {
            RawOutput::Wdl(wdl) => Some(wdl.probabilities()),
            _ => None,
        }
    }

    fn output(&mut self, position: &Position, name: &str) -> Result<Numbers, Failure> {
        self.network.output(position, &mut self.stack, name)
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
        let (changes, children) = (&self.changes, &mut self.children);
        self.network
            .children(position, changes, &mut self.stack, children);
        Ok(&self.children)
    }
}

struct TableOf<E: Executor> {
    network: Arc<E>,
    table: E::Table,
}

impl<E: Executor> AnyTable for TableOf<E> {
    fn evaluate(&mut self, position: &Position, place: &mut MaybeUninit<c::Evaluation>) {
        place.write(self.network.evaluate_at(position, &mut self.table).into());
    }

    fn clear(&mut self) {
        E::clear(&mut self.table);
    }
}

struct BatchOf<E: Executor> {
    network: Arc<E>,
    /// one per thread
    batches: Vec<E::Batch>,
    values: Vec<Evaluation>,
}

impl<E: Executor> AnyBatch for BatchOf<E> {
    fn evaluate(&mut self, positions: &[Position]) -> &[Evaluation] {
        self.values.resize(positions.len(), Evaluation::default());
        self.network
            .on_threads(positions, &mut self.values, &mut self.batches);
        &self.values
    }
}
