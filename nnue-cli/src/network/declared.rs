//! A network that was declared when the command ran: no code was compiled for it, the reference interpreter evaluates it.

use std::io::Read;

use nnue::{Evaluation, LoadError};
use nnue_format::{Header, Tensors};
use nnue_spec::plan::Plan;
use nnue_spec::reference::{self, StackTrace, Trace};
use nnue_spec::{LayerKind, NetDesc, Selector, TensorRef, ValueDesc};

use super::{Evaluator, Inner, Ply, Verdict, Verdicts};
use crate::error::Error;
use crate::input::Placement;
use crate::input::games::Game;

/// A network and its weights.
pub(crate) struct Declared {
    spec: &'static NetDesc<'static>,
    header: Header,
    tensors: Tensors,
}

impl Declared {
    /// The descriptor of a plan. The command uses one declaration until it ends: it lives as long.
    pub(crate) fn describe(plan: Plan) -> &'static NetDesc<'static> {
        let plan: &'static Plan = Box::leak(Box::new(plan));
        let tables = Box::leak(Box::new(plan.tables()));
        Box::leak(Box::new(tables.descriptor()))
    }

    /// Reads the file of a network.
    pub(crate) fn read(spec: &'static NetDesc<'static>, source: impl Read) -> Result<Self, LoadError> {
        let (header, tensors) = Tensors::read(spec, source)?;
        Ok(Self { spec, header, tensors })
    }

    /// The code of the program of a declaration, without which nobody evaluates the network: a feature set or a function, in words.
    pub(crate) fn own_code(spec: &NetDesc<'_>) -> Option<String> {
        let own = spec.features.iter().find(|feature| feature.set.is_own());
        match (own, spec.stacks.selector) {
            (Some(feature), _) => Some(format!("the feature set `{}`", feature.set.name())),
            (None, Selector::Own) => Some("the function that chooses the layer stack".to_owned()),
            (None, _) => spec.own_activation().map(|path| format!("the activation `{path}`")),
        }
    }

    /// Refuses to evaluate what only the program of a declaration can.
    pub(crate) fn require_known(spec: &NetDesc<'_>) -> Result<(), Error> {
        let Some(what) = Self::own_code(spec) else { return Ok(()) };
        Err(Error::Argument(format!(
            "{what} of `{}` is code of a program, which alone evaluates this network; inspect, verify and export need none of it",
            spec.name
        )))
    }

    fn judge(&self, position: &Placement) -> Trace {
        reference::evaluate(self.spec, &self.tensors.refs(), &position.plain())
    }

    fn verdict(&self, trace: &Trace, stack: usize) -> Verdict {
        let psqt = trace.psqt.get(stack).copied().unwrap_or(0);
        let positional = trace.positional[stack];
        let value = reference::value(self.spec.value, psqt, positional);
        let evaluation = Evaluation { psqt, positional, bucket: stack, value };
        Verdict { evaluation, inner: self.inner(&trace.stacks[stack]) }
    }

    fn inner(&self, stack: &StackTrace) -> Inner {
        match (self.spec.value, stack.direct) {
            (ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. }, _) => Inner::Float(stack.float_output(self.spec)),
            (_, Some(sum)) => Inner::Sum(sum),
            (_, None) => Inner::Hidden,
        }
    }
}

/// The column of [`Inner`] that the verdicts of a network have, if any.
fn inner_column(spec: &NetDesc<'_>) -> Option<&'static str> {
    match spec.value {
        ValueDesc::Float { .. } | ValueDesc::Sigmoid { .. } => Some("bits"),
        _ if spec.layers.iter().any(|layer| layer.kind == LayerKind::Direct) => Some("raw_sum"),
        _ => None,
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

    fn columns(&self) -> Vec<&'static str> {
        std::iter::once("value").chain(inner_column(self.spec)).collect()
    }

    fn evaluate(&self, position: &Placement) -> Verdict {
        let trace = self.judge(position);
        self.verdict(&trace, trace.bucket)
    }

    fn trace(&self, position: &Placement) -> Verdicts {
        let trace = self.judge(position);
        let buckets = (0..trace.stacks.len()).map(|stack| self.verdict(&trace, stack)).collect();
        Verdicts { bucket: trace.bucket, buckets }
    }

    fn play(&self, game: &Game, _: bool, each: &mut dyn FnMut(Ply<'_>)) {
        for (number, position) in game.positions().iter().enumerate() {
            each(Ply { number, position, verdict: self.evaluate(&Placement::of(position)) });
        }
    }
}
