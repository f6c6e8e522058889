//! Declarations over a dense input: clauses to model.

use nnue_spec::dense::Binary;
use nnue_spec::dense::model::{
    DenseBinding, DenseExpr, DenseOperation, DenseSpec, Join, SourceSpec, WindowSpec,
};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::suggest::nearest;

use super::Lowerer;
use super::expr::{activation, activations, place_of};
use crate::syntax::ast::{Argument, Clause, ClauseKind, Expr, Number, Source, Sum, Width};
use crate::syntax::dense::refuse_annotations;
use crate::syntax::keyword;
use crate::syntax::place::{At, Int, Parsed, Place, Word, Wrong};

/// The operations other than activations.
const OPERATIONS: [&str; 9] = [
    "conv2d",
    "max_pool2d",
    "avg_pool2d",
    "batch_norm",
    "flatten",
    "reshape",
    "affine",
    "add",
    "concat",
];

/// The parts of a call.
#[derive(Clone, Copy)]
struct Call<'a> {
    function: &'a Word,
    arguments: &'a [Argument],
    parentheses: Place,
}

/// The options of an operation.
#[derive(Default)]
struct Options<'a> {
    outputs: Option<&'a Width>,
    sizes: Vec<&'a Width>,
    kernel: Option<Int>,
    stride: Option<Int>,
    padding: Option<Int>,
    eps: Option<At<f64>>,
    one_scale: Option<Place>,
    input_scale: Option<Place>,
}

impl Lowerer<'_> {
    pub(crate) fn lower_dense(
        &mut self,
        name: Located<String>,
        clauses: &[Clause],
    ) -> Option<DenseSpec> {
        let (mut source, mut bindings, mut output) = (None, Some(Vec::new()), None);
        let (mut fused, mut seen) = (false, [None; 3]);
        for Clause { keyword, kind } in clauses {
            match kind {
                ClauseKind::Source {
                    name,
                    source: written,
                } => match &source {
                    None => source = Some(self.lower_source(name, written)),
                    Some(first) => self.refuse_second(*keyword, first.loc),
                },
                ClauseKind::Binding { name, value } => {
                    let value = self.lower_dense_expr(value);
                    let name = self.spans.located(name.clone());
                    bindings = bindings.zip(value).map(|(mut bindings, value)| {
                        bindings.push(DenseBinding { name, value });
                        bindings
                    });
                }
                ClauseKind::Output(sum) if self.once(&mut seen[0], *keyword, "output") => {
                    output = Some(self.lower_dense_output(sum, *keyword));
                }
                ClauseKind::Floats(word) if self.once(&mut seen[1], *keyword, "floats") => {
                    fused = self.lower_floats(word)
                }
                ClauseKind::Format(format) if self.once(&mut seen[2], *keyword, "format") => {
                    if format.name.value != "raw" || !format.fields.is_empty() {
                        let message = "the file of a network over a dense input is its floats and nothing else";
                        let help = "leave the clause out; `format raw` is the only one";
                        self.error(
                            Wrong::new(Code::DenseOperation, format.name.place, message).help(help),
                        );
                    }
                }
                ClauseKind::Output(_) | ClauseKind::Floats(_) | ClauseKind::Format(_) => {}
                other => self.refuse_clause(other, *keyword),
            }
        }
        let at = self.spans.place(name.loc);
        if output.is_none() {
            let help = "add `output affine(flatten(x), 10);`";
            self.missing(Code::MissingOutput, at, "the network has no output", help);
        }
        let (source, output, bindings) = (source?, output??, bindings?);
        Some(DenseSpec {
            name,
            source,
            bindings,
            output,
            fused,
        })
    }

    fn lower_source(&mut self, name: &Word, Source { bits, sizes, place }: &Source) -> SourceSpec {
        let sizes = sizes.iter().map(|size| self.int(size)).collect();
        SourceSpec {
            name: self.spans.located(name.clone()),
            bits: *bits,
            sizes,
            loc: self.spans.loc(*place),
        }
    }

    fn refuse_second(&mut self, keyword: Place, first: nnue_spec::loc::Loc) {
        let first = self.spans.place(first);
        let wrong = Wrong::new(
            Code::DenseOperation,
            keyword,
            "a network has one dense input, and this is a second one",
        );
        let help = "give all numbers as channels of one input";
        self.error(wrong.help(help).related(first, "the first one"));
    }

    fn refuse_clause(&mut self, kind: &ClauseKind, keyword: Place) {
        let (message, help) = match kind {
            ClauseKind::Inputs(_) | ClauseKind::Accumulator { .. } | ClauseKind::Subnets { .. } => {
                (
                    "a network has a dense input or an accumulator, and this one has both",
                    "declare two networks and add their values",
                )
            }
            ClauseKind::Head(_) | ClauseKind::Logit(_) => (
                "networks over a dense input have no named outputs",
                "let the last layer give all numbers, in order",
            ),
            ClauseKind::Stacks { .. } => (
                "networks over a dense input have no layer stacks",
                "remove `stacks`",
            ),
            ClauseKind::Golden(_) => (
                "networks over a dense input have no golden values",
                "compare outputs in a test of the program",
            ),
            ClauseKind::Weights(_) => (
                "networks over a dense input are not embedded by a clause",
                "remove it, and load the network with `from_bytes(include_bytes!(\"..\"))`",
            ),
            _ => (
                "the outputs of a network over a dense input are floats, not a value",
                "remove `value`",
            ),
        };
        self.error(Wrong::new(Code::DenseOperation, keyword, message).help(help));
    }

    fn lower_dense_output(&mut self, sum: &Sum, keyword: Place) -> Option<DenseExpr> {
        match sum.terms.as_slice() {
            [term] if !term.negative && term.ratio.is_none() && sum.ratio.is_none() => {
                self.lower_dense_expr(&term.value)
            }
            _ => {
                let message =
                    "the output over a dense input is one value, without signs and factors";
                let wrong = Wrong::new(Code::DenseOperation, keyword, message);
                self.error(
                    wrong.help("a sum is `output add(a, b);`, and a factor is one of the weights"),
                );
                None
            }
        }
    }

    fn lower_dense_expr(&mut self, expr: &Expr) -> Option<DenseExpr> {
        match expr {
            Expr::Name(name) => Some(DenseExpr::Name(self.spans.located(name.clone()))),
            Expr::Number(_) | Expr::Float(_) | Expr::Operator { .. } => {
                let message = "values over a dense input have no operators";
                let help = "a sum is `add(a, b)`, and a factor is one of the weights";
                let wrong = Wrong::new(Code::DenseOperation, place_of(expr), message);
                self.error(wrong.help(help));
                None
            }
            Expr::Slice { brackets, .. } => {
                let message = "values over a dense input are not cut";
                let help = "let the layer have only the outputs that are read";
                self.error(Wrong::new(Code::DenseOperation, *brackets, message).help(help));
                None
            }
            Expr::Call {
                function,
                own,
                max,
                arguments,
                parentheses,
                shift,
                words,
            } => {
                if let Err(wrong) = refuse_annotations(
                    own.is_some(),
                    max.is_some() || shift.is_some() || words.is_some(),
                    function,
                ) {
                    self.error(wrong);
                    return None;
                }
                self.lower_dense_call(Call {
                    function,
                    arguments,
                    parentheses: *parentheses,
                })
            }
        }
    }

    fn lower_dense_call(&mut self, call: Call<'_>) -> Option<DenseExpr> {
        let join = match call.function.value.as_str() {
            "add" => Some(Join::Add),
            "concat" => Some(Join::Concat),
            _ => None,
        };
        let loc = self.spans.loc(call.function.place);
        if let Some(join) = join {
            let parts: Vec<_> = call
                .arguments
                .iter()
                .map(|part| self.lower_dense_value(part, call))
                .collect();
            let parts = parts.into_iter().collect::<Option<_>>()?;
            return Some(DenseExpr::Join { join, parts, loc });
        }
        let Some((input, options)) = call.arguments.split_first() else {
            self.error(arguments(call, "reads a value, found none"));
            return None;
        };
        let input = self.lower_dense_value(input, call);
        let operation = self.lower_operation(call, options)?;
        Some(DenseExpr::Operation {
            operation,
            input: Box::new(input?),
            loc,
        })
    }

    fn lower_dense_value(&mut self, argument: &Argument, call: Call<'_>) -> Option<DenseExpr> {
        match argument {
            Argument::Value(expr) => self.lower_dense_expr(expr),
            Argument::Width(_) | Argument::Option { .. } => {
                let help = format!("write for example `{}`", example(&call.function.value));
                self.error(option(
                    call,
                    argument_place(argument),
                    "reads a value here",
                    &help,
                ));
                None
            }
        }
    }

    fn lower_operation(&mut self, call: Call<'_>, options: &[Argument]) -> Option<DenseOperation> {
        let word = call.function.value.as_str();
        if let Some(activation) = activation(word) {
            self.options(call, options, &[])?;
            return Some(DenseOperation::Activate(activation));
        }
        const WINDOW: [&str; 3] = ["kernel", "stride", "padding"];
        match word {
            "conv2d" => {
                const KNOWN: [&str; 6] = [
                    "outputs",
                    "kernel",
                    "stride",
                    "padding",
                    "one_scale",
                    "input_scale",
                ];
                let options = self.options(call, options, &KNOWN)?;
                let (outputs, binary) = self.outputs(call, &options)?;
                Some(DenseOperation::Conv2d {
                    outputs,
                    binary,
                    window: self.window(call, &options)?,
                })
            }
            "max_pool2d" | "avg_pool2d" => {
                let options = self.options(call, options, &WINDOW)?;
                let window = self.window(call, &options)?;
                let is_max = word == "max_pool2d";
                Some(if is_max {
                    DenseOperation::MaxPool2d(window)
                } else {
                    DenseOperation::AvgPool2d(window)
                })
            }
            "batch_norm" => {
                let options = self.options(call, options, &["eps"])?;
                Some(DenseOperation::BatchNorm {
                    eps: options.eps.map(|eps| self.spans.located(eps)),
                })
            }
            "flatten" => {
                self.options(call, options, &[])?;
                Some(DenseOperation::Flatten)
            }
            "reshape" => {
                let sizes = self.options(call, options, &["sizes"])?.sizes;
                let Ok(sizes) = <[&Width; 3]>::try_from(sizes) else {
                    self.error(arguments(call, "takes channels, rows and columns"));
                    return None;
                };
                Some(DenseOperation::Reshape {
                    sizes: sizes.map(|size| self.int(&size.value)),
                })
            }
            "affine" => {
                let options =
                    self.options(call, options, &["outputs", "one_scale", "input_scale"])?;
                let (outputs, binary) = self.outputs(call, &options)?;
                Some(DenseOperation::Affine { outputs, binary })
            }
            _ => {
                self.error(unknown(call.function));
                None
            }
        }
    }

    /// The number of outputs, and the scales if it is binary.
    fn outputs(
        &mut self,
        call: Call<'_>,
        options: &Options<'_>,
    ) -> Option<(Located<u64>, Option<Binary>)> {
        let Some(width) = options.outputs else {
            self.error(arguments(call, "lacks its number of outputs"));
            return None;
        };
        if let Some(element) = &width.element {
            self.check_element(element, width.binary.is_some());
        }
        for (place, name) in [
            (options.one_scale, "one_scale"),
            (options.input_scale, "input_scale"),
        ] {
            if let Some(place) = place.filter(|_| width.binary.is_none()) {
                let message =
                    format!("`{name}` is a scale of sums of signs, and this layer adds floats");
                let help = format!("remove it, or write `{} binary`", width.value.value);
                self.error(Wrong::new(Code::BinaryLayer, place, message).help(help));
            }
        }
        let numbers = [width.scale, width.sums].into_iter().flatten();
        let numbers = numbers.map(|number| {
            let message = "layers over a dense input have neither a scale nor partial sums";
            (number.place, message)
        });
        let of_sums = width.of_sums().map(|place| {
            let message = "layers over a dense input add floats: neither `bias` nor `unit` is said";
            (place, message)
        });
        for (place, message) in numbers.chain(of_sums) {
            self.error(Wrong::new(Code::DenseOperation, place, message).help("remove it"));
        }
        if let Some(reach) = &width.reach {
            let (code, word) = (reach.kind.code(), reach.kind.name());
            let message = format!(
                "a layer over a dense input has weights for all of its outputs, and no {word}"
            );
            self.error(Wrong::new(code, reach.place, message).help(format!("remove `{word}`")));
        }
        let scales = Binary {
            one_scale: options.one_scale.is_some(),
            input_scale: options.input_scale.is_some(),
        };
        Some((self.int(&width.value), width.binary.map(|_| scales)))
    }

    /// The type of weights, which may only be written as floats.
    fn check_element(&mut self, element: &Word, binary: bool) {
        let name = &element.value;
        let wrong = |code, message, help| Wrong::new(code, element.place, message).help(help);
        if binary {
            let message = format!("weights of a binary layer are signs, not `{name}`");
            self.error(wrong(
                Code::BinaryLayer,
                message,
                "leave the type out: `16 binary`",
            ));
        } else if name != "f32" {
            let message = format!("weights over a dense input are floats, not `{name}`");
            let help = keyword::instead_of_bits(name).unwrap_or("write `f32`, or nothing");
            self.error(wrong(Code::DenseOperation, message, help));
        }
    }

    fn window(&mut self, call: Call<'_>, options: &Options<'_>) -> Option<WindowSpec> {
        let Some(kernel) = options.kernel else {
            self.error(arguments(call, "lacks the size of its windows, `kernel`"));
            return None;
        };
        let [stride, padding] =
            [options.stride, options.padding].map(|written| self.optional_int(written.as_ref()));
        Some(WindowSpec {
            kernel: self.int(&kernel),
            stride,
            padding,
        })
    }

    /// The arguments after the value; only those in `known` are accepted.
    fn options<'a>(
        &mut self,
        call: Call<'_>,
        written: &'a [Argument],
        known: &[&str],
    ) -> Option<Options<'a>> {
        let mut options = Options::default();
        for argument in written {
            let taken = options
                .take(call, argument, known)
                .and_then(|is_new| match is_new {
                    true => Ok(()),
                    false => Err(option(
                        call,
                        argument_place(argument),
                        "has this option twice",
                        "remove one of the two",
                    )),
                });
            if let Err(wrong) = taken {
                self.error(wrong);
                return None;
            }
        }
        Some(options)
    }
}

impl<'a> Options<'a> {
    /// Takes an argument; returns whether it is the first of its kind.
    fn take(&mut self, call: Call<'_>, argument: &'a Argument, known: &[&str]) -> Parsed<bool> {
        match argument {
            Argument::Width(width) if known.contains(&"outputs") && self.outputs.is_none() => {
                Ok(self.outputs.replace(width).is_none())
            }
            Argument::Width(width) if known.contains(&"sizes") && is_plain(width) => {
                self.sizes.push(width);
                Ok(true)
            }
            Argument::Option { name, value } if known.contains(&name.value.as_str()) => {
                let slot = match name.value.as_str() {
                    "kernel" => &mut self.kernel,
                    "stride" => &mut self.stride,
                    "padding" => &mut self.padding,
                    "eps" => {
                        let eps = match value {
                            Number::Whole(number) => At::new(number.value as f64, number.place),
                            Number::Decimal(number) => *number,
                        };
                        return Ok(self.eps.replace(eps).is_none());
                    }
                    word => {
                        let what = format!("has no number after `{word}`");
                        return Err(option(
                            call,
                            name.place,
                            &what,
                            &format!("write `{word}` alone"),
                        ));
                    }
                };
                match value {
                    Number::Whole(number) => Ok(slot.replace(*number).is_none()),
                    Number::Decimal(number) => {
                        let what = format!(
                            "has a whole number as `{}`, found {}",
                            name.value, number.value
                        );
                        Err(option(
                            call,
                            number.place,
                            &what,
                            &format!("write for example `{} 3`", name.value),
                        ))
                    }
                }
            }
            Argument::Value(Expr::Name(word)) if known.contains(&word.value.as_str()) => {
                let slot = match word.value.as_str() {
                    "one_scale" => &mut self.one_scale,
                    "input_scale" => &mut self.input_scale,
                    name => {
                        let what = format!("has a number after `{name}`");
                        return Err(option(
                            call,
                            word.place,
                            &what,
                            &format!("write for example `{name} 3`"),
                        ));
                    }
                };
                Ok(slot.replace(word.place).is_none())
            }
            _ => Err(unknown_option(call, argument, known)),
        }
    }
}

/// Whether a number has no annotations.
fn is_plain(width: &Width) -> bool {
    let Width {
        value: _,
        element,
        scale,
        sums,
        bias,
        unit,
        binary,
        reach,
    } = width;
    let numbers = [scale, sums].into_iter().all(Option::is_none);
    let of_sums = bias.is_none() && unit.is_none();
    numbers && of_sums && element.is_none() && binary.is_none() && reach.is_none()
}

/// An example of each operation.
fn example(function: &str) -> String {
    match function {
        "conv2d" => "conv2d(x, 16, kernel 3, stride 1, padding 1)".into(),
        "max_pool2d" | "avg_pool2d" => format!("{function}(x, kernel 2)"),
        "batch_norm" => "batch_norm(x, eps 1e-5)".into(),
        "affine" => "affine(x, 10)".into(),
        "reshape" => "reshape(x, 16, 4, 4)".into(),
        _ => format!("{function}(x)"),
    }
}

fn arguments(call: Call<'_>, what: &str) -> Wrong {
    let function = call.function.value.as_str();
    let wrong = Wrong::new(
        Code::ArgumentCount,
        call.parentheses,
        format!("`{function}` {what}"),
    );
    wrong.help(format!(
        "write for example `{}`; in a chain without `x`",
        example(function)
    ))
}

/// An error at an option.
fn option(call: Call<'_>, place: Place, what: &str, help: &str) -> Wrong {
    Wrong::new(
        Code::ArgumentCount,
        place,
        format!("`{}` {what}", call.function.value),
    )
    .help(help)
}

fn argument_place(argument: &Argument) -> Place {
    match argument {
        Argument::Value(value) => place_of(value),
        Argument::Width(width) => width.value.place,
        Argument::Option { name, .. } => name.place,
    }
}

fn unknown_option(call: Call<'_>, argument: &Argument, known: &[&str]) -> Wrong {
    let function = call.function.value.as_str();
    let found = match argument {
        Argument::Option { name, .. } | Argument::Value(Expr::Name(name)) => {
            format!("`{}`", name.value)
        }
        Argument::Value(_) => "a second value".to_owned(),
        Argument::Width(width) => format!("`{}`", width.value.value),
    };
    let help = match argument {
        Argument::Width(width) if known.contains(&"kernel") => {
            Some(format!("write `kernel {}`", width.value.value))
        }
        Argument::Value(Expr::Name(name))
            if name.value == "binary" && known.contains(&"outputs") =>
        {
            Some("write it after the number of outputs: `16 binary`".to_owned())
        }
        Argument::Option { name, .. } | Argument::Value(Expr::Name(name)) => {
            nearest(&name.value, known.iter().copied())
                .map(|near| format!("did you mean `{near}`?"))
        }
        _ => None,
    };
    let help = help.unwrap_or_else(|| format!("write for example `{}`", example(function)));
    let message = format!("`{function}` has no such argument, found {found}");
    Wrong::new(Code::ArgumentKind, argument_place(argument), message).help(help)
}

fn unknown(word: &Word) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFunction,
        word.place,
        format!("unknown operation `{}`", word.value),
    );
    let instead = match word.value.as_str() {
        "binary" | "sign" => keyword::instead(&word.value),
        "one_scale" | "input_scale" => {
            Some("it is an option of a binary layer: `affine(10 binary, input_scale)`")
        }
        _ => None,
    };
    if let Some(instead) = instead {
        return wrong.help(instead);
    }
    let plain = word.value.to_lowercase().replace('_', "");
    let elsewhere = [
        ("conv", "conv2d"),
        ("convolution", "conv2d"),
        ("maxpool", "max_pool2d"),
        ("maxpool2d", "max_pool2d"),
        ("avgpool", "avg_pool2d"),
        ("avgpool2d", "avg_pool2d"),
        ("batchnorm", "batch_norm"),
        ("batchnorm2d", "batch_norm"),
        ("view", "reshape"),
        ("unflatten", "reshape"),
    ];
    let alias = elsewhere
        .into_iter()
        .find(|(alias, _)| *alias == plain)
        .map(|(_, name)| name);
    let alias = alias.or_else(|| keyword::alias(&word.value));
    let known = || OPERATIONS.into_iter().chain(activations());
    match alias.or_else(|| nearest(&word.value, known())) {
        Some(near) => wrong.help(format!("did you mean `{near}`?")),
        None => wrong.help(format!(
            "operations over a dense input are activations and `{}`",
            OPERATIONS.join("`, `")
        )),
    }
}
