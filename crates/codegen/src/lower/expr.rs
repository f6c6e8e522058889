//! Values of the graph: calls become the operations of the model.

use nnue_spec::descriptor::{ElementType, HeadKind, Unit};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{
    Activation, Arithmetic, CustomFunction, Expr, Function, HeadSpec, OutputSpec, Pool, RatioSpec,
    ReachSpec, Reduce, TermSpec,
};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use crate::syntax::ast::{self, Activated, Argument, HeadForm, Quotient, Width};
use crate::syntax::custom::CustomPath;
use crate::syntax::keyword::{self, ACCUMULATE, FUNCTIONS, PLANNED};
use crate::syntax::place::{At, Int, Place, Word, Wrong};

/// The parts of a call.
#[derive(Clone, Copy)]
struct Call<'a> {
    function: &'a Word,
    own: Option<&'a CustomPath>,
    max: Option<&'a Int>,
    arguments: &'a [Argument],
    parentheses: Place,
    shift: Option<&'a Int>,
    words: Option<Place>,
}

impl Lowerer<'_> {
    pub(crate) fn lower_expr(&mut self, expr: &ast::Expr) -> Option<Expr> {
        match expr {
            ast::Expr::Name(name) => Some(Expr::Name(self.spans.located(name.clone()))),
            ast::Expr::Call {
                function,
                own,
                max,
                arguments,
                parentheses,
                shift,
                words,
            } => {
                let (own, max, shift) = (own.as_ref(), max.as_ref(), shift.as_ref());
                let call = Call {
                    function,
                    own,
                    max,
                    arguments,
                    parentheses: *parentheses,
                    shift,
                    words: *words,
                };
                self.lower_call(call)
            }
            ast::Expr::Number(number) => Some(Expr::Number(self.number(number))),
            ast::Expr::Float(number) => Some(Expr::Float(self.spans.located(*number))),
            ast::Expr::Operator {
                operation,
                place,
                operands,
            } => self.lower_operator(*operation, *place, operands),
            ast::Expr::Slice {
                input,
                start,
                end,
                brackets,
            } => {
                let input = Box::new(self.lower_expr(input)?);
                let (start, end) = (
                    self.optional_int(start.as_ref()),
                    self.optional_int(end.as_ref()),
                );
                Some(Expr::Slice {
                    input,
                    start,
                    end,
                    loc: self.spans.loc(*brackets),
                })
            }
        }
    }

    /// A constant; one that is too great for a signed 64-bit integer is too great for every use.
    fn number(&mut self, number: &Int) -> Located<i64> {
        let value = i64::try_from(number.value).unwrap_or(i64::MAX);
        self.spans.located(At::new(value, number.place))
    }

    fn lower_operator(
        &mut self,
        operation: Arithmetic,
        place: Place,
        operands: &[ast::Expr],
    ) -> Option<Expr> {
        if let (Arithmetic::Negate, [ast::Expr::Number(number)]) = (operation, operands) {
            let Located { value, loc } = self.number(number);
            return Some(Expr::Number(Located::new(-value, loc)));
        }
        if let (Arithmetic::Negate, [ast::Expr::Float(number)]) = (operation, operands) {
            let Located { value, loc } = self.spans.located(*number);
            return Some(Expr::Float(Located::new(-value, loc)));
        }
        let lowered: Vec<Option<Expr>> = operands
            .iter()
            .map(|operand| self.lower_expr(operand))
            .collect();
        Some(Expr::Arithmetic {
            operation: self.spans.located(At::new(operation, place)),
            operands: lowered.into_iter().collect::<Option<Vec<Expr>>>()?,
        })
    }

    /// `clamp(x, 0, 64)`
    fn lower_arithmetic(&mut self, arithmetic: Arithmetic, call: Call<'_>) -> Option<Expr> {
        if call.arguments.len() != arithmetic.operands() {
            let takes = ["0 arguments", "1 argument", "2 arguments", "3 arguments"];
            let takes = takes[arithmetic.operands()];
            self.error(argument_count(call, takes, &arithmetic.example()));
            return None;
        }
        let lowered: Vec<Option<Expr>> = call
            .arguments
            .iter()
            .map(|argument| match plain_number(argument) {
                Some(number) => Some(Expr::Number(self.number(number))),
                None => self.lower_value(argument, call.function),
            })
            .collect();
        Some(Expr::Arithmetic {
            operation: self.spans.located(At::new(arithmetic, call.function.place)),
            operands: lowered.into_iter().collect::<Option<Vec<Expr>>>()?,
        })
    }

    fn lower_call(&mut self, call: Call<'_>) -> Option<Expr> {
        if let Some(own) = call.own {
            let function = self.custom_function(own, call.max);
            return self.lower_activate(function, call);
        }
        self.refuse_max(call.function, call.max);
        if let Some(activation) = activation(&call.function.value) {
            return match (reduction(activation), call.arguments, call.words) {
                (Some(reduce), [_, Argument::Width(size)], None) if size.value.value != 2 => {
                    self.lower_reduce(reduce, Some(&size.value), call)
                }
                // Without a number, it takes two values.
                (Some(_), [input, Argument::Width(_)], _) => {
                    let arguments = std::slice::from_ref(input);
                    self.lower_activate(Function::Known(activation), Call { arguments, ..call })
                }
                _ => self.lower_activate(Function::Known(activation), call),
            };
        }
        let arithmetic = Arithmetic::function(&call.function.value).filter(|_| {
            pool(&call.function.value).is_none()
                || call
                    .arguments
                    .iter()
                    .any(|argument| plain_number(argument).is_some() || is_float(argument))
        });
        if let Some(arithmetic) = arithmetic {
            return self.lower_arithmetic(arithmetic, call);
        }
        match call.function.value.as_str() {
            "affine" => self.lower_affine(call),
            "mean" => self.lower_reduce(Reduce::Mean, None, call),
            "concat" => self.lower_concat(call),
            name => match pool(name) {
                Some(pool) => self.lower_pool(pool, call),
                None => {
                    self.error(unknown_function(call.function));
                    None
                }
            },
        }
    }

    fn lower_activate(&mut self, function: Function, call: Call<'_>) -> Option<Expr> {
        let [argument] = call.arguments else {
            self.error(argument_count(
                call,
                "1 argument",
                &format!("{}(x)", function.name()),
            ));
            return None;
        };
        let input = Box::new(self.lower_value(argument, call.function)?);
        let function = self.spans.located(At::new(function, call.function.place));
        let words = call.words.map(|place| self.spans.loc(place));
        Some(Expr::Activate {
            function,
            input,
            shift: self.optional_int(call.shift),
            words,
        })
    }

    fn lower_affine(&mut self, call: Call<'_>) -> Option<Expr> {
        let [input, width] = call.arguments else {
            let example = if is_binary(call.arguments.last()) {
                "affine(x, 16 binary)"
            } else {
                "affine(x, 16)"
            };
            self.error(argument_count(call, "2 arguments", example));
            return None;
        };
        let input = self.lower_value(input, call.function);
        let width = match width {
            Argument::Width(width) => width,
            Argument::Value(negative) if negated_number(negative).is_some() => {
                let number = negated_number(negative).map_or(0, |number| number.value);
                let message =
                    format!("expected a number of neurons, found the negative number `-{number}`");
                let wrong = Wrong::new(Code::BadNumber, place_of(negative), message);
                self.error(wrong.note("numbers of a declaration have no sign"));
                return None;
            }
            other => {
                let wrong = Wrong::new(
                    Code::ArgumentKind,
                    place_of_argument(other),
                    "expected a number of neurons",
                );
                self.error(wrong.help("write for example `affine(x, 16)`"));
                return None;
            }
        };
        let place = call.function.place;
        Some(self.affine(input?, width, place))
    }

    /// A layer with its annotations; `place` is the word `affine` or, in a chain, the width.
    pub(crate) fn affine(&mut self, input: Expr, width: &Width, place: Place) -> Expr {
        let element = match &width.element {
            // `f16` is treated as floats, which causes fewer follow-up errors.
            Some(word) if word.value.contains('f') => self.lower_element(word, ElementType::F32),
            Some(word) => self.lower_element(word, ElementType::I8),
            None => self
                .spans
                .located(At::new(ElementType::I8, width.value.place)),
        };
        Expr::Affine {
            input: Box::new(input),
            outputs: self.int(&width.value),
            element,
            scale: self.or_default(width.scale.as_ref(), 64, width.value.place),
            sums: self.optional_int(width.sums.as_ref()),
            bias: width
                .bias
                .as_ref()
                .map(|word| self.lower_element(word, ElementType::I32)),
            unit: width.unit.as_ref().map(|unit| {
                let Quotient { num, den } = **unit;
                let value = Unit {
                    num: num.value,
                    den: den.value,
                };
                self.spans.located(At::new(value, num.place.to(den.place)))
            }),
            binary: width.binary.map(|place| self.spans.loc(place)),
            reach: width.reach.as_ref().map(|reach| ReachSpec {
                kind: reach.kind,
                count: self.int(&reach.count),
                size: self.int(&reach.size),
                loc: self.spans.loc(reach.place),
            }),
            loc: self.spans.loc(place),
        }
    }

    fn lower_pool(&mut self, pool: Pool, call: Call<'_>) -> Option<Expr> {
        let [first, second] = call.arguments else {
            let name = pool.definition().name;
            self.error(argument_count(
                call,
                "2 arguments",
                &format!("{name}(a, b)"),
            ));
            return None;
        };
        let [first, second] =
            [first, second].map(|operand| self.lower_value(operand, call.function));
        let pool = self.spans.located(At::new(pool, call.function.place));
        Some(Expr::Pool {
            pool,
            operands: Box::new([first?, second?]),
        })
    }

    /// `mean(x)`, `max_neighbours(x, 4)`
    fn lower_reduce(&mut self, reduce: Reduce, size: Option<&Int>, call: Call<'_>) -> Option<Expr> {
        let (([argument], true) | ([argument, _], false)) = (call.arguments, size.is_none()) else {
            self.error(argument_count(call, "1 argument", "mean(x)"));
            return None;
        };
        let input = Box::new(self.lower_value(argument, call.function)?);
        let reduce = self.spans.located(At::new(reduce, call.function.place));
        Some(Expr::Reduce {
            reduce,
            input,
            size: self.optional_int(size),
            shift: self.optional_int(call.shift),
        })
    }

    fn lower_concat(&mut self, call: Call<'_>) -> Option<Expr> {
        let lowered: Vec<Option<Expr>> = call
            .arguments
            .iter()
            .map(|argument| self.lower_value(argument, call.function))
            .collect();
        let parts = lowered.into_iter().collect::<Option<Vec<Expr>>>()?;
        Some(Expr::Concat {
            parts,
            loc: self.spans.loc(call.function.place),
        })
    }

    fn lower_value(&mut self, argument: &Argument, function: &Word) -> Option<Expr> {
        match argument {
            Argument::Value(expr) => self.lower_expr(expr),
            Argument::Width(width) => {
                let message = format!(
                    "`{}` reads a named value, found `{}`",
                    function.value, width.value.value
                );
                self.error(
                    Wrong::new(Code::ArgumentKind, width.value.place, message)
                        .help("write a name here"),
                );
                None
            }
            Argument::Option { name, .. } => {
                let message = format!(
                    "`{}` reads a named value, found `{}`",
                    function.value, name.value
                );
                self.error(
                    Wrong::new(Code::ArgumentKind, name.place, message).help("write a name here"),
                );
                None
            }
        }
    }

    /// The activation after a width of a chain; a likely one replaces an unknown one.
    pub(crate) fn lower_activation(&mut self, activated: &Activated) -> Located<Function> {
        let word = &activated.function;
        if let Some(own) = &activated.own {
            let function = self.custom_function(own, activated.max.as_ref());
            return self.spans.located(At::new(function, word.place));
        }
        self.refuse_max(word, activated.max.as_ref());
        let known = activation(&word.value);
        if known.is_none() {
            self.error(unknown_activation(word));
        }
        let means_another = keyword::instead(&word.value).is_some();
        let likely = || {
            if means_another {
                None
            } else {
                nearest(&word.value, activations()).and_then(activation)
            }
        };
        let function = known.or_else(likely).unwrap_or(Activation::Crelu);
        self.spans
            .located(At::new(Function::Known(function), word.place))
    }

    /// A function of the program.
    fn custom_function(&mut self, own: &CustomPath, max: Option<&Int>) -> Function {
        Function::Custom(CustomFunction {
            path: own.text(),
            max: self.optional_int(max),
        })
    }

    /// Refuses `max`: functions of the language have a fixed maximum.
    fn refuse_max(&mut self, function: &Word, max: Option<&Int>) {
        if let Some(max) = max {
            let message = format!(
                "`{}` has no maximum to declare, found `max {}`",
                function.value, max.value
            );
            let wrong = Wrong::new(Code::MisplacedAnnotation, max.place, message);
            self.error(
                wrong.help("remove it: a maximum is that of a function of your own, `self::my_activation max 100`"),
            );
        }
    }

    pub(crate) fn lower_output(&mut self, sum: &ast::Sum, keyword: Place) -> Option<OutputSpec> {
        let lowered: Vec<Option<TermSpec>> =
            sum.terms.iter().map(|term| self.lower_term(term)).collect();
        let terms = lowered.into_iter().collect::<Option<Vec<TermSpec>>>()?;
        let ratio = sum.ratio.as_ref().map(|ratio| self.lower_ratio(ratio));
        Some(OutputSpec {
            terms,
            ratio,
            loc: self.spans.loc(keyword),
        })
    }

    fn lower_term(&mut self, term: &ast::Term) -> Option<TermSpec> {
        let value = self.lower_expr(&term.value)?;
        let ratio = term.ratio.as_ref().map(|ratio| self.lower_ratio(ratio));
        Some(TermSpec {
            negative: term.negative,
            value,
            ratio,
        })
    }

    pub(crate) fn lower_head(&mut self, head: &ast::Head) -> Option<HeadSpec> {
        let value = self.lower_expr(&head.value)?;
        let (kind, place, value) = match &head.form {
            HeadForm::Numbers => (HeadKind::Numbers, head.name.place, value),
            HeadForm::Wdl(word) => (HeadKind::Wdl, *word, value),
            HeadForm::Rows { word, width } => {
                (HeadKind::Rows, *word, self.affine(value, width, *word))
            }
        };
        Some(HeadSpec {
            name: self.spans.located(head.name.clone()),
            kind: self.spans.located(At::new(kind, place)),
            value,
            ratio: head.ratio.as_ref().map(|ratio| self.lower_ratio(ratio)),
        })
    }

    fn lower_ratio(&mut self, ratio: &ast::Ratio) -> RatioSpec {
        RatioSpec {
            num: self.int(&ratio.num),
            den: self.int(&ratio.den),
            wide: ratio.wide,
        }
    }
}

pub(crate) fn activations() -> impl Iterator<Item = &'static str> {
    Activation::ALL
        .into_iter()
        .filter_map(|activation| Some(activation.operation()?.name))
}

pub(crate) fn activation(name: &str) -> Option<Activation> {
    Activation::ALL.into_iter().find(|activation| {
        activation
            .operation()
            .is_some_and(|known| known.name == name)
    })
}

fn pool(name: &str) -> Option<Pool> {
    Pool::ALL
        .into_iter()
        .find(|pool| pool.definition().name == name)
}

/// The reduction that a pool of neighbours becomes with a number of values; `None` for other activations.
fn reduction(activation: Activation) -> Option<Reduce> {
    match activation {
        Activation::AvgNeighbours => Some(Reduce::Mean),
        Activation::MaxNeighbours => Some(Reduce::Maximum),
        _ => None,
    }
}

/// Whether a word names an activation of the language.
pub(super) fn is_activation(word: &str) -> bool {
    activation(word).is_some()
}

/// A number without annotations, as an argument.
fn plain_number(argument: &Argument) -> Option<&Int> {
    match argument {
        Argument::Width(Width {
            value,
            element: None,
            scale: None,
            sums: None,
            bias: None,
            unit: None,
            binary: None,
            reach: None,
        })
        | Argument::Value(ast::Expr::Number(value)) => Some(value),
        _ => None,
    }
}

/// Whether an argument is a constant float.
fn is_float(argument: &Argument) -> bool {
    match argument {
        Argument::Value(ast::Expr::Float(_)) => true,
        Argument::Value(ast::Expr::Operator { operands, .. }) => {
            matches!(&**operands, [ast::Expr::Float(_)])
        }
        _ => false,
    }
}

/// The number after a sign.
fn negated_number(expr: &ast::Expr) -> Option<&Int> {
    match expr {
        ast::Expr::Operator {
            operation: Arithmetic::Negate,
            operands,
            ..
        } => match operands.as_slice() {
            [ast::Expr::Number(number)] => Some(number),
            _ => None,
        },
        _ => None,
    }
}

/// The location of a whole expression.
pub(crate) fn place_of(expr: &ast::Expr) -> Place {
    match expr {
        ast::Expr::Name(name) => name.place,
        ast::Expr::Number(number) => number.place,
        ast::Expr::Float(number) => number.place,
        ast::Expr::Operator {
            place, operands, ..
        } => match (operands.first(), operands.last()) {
            (Some(first), Some(last)) if operands.len() > 1 => place_of(first).to(place_of(last)),
            (_, Some(last)) => place.to(place_of(last)),
            _ => *place,
        },
        ast::Expr::Call {
            function,
            parentheses,
            ..
        } => function.place.to(*parentheses),
        ast::Expr::Slice {
            input, brackets, ..
        } => place_of(input).to(*brackets),
    }
}

fn place_of_argument(argument: &Argument) -> Place {
    match argument {
        Argument::Value(value) => place_of(value),
        Argument::Width(width) => width.value.place,
        Argument::Option { name, .. } => name.place,
    }
}

fn argument_count(call: Call<'_>, takes: &str, example: &str) -> Wrong {
    let message = format!(
        "`{}` takes {takes}, found {}",
        call.function.value,
        call.arguments.len()
    );
    Wrong::new(Code::ArgumentCount, call.parentheses, message)
        .help(format!("write for example `{example}`"))
}

/// Whether an argument is `binary`, which follows the number.
fn is_binary(argument: Option<&Argument>) -> bool {
    matches!(argument, Some(Argument::Value(ast::Expr::Name(name))) if name.value == "binary")
}

fn planned(word: &Word) -> Option<Wrong> {
    let (_, instead) = PLANNED.iter().find(|(name, _)| *name == word.value)?;
    let message = format!("`{}` is not available yet", word.value);
    Some(Wrong::new(Code::UnavailableFunction, word.place, message).help(*instead))
}

fn unknown_function(word: &Word) -> Wrong {
    if word.value == ACCUMULATE {
        return Wrong::new(
            Code::MisplacedClause,
            word.place,
            "`accumulate` must be bound to a name of its own",
        )
        .help("write `acc = accumulate(inputs, 1024) x 2;` and use `acc` here");
    }
    planned(word).unwrap_or_else(|| unknown(word, "function", &FUNCTIONS))
}

fn unknown_activation(word: &Word) -> Wrong {
    if let Some(pool) = pool(&word.value) {
        return of_two_values(pool, word);
    }
    planned(word).unwrap_or_else(|| {
        let wrong = unknown(word, "activation", &activations().collect::<Vec<_>>());
        if keyword::instead(&word.value).is_some() {
            return wrong;
        }
        wrong.note(format!(
            "a function of your own is written with its path: `self::{}`",
            word.value
        ))
    })
}

/// The error for a function of two values after one layer of a chain.
fn of_two_values(pool: Pool, word: &Word) -> Wrong {
    let of_one = Activation::ALL
        .into_iter()
        .filter(|known| known.pool().is_some_and(|(of, _)| of == pool));
    let names = of_one.filter_map(|known| Some(format!("`{}`", known.operation()?.name)));
    let graph = format!("`{}(a, b)` in the graph form", word.value);
    let forms: Vec<String> = names.chain([graph]).collect();
    let message = format!("`{}` takes two values, a layer is one", word.value);
    Wrong::new(Code::UnknownFunction, word.place, message)
        .help(format!("write {}", forms.join(" or ")))
}

fn unknown(word: &Word, what: &str, known: &[&str]) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFunction,
        word.place,
        format!("unknown {what} `{}`", word.value),
    );
    if let Some(instead) = keyword::instead(&word.value) {
        return wrong.help(instead);
    }
    let alias = keyword::alias(&word.value).filter(|alias| known.contains(alias));
    match alias.or_else(|| nearest(&word.value, known.iter().copied())) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!("known ones are `{}`", known.join("`, `"))),
    }
}
