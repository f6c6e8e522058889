//! Declarations of subnets: clauses to model.

use nnue_spec::descriptor::ElementType;
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::InputSpec;
use nnue_spec::subnets::model::{
    GroupSpec, LogitSpec, ProductSpec, SubnetBinding, SubnetExpr, SubnetsSpec,
};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use super::expr::{activation, activations, place_of};
use crate::syntax::ast::{
    AccumulatorInputs, Argument, Clause, ClauseKind, Expr, Feature, Logit, Subnets,
};
use crate::syntax::keyword;
use crate::syntax::place::{At, Place, Word, Wrong};

impl Lowerer<'_> {
    pub(crate) fn lower_subnets(
        &mut self,
        name: Located<String>,
        clauses: &[Clause],
    ) -> Option<SubnetsSpec> {
        let inputs = clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Inputs(features) => Some(features.as_slice()),
            _ => None,
        });
        let (mut groups, mut bindings, mut logit) = (Some(Vec::new()), Some(Vec::new()), None);
        let mut seen = [None; 3];
        for Clause { keyword, kind } in clauses {
            match kind {
                ClauseKind::Inputs(_) => {
                    self.once(&mut seen[0], *keyword, "inputs");
                }
                ClauseKind::Subnets { name, subnets } => {
                    push(&mut groups, self.lower_group(name, subnets, inputs))
                }
                ClauseKind::Binding { name, value } => {
                    let value = self.lower_subnet_expr(value);
                    let name = self.spans.located(name.clone());
                    push(
                        &mut bindings,
                        value.map(|value| SubnetBinding { name, value }),
                    );
                }
                ClauseKind::Logit(written) => {
                    if self.once(&mut seen[1], *keyword, "output") {
                        logit = Some(self.lower_logit(written));
                    }
                }
                ClauseKind::Format(format) => {
                    let is_first = self.once(&mut seen[2], *keyword, "format");
                    if is_first && (format.name.value != "raw" || !format.fields.is_empty()) {
                        let message = "the file of subnets is their numbers and nothing else";
                        let help = "leave the clause out; `format raw` is the only one";
                        self.error(
                            Wrong::new(Code::Subnets, format.name.place, message).help(help),
                        );
                    }
                }
                ClauseKind::Floats(word) if !self.lower_floats(word) => {}
                other => self.refuse_in_subnets(other, *keyword),
            }
        }
        if logit.is_none() {
            let at = self.spans.place(name.loc);
            let help = "add `output policy = dot(relu(from), relu(to));`";
            self.missing(Code::MissingOutput, at, "the network has no output", help);
        }
        Some(SubnetsSpec {
            name,
            groups: groups?,
            bindings: bindings?,
            logit: logit??,
        })
    }

    fn lower_group(
        &mut self,
        name: &Word,
        subnets: &Subnets,
        inputs: Option<&[Feature]>,
    ) -> Option<GroupSpec> {
        let read = self.read_by_subnets(&subnets.inputs, inputs)?;
        let element = match &subnets.element {
            Some(word) => self.lower_element(word, ElementType::F32),
            None => self
                .spans
                .located(At::new(ElementType::F32, subnets.width.place)),
        };
        Some(GroupSpec {
            name: self.spans.located(name.clone()),
            inputs: read,
            count: self.int(&subnets.count),
            width: self.int(&subnets.width),
            element,
            scale: self.optional_int(subnets.scale.as_ref()),
        })
    }

    fn read_by_subnets(
        &mut self,
        written: &AccumulatorInputs,
        clause: Option<&[Feature]>,
    ) -> Option<Vec<InputSpec>> {
        let features = match (written, clause) {
            (AccumulatorInputs::Features(features), _) => features.as_slice(),
            (AccumulatorInputs::Name(word), Some(features)) if word.value == "inputs" => features,
            (AccumulatorInputs::Name(word), _) => return self.named_inputs(word),
        };
        if let Some(element) = features.iter().find_map(|feature| feature.element.as_ref()) {
            let message = "the type of the weights of subnets stands after their neurons";
            self.error(
                Wrong::new(Code::Subnets, element.place, message)
                    .help("write for example `64 x 8: f32`"),
            );
        }
        Some(self.lower_inputs(features))
    }

    fn lower_logit(&mut self, logit: &Logit) -> Option<LogitSpec> {
        let mut products = Some(Vec::new());
        for product in &logit.products {
            let [a, b] = product
                .operands
                .each_ref()
                .map(|operand| self.lower_subnet_expr(operand));
            let (negative, loc) = (product.negative, self.spans.loc(product.word));
            push(
                &mut products,
                a.zip(b).map(|(a, b)| ProductSpec {
                    negative,
                    operands: [a, b],
                    loc,
                }),
            );
        }
        Some(LogitSpec {
            products: products?,
            terms: self.optional_int(logit.terms.as_ref()),
        })
    }

    /// A name, or an activation of a name.
    fn lower_subnet_expr(&mut self, expr: &Expr) -> Option<SubnetExpr> {
        let (function, arguments) = match expr {
            Expr::Name(name) => return Some(SubnetExpr::Name(self.spans.located(name.clone()))),
            Expr::Call {
                function,
                own: None,
                max: None,
                shift: None,
                words: None,
                arguments,
                ..
            } => (function, arguments),
            _ => {
                let message = "subnets have activations of the language, without shifts, and are read as a whole";
                let wrong = Wrong::new(Code::Subnets, place_of(expr), message);
                self.error(wrong.help("write for example `relu(from)`"));
                return None;
            }
        };
        let Some(known) = activation(&function.value) else {
            self.error(unknown(function));
            return None;
        };
        match arguments.as_slice() {
            [Argument::Value(Expr::Name(name))] => Some(SubnetExpr::Activate {
                activation: self.spans.located(At::new(known, function.place)),
                input: self.spans.located(name.clone()),
            }),
            _ => {
                let message = format!("`{}` takes the name of a group of subnets", function.value);
                let help = format!("write for example `{}(from)`", function.value);
                self.error(Wrong::new(Code::ArgumentKind, place_of(expr), message).help(help));
                None
            }
        }
    }

    fn refuse_in_subnets(&mut self, kind: &ClauseKind, keyword: Place) {
        let (message, help) = match kind {
            ClauseKind::Accumulator { .. } => (
                "a network has subnets or an accumulator, and this one has both",
                "declare two networks: one for the value, one for the policy",
            ),
            ClauseKind::Output(_) | ClauseKind::Head(_) => (
                "the output of subnets is the logit of a move",
                "write `output policy = dot(relu(from), relu(to));`",
            ),
            ClauseKind::Stacks { .. } => ("subnets have no layer stacks", "remove `stacks`"),
            ClauseKind::Golden(_) => (
                "subnets have no golden values",
                "compare logits in a test of the program",
            ),
            ClauseKind::Weights(_) => (
                "subnets are not embedded by a clause",
                "remove it, and load the network with `from_bytes(include_bytes!(\"..\"))`",
            ),
            ClauseKind::Floats(_) => (
                "products of subnets are rounded before they are added",
                "remove `floats fused`",
            ),
            _ => (
                "the outputs of subnets are logits, not a value",
                "remove `value`",
            ),
        };
        self.error(Wrong::new(Code::Subnets, keyword, message).help(help));
    }
}

/// Adds a part; after a wrong part, the list is `None`.
fn push<T>(list: &mut Option<Vec<T>>, part: Option<T>) {
    match (list.as_mut(), part) {
        (Some(list), Some(part)) => list.push(part),
        _ => *list = None,
    }
}

fn unknown(word: &Word) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFunction,
        word.place,
        format!("unknown activation `{}`", word.value),
    );
    match keyword::alias(&word.value).or_else(|| nearest(&word.value, activations())) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help("subnets have activations, for example `relu(from)`"),
    }
}
