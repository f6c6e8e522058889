//! The graph form: its clauses, in any order, become the parts of the model.

use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{AccumulatorSpec, Binding, InputSpec, NetSpec, OutputSpec, StackSpec};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use super::file::FileClauses;
use super::inputs::feature_set;
use crate::syntax::ast::{
    Accumulated, AccumulatorInputs, Clause, ClauseKind, Expr, Feature, Head, HeadForm, Selector,
};
use crate::syntax::place::{Int, Place, Word, Wrong};
use crate::syntax::several::second_accumulator;

/// The `inputs` clause, if there is one.
#[derive(Clone, Copy)]
struct InputsClause<'a> {
    keyword: Place,
    features: &'a [Feature],
}

/// The results of reading the clauses.
#[derive(Default)]
struct Found<'a> {
    inputs: Option<InputsClause<'a>>,
    accumulator: Option<(&'a Word, &'a AccumulatorInputs, &'a Accumulated)>,
    stacks: Option<(&'a Int, Option<&'a Selector>)>,
    outer: Vec<(&'a Word, &'a Expr)>,
    inner: Vec<(&'a Word, &'a Expr)>,
    output: Option<(Place, &'a crate::syntax::ast::Sum)>,
    heads: Vec<&'a Head>,
    seen: Seen,
}

/// First locations of clauses that may occur only once.
#[derive(Default)]
struct Seen {
    inputs: Option<Place>,
    accumulator: Option<Place>,
    stacks: Option<Place>,
    output: Option<Place>,
}

impl Lowerer<'_> {
    pub(crate) fn lower_graph(
        &mut self,
        name: Located<String>,
        clauses: &[Clause],
    ) -> Option<NetSpec> {
        let mut found = Found::default();
        self.collect(clauses, false, &mut found);
        let at = self.spans.place(name.loc);
        let accumulator = self.graph_accumulator(&found, at);
        let mut bindings = self.lower_bindings(&found.outer);
        let stacks = self.graph_stacks(&found, &name);
        if let (Some(outer), Some(inner)) = (&mut bindings, self.lower_bindings(&found.inner)) {
            outer.extend(inner);
        } else {
            bindings = None;
        }
        let output = self.graph_output(&found, at);
        let heads: Vec<_> = found
            .heads
            .iter()
            .map(|head| self.lower_head(head))
            .collect();
        let psqt = found
            .accumulator
            .and_then(|(_, _, accumulated)| accumulated.whole_psqt());
        let file = self.lower_file_clauses(clauses, psqt);
        let (inputs, accumulator) = accumulator?;
        let (bindings, output, heads) = (
            bindings?,
            output?,
            heads.into_iter().collect::<Option<_>>()?,
        );
        let FileClauses {
            value,
            fused,
            format,
            goldens,
            weights,
        } = file;
        Some(NetSpec {
            name,
            inputs,
            accumulator,
            stacks,
            bindings,
            output,
            heads,
            fused,
            value,
            format,
            goldens,
            weights,
        })
    }

    fn collect<'a>(&mut self, clauses: &'a [Clause], inside: bool, found: &mut Found<'a>) {
        for Clause { keyword, kind } in clauses {
            match kind {
                ClauseKind::Inputs(features)
                    if self.once(&mut found.seen.inputs, *keyword, "inputs") =>
                {
                    found.inputs = Some(InputsClause {
                        keyword: *keyword,
                        features,
                    });
                }
                ClauseKind::Accumulator {
                    name,
                    inputs,
                    accumulated,
                } => {
                    self.collect_accumulator((name, inputs, accumulated), inside, found);
                }
                ClauseKind::Binding { name, value } if inside => found.inner.push((name, value)),
                ClauseKind::Binding { name, value } => found.outer.push((name, value)),
                ClauseKind::Stacks { count, by, clauses }
                    if self.once(&mut found.seen.stacks, *keyword, "stacks") =>
                {
                    found.stacks = Some((count, by.as_ref()));
                    self.collect(clauses, true, found);
                }
                ClauseKind::Output(sum)
                    if self.once(&mut found.seen.output, *keyword, "output") =>
                {
                    found.output = Some((*keyword, sum));
                }
                ClauseKind::Head(head) => found.heads.push(head),
                ClauseKind::Logit(_) => {
                    let message = "a logit is made of subnets, and this network has none";
                    let help = "declare them, `from = subnets(Chess768[..], 64 x 8: f32);`, or write `rows(x, 1880)`";
                    self.error(Wrong::new(Code::Subnets, *keyword, message).help(help));
                }
                _ => {}
            }
        }
    }

    fn collect_accumulator<'a>(
        &mut self,
        written: (&'a Word, &'a AccumulatorInputs, &'a Accumulated),
        inside: bool,
        found: &mut Found<'a>,
    ) {
        let place = written.0.place;
        if inside {
            let message = "the accumulator is not allowed in `stacks`";
            self.error(
                Wrong::new(Code::MisplacedClause, place, message)
                    .help("move it outside the braces"),
            );
            // A misplaced clause is not also reported as missing.
            self.complete = false;
        } else if let Some(first) = found.seen.accumulator {
            self.error(second_accumulator(place).related(first, "the first one"));
            // The names of values computed from it are not unknown.
            (found.accumulator, self.complete) = (None, false);
        } else {
            (found.accumulator, found.seen.accumulator) = (Some(written), Some(place));
        }
    }

    fn graph_accumulator(
        &mut self,
        found: &Found<'_>,
        at: Place,
    ) -> Option<(Vec<InputSpec>, AccumulatorSpec)> {
        let Some((name, inputs, accumulated)) = found.accumulator else {
            let help = "add `acc = accumulate(HalfKAv2_hm[..], 1024) x 2;`";
            self.missing(
                Code::MissingAccumulator,
                at,
                "the network has no accumulator",
                help,
            );
            return None;
        };
        let inputs = self.accumulated_inputs(inputs, found.inputs);
        let accumulator = self.lower_accumulator(name.clone(), accumulated);
        Some((inputs?, accumulator))
    }

    fn accumulated_inputs(
        &mut self,
        written: &AccumulatorInputs,
        clause: Option<InputsClause<'_>>,
    ) -> Option<Vec<InputSpec>> {
        match (written, clause) {
            (AccumulatorInputs::Name(word), Some(clause)) if word.value == "inputs" => {
                Some(self.lower_inputs(clause.features))
            }
            (_, Some(clause)) => {
                let message = "`inputs` is declared and not accumulated";
                self.error(
                    Wrong::new(Code::UnknownInputs, clause.keyword, message)
                        .help("write `accumulate(inputs, ..)`"),
                );
                None
            }
            (AccumulatorInputs::Features(features), None) => Some(self.lower_inputs(features)),
            (AccumulatorInputs::Name(word), None) => self.named_inputs(word),
        }
    }

    /// `accumulate(HalfKP, 256)`: a feature set without brackets.
    pub(super) fn named_inputs(&mut self, word: &Word) -> Option<Vec<InputSpec>> {
        if word.value == "inputs" {
            let wrong = Wrong::new(
                Code::UnknownInputs,
                word.place,
                "there is no clause `inputs`",
            );
            if self.complete {
                self.error(
                    wrong.help("add `inputs = HalfKAv2_hm[..];` or write the feature set here"),
                );
            }
            return None;
        }
        let near = feature_set(&word.value).is_none() && nearest(&word.value, ["inputs"]).is_some();
        if near {
            let message = format!("unknown inputs `{}`", word.value);
            self.error(
                Wrong::new(Code::UnknownInputs, word.place, message).help("did you mean `inputs`?"),
            );
            return None;
        }
        let feature = Feature {
            name: Some(word.clone()),
            ..Feature::nothing(word.place)
        };
        Some(self.lower_inputs(&[feature]))
    }

    fn graph_stacks(&mut self, found: &Found<'_>, name: &Located<String>) -> StackSpec {
        let (count, by) = found
            .stacks
            .map_or((None, None), |(count, by)| (Some(count), by));
        self.lower_stack(count, by, name.loc)
    }

    fn graph_output(&mut self, found: &Found<'_>, at: Place) -> Option<OutputSpec> {
        let Some((keyword, sum)) = found.output else {
            if found
                .heads
                .iter()
                .any(|head| matches!(head.form, HeadForm::Rows { .. }))
            {
                return Some(OutputSpec {
                    terms: Vec::new(),
                    ratio: None,
                    loc: self.spans.loc(at),
                });
            }
            let (message, help) = match found.heads.first() {
                Some(_) => (
                    "no output gives the value",
                    "add `output value = affine(x, 1);`",
                ),
                None => ("the network has no output", "add `output affine(x, 1);`"),
            };
            self.missing(Code::MissingOutput, at, message, help);
            return None;
        };
        self.lower_output(sum, keyword)
    }

    fn lower_bindings(&mut self, bindings: &[(&Word, &Expr)]) -> Option<Vec<Binding>> {
        let lowered: Vec<Option<Binding>> = bindings
            .iter()
            .map(|(name, value)| self.lower_binding(name, value))
            .collect();
        lowered.into_iter().collect()
    }

    fn lower_binding(&mut self, name: &Word, value: &Expr) -> Option<Binding> {
        let value = self.lower_expr(value)?;
        Some(Binding {
            name: self.spans.located((*name).clone()),
            value,
        })
    }
}
