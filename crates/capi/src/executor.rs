//! What evaluates a network: code that was compiled for its declaration, or the kernels with sizes as numbers.

use nnue::spec::RawOutput;
use nnue::{
    AccumulatorStack, AccumulatorTable, Architecture, Batch, Change, Evaluation, Network, Output,
};

use crate::c::Position;
use crate::failure::{Failure, Status};

/// The numbers of an output.
pub(crate) type Numbers = Vec<f32>;

/// A loaded network, and what it needs to evaluate.
pub(crate) trait Executor: Send + Sync + 'static {
    /// the accumulators of a search
    type Stack: Follows;
    /// the last accumulators of positions that come without moves
    type Table: Default + Send;
    /// the memory of one thread for many positions
    type Batch: Default + Send;

    /// The name of its instruction level.
    fn level(&self) -> &'static str;
    fn evaluate_fresh(&self, position: &Position) -> Evaluation;
    fn real_fresh(&self, position: &Position) -> f64;
    fn evaluate(&self, position: &Position, stack: &mut Self::Stack) -> Evaluation;
    fn real(&self, position: &Position, stack: &mut Self::Stack) -> f64;
    /// The output of the last layer.
    fn raw(&self, position: &Position, stack: &mut Self::Stack) -> RawOutput;
    /// The names of the outputs besides the value.
    fn outputs(&self) -> Vec<&'static str>;
    /// The numbers of a named output.
    fn output(
        &self,
        position: &Position,
        stack: &mut Self::Stack,
        name: &str,
    ) -> Result<Numbers, Failure>;
    fn children(
        &self,
        position: &Position,
        changes: &[Change],
        stack: &mut Self::Stack,
        children: &mut Vec<Evaluation>,
    );
    fn evaluate_at(&self, position: &Position, table: &mut Self::Table) -> Evaluation;
    /// Forgets the boards of a table.
    fn clear(table: &mut Self::Table);
    /// Evaluates on one thread for each of `batches`.
    fn on_threads(
        &self,
        positions: &[Position],
        values: &mut [Evaluation],
        batches: &mut [Self::Batch],
    );
}

/// A stack of accumulators, which follows moves.
pub(crate) trait Follows: Clone + Default + Send + 'static {
    fn push(&mut self, change: Change);
    fn push_null(&mut self);
    fn pop(&mut self);
    fn truncate(&mut self, depth: usize);
    fn depth(&self) -> usize;
    fn reset(&mut self);
}

macro_rules! follows {
    ($stack:ty $(, $($generics:tt)*)?) => {
        impl $(<$($generics)*>)? Follows for $stack {
            #[inline]
            fn push(&mut self, change: Change) {
                self.push(change);
            }

            #[inline]
            fn push_null(&mut self) {
                self.push_null();
            }

            #[inline]
            fn pop(&mut self) {
                self.pop();
            }

            fn truncate(&mut self, depth: usize) {
                self.truncate(depth);
            }

            fn depth(&self) -> usize {
                self.depth()
            }

            fn reset(&mut self) {
                self.reset();
            }
        }
    };
}

follows!(AccumulatorStack<A>, A: Architecture);
#[cfg(feature = "described")]
follows!(nnue::dynamic::Stack);

/// The methods that compiled and described networks have under the same names.
macro_rules! evaluates {
    () => {
        fn level(&self) -> &'static str {
            self.level().level().name()
        }

        fn evaluate_fresh(&self, position: &Position) -> Evaluation {
            self.evaluate_fresh(position)
        }

        #[inline]
        fn evaluate(&self, position: &Position, stack: &mut Self::Stack) -> Evaluation {
            self.evaluate(position, stack)
        }

        fn real(&self, position: &Position, stack: &mut Self::Stack) -> f64 {
            self.evaluate_real(position, stack).real
        }

        fn children(
            &self,
            position: &Position,
            changes: &[Change],
            stack: &mut Self::Stack,
            children: &mut Vec<Evaluation>,
        ) {
            self.evaluate_children(position, changes, stack, children);
        }

        #[inline]
        fn evaluate_at(&self, position: &Position, table: &mut Self::Table) -> Evaluation {
            self.evaluate_at(position, table)
        }

        fn clear(table: &mut Self::Table) {
            table.clear();
        }

        fn on_threads(
            &self,
            positions: &[Position],
            values: &mut [Evaluation],
            batches: &mut [Self::Batch],
        ) {
            self.evaluate_on_threads(positions, values, batches);
        }
    };
}

impl<A: Architecture> Executor for Network<A> {
    type Stack = AccumulatorStack<A>;
    type Table = AccumulatorTable<A>;
    type Batch = Batch<A>;

    evaluates!();

    fn real_fresh(&self, position: &Position) -> f64 {
        self.evaluate_fresh_real(position).real
    }

    fn raw(&self, position: &Position, stack: &mut Self::Stack) -> RawOutput {
        Output::raw(self.output(position, stack))
    }

    fn outputs(&self) -> Vec<&'static str> {
        Vec::new()
    }

    fn output(&self, _: &Position, _: &mut Self::Stack, _: &str) -> Result<Numbers, Failure> {
        let message = format!(
            "`{}` is compiled, and C has its value only; nnue_network_open_described has its other outputs",
            A::SPEC.name
        );
        Err(Failure::new(Status::NoSuchOutput, message))
    }
}

#[cfg(feature = "described")]
impl Executor for nnue::dynamic::Network {
    type Stack = nnue::dynamic::Stack;
    type Table = nnue::dynamic::Table;
    type Batch = nnue::dynamic::Batch;

    evaluates!();

    fn real_fresh(&self, position: &Position) -> f64 {
        self.evaluate_real(position, &mut Self::Stack::new()).real
    }

    fn raw(&self, position: &Position, stack: &mut Self::Stack) -> RawOutput {
        self.output(position, stack)
    }

    fn outputs(&self) -> Vec<&'static str> {
        crate::described::outputs(self.spec()).collect()
    }

    fn output(
        &self,
        position: &Position,
        stack: &mut Self::Stack,
        name: &str,
    ) -> Result<Numbers, Failure> {
        if !crate::described::outputs(self.spec()).any(|output| output == name) {
            return Err(crate::described::no_output(self.spec(), name));
        }
        let (_, outputs) = self.evaluate_with(position, stack);
        let wanted = outputs.into_iter().find(|(output, _)| *output == name);
        Ok(wanted.map(|(_, numbers)| numbers).unwrap_or_default())
    }
}
