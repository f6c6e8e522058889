//! A network declared at run time and evaluated by the reference interpreter. It serves as the reference for
//! other evaluators. For networks that need custom code, only the file is available.

use std::io::Read;

use nnue::dynamic::Unsupported;
use nnue::{Change, Evaluation, LoadError, Wdl};
use nnue_format::{Header, Tensors};
use nnue_spec::plan::Plan;
use nnue_spec::reference::{self, StackTrace, Trace};
use nnue_spec::{HeadDesc, HeadKind, LayerKind, NetDesc, RawOutput, TensorRef, ValueDesc};

use super::{Evaluator, Inner, Line, Verdict, Verdicts};
use crate::error::Error;
use crate::input::Placement;

/// Advice for networks that only a program can evaluate.
pub(crate) const GOLDEN_OF_PROGRAM: &str = "with `golden self::my_position = 12;` in its declaration, every load in the program compares that value";

pub(crate) struct Declared {
    spec: &'static NetDesc<'static>,
    header: Header,
    tensors: Tensors,
}

impl Declared {
    /// The descriptor of a plan, leaked: the command uses it until it exits.
    pub(crate) fn describe(plan: Plan) -> &'static NetDesc<'static> {
        plan.leak()
    }

    pub(crate) fn read(
        spec: &'static NetDesc<'static>,
        source: impl Read,
    ) -> Result<Self, LoadError> {
        let (header, tensors) = Tensors::read(spec, source)?;
        Ok(Self {
            spec,
            header,
            tensors,
        })
    }

    /// The custom code (feature set or function) that the declaration names, for messages.
    pub(crate) fn custom_code(spec: &NetDesc<'_>) -> Option<String> {
        match Unsupported::of(spec) {
            Some(Unsupported::Code(what)) => Some(what),
            _ => None,
        }
    }

    /// Refuses networks that need custom code, and those whose positions are lists of rows.
    pub(crate) fn require_known(spec: &NetDesc<'_>) -> Result<(), Error> {
        Self::require_no_code(spec)?;
        if spec.has_listed_rows() {
            return Err(Error::Argument(format!(
                "positions of `{}` are lists of rows, and this command reads positions of chess; `nnue eval --rows FILE` evaluates lists",
                spec.name
            )));
        }
        Ok(())
    }

    /// Refuses networks that need custom code.
    pub(crate) fn require_no_code(spec: &NetDesc<'_>) -> Result<(), Error> {
        let Some(what) = Self::custom_code(spec) else {
            return Ok(());
        };
        let golden = match spec.has_custom_set() && spec.goldens.is_empty() {
            true => format!("; {GOLDEN_OF_PROGRAM}"),
            false => String::new(),
        };
        Err(Error::Argument(format!(
            "{what} of `{}` is defined by a program, so only that program can evaluate the network; inspect, verify and export work without it{golden}",
            spec.name
        )))
    }

    fn judge(&self, position: &Placement) -> Trace {
        reference::evaluate(self.spec, &self.tensors.refs(), &position.plain())
    }

    /// The verdict of a layer stack, for the side to move in `position`.
    fn verdict(&self, position: &Placement, trace: &Trace, stack: usize) -> Verdict {
        let psqt = trace.psqt.get(stack).copied().unwrap_or(0);
        let positional = trace.positional[stack];
        let value = self
            .spec
            .value_of(psqt, positional, position.black_to_move());
        let evaluation = Evaluation {
            psqt,
            positional,
            bucket: stack,
            value,
        };
        Verdict {
            evaluation,
            inner: self.inner(&trace.stacks[stack]),
        }
    }

    fn inner(&self, stack: &StackTrace) -> Inner {
        match (stack.output(self.spec), stack.direct) {
            (RawOutput::Float(output), _) => Inner::Float(output),
            (_, Some(sum)) => Inner::Sum(sum),
            (_, None) => Inner::Hidden,
        }
    }
}

/// The name of the [`Inner`] column, if the network has one.
pub(super) fn inner_column(spec: &NetDesc<'_>) -> Option<&'static str> {
    match spec.value {
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } => Some("bits"),
        _ if spec
            .layers
            .iter()
            .any(|layer| layer.kind == LayerKind::Direct) =>
        {
            Some("raw_sum")
        }
        _ => None,
    }
}

#[cfg(feature = "backends")]
impl nnue_backend::nnue::Described for Declared {
    fn description(&self) -> &'static NetDesc<'static> {
        self.spec
    }

    fn weights(&self) -> Vec<TensorRef<'_>> {
        self.tensors.refs()
    }
}

impl Evaluator for Declared {
    fn spec(&self) -> &'static NetDesc<'static> {
        self.spec
    }

    fn header(&self) -> &Header {
        &self.header
    }

    fn tensors(&self) -> Vec<TensorRef<'_>> {
        self.tensors.refs()
    }

    fn evaluated_by(&self) -> String {
        "reference interpreter".into()
    }

    fn inner_column(&self) -> Option<&'static str> {
        inner_column(self.spec)
    }

    fn evaluate(&self, position: &Placement) -> Verdict {
        let trace = self.judge(position);
        self.verdict(position, &trace, trace.bucket)
    }

    fn trace(&self, position: &Placement) -> Verdicts {
        let trace = self.judge(position);
        let buckets = (0..trace.stacks.len())
            .map(|stack| self.verdict(position, &trace, stack))
            .collect();
        Verdicts {
            bucket: trace.bucket,
            buckets,
        }
    }

    fn outputs(&self, position: &Placement) -> Vec<(&'static str, Vec<f32>)> {
        let trace = self.judge(position);
        let stack = &trace.stacks[trace.bucket];
        let numbers = |(index, head): (usize, &HeadDesc<'static>)| {
            let numbers = stack.head(self.spec, index);
            let wdl = |numbers: &[f32]| {
                Wdl::new([numbers[0], numbers[1], numbers[2]])
                    .probabilities()
                    .to_vec()
            };
            (
                head.name,
                if head.kind == HeadKind::Wdl {
                    wdl(&numbers)
                } else {
                    numbers
                },
            )
        };
        // Rows stand for moves, which the command does not number.
        let heads = self
            .spec
            .heads
            .iter()
            .enumerate()
            .filter(|(_, head)| head.kind != HeadKind::Rows);
        heads.map(numbers).collect()
    }

    fn line(&self) -> Box<dyn Line + '_> {
        Box::new(Fresh(self))
    }
}

/// A line that evaluates every position from scratch: the reference interpreter has no accumulators.
struct Fresh<'a>(&'a Declared);

impl Line for Fresh<'_> {
    fn push(&mut self, _: Change) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Placement) -> Verdict {
        self.0.evaluate(position)
    }
}
