//! Dense inputs: `x = input[1, 28, 28];`, and chains from one:
//! `planes[12, 8, 8] -> conv2d(32, kernel 3) relu -> 1`.
//!
//! A chain becomes the clauses of the graph that it abbreviates.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{LitInt, Token};

use super::arrow::{LAYER, parse_arrow};
use super::ast::{Activated, Argument, Clause, ClauseKind, Expr, Source, Sum, Term, Width};
use super::expr::parse_call;
use super::function::{Called, begins_function};
use super::keyword::SOURCES;
use super::number::parse_int;
use super::parse::Parse;
use super::place::{At, Parsed, Place, Word, Wrong};
use super::token::{expected, here, parse_brackets, parse_comma, parse_word, peek_word};

/// Description of the operations of a chain.
const OPERATION: &str = "a number of outputs or an operation such as `conv2d(16, kernel 3)`";

/// Whether `input[` or `planes[` is next.
pub(crate) fn begins_source(input: ParseStream) -> bool {
    input.peek2(Bracket) && peek_word(input).is_some_and(|word| SOURCES.contains(&word.as_str()))
}

/// Whether a chain over a dense input is next.
pub(crate) fn begins_chain(input: ParseStream) -> bool {
    let start = input.fork();
    // Without `<`, nothing is taken.
    let _ = start.parse::<Token![<]>();
    begins_source(&start)
}

impl Parse for Source {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let word = parse_word(input, "`input` or `planes`")?;
        let (inside, _) = parse_brackets(input)?;
        let mut sizes = Vec::new();
        while !inside.is_empty() {
            sizes.push(parse_int(&inside, "a number of channels, rows or columns")?);
            if !inside.is_empty() {
                parse_comma(&inside, "the number")?;
            }
        }
        Ok(Self {
            bits: word.value == "planes",
            sizes,
            place: word.place,
        })
    }
}

/// A chain as the clauses of its graph:
/// `x0 = input[..]; x1 = conv2d(x0, 16, kernel 3); .. output affine(x5, 10);`
pub(crate) fn parse_chain(input: ParseStream) -> Parsed<Vec<Clause>> {
    let angle = input.peek(Token![<]);
    if angle {
        input.parse::<Token![<]>()?;
    }
    let keyword = here(input);
    let source = Source::parse(input)?;
    let mut chain = Steps {
        clauses: Vec::new(),
        last: None,
        steps: 0,
        keyword,
    };
    let name = chain.name(keyword);
    chain.clauses.push(Clause {
        keyword,
        kind: ClauseKind::Source { name, source },
    });
    parse_arrow(input, "the input").map_err(|wrong| {
        wrong.help("go on with operations: `-> conv2d(16, kernel 3) relu -> flatten -> 10`")
    })?;
    chain.parse_link(input)?;
    while input.peek(Token![->]) {
        parse_arrow(input, LAYER)?;
        chain.parse_link(input)?;
    }
    if angle {
        if !input.peek(Token![>]) {
            return Err(expected(
                Code::UnclosedAngle,
                input,
                "`>` at the end of the chain",
            ));
        }
        input.parse::<Token![>]>()?;
    }
    Ok(chain.finished())
}

/// The operations of a chain so far.
struct Steps {
    clauses: Vec<Clause>,
    /// the last operation, which is the output unless another follows
    last: Option<Expr>,
    steps: usize,
    keyword: Place,
}

impl Steps {
    /// A name for the last value that cannot be written in a declaration.
    fn name(&self, place: Place) -> Word {
        At::new(format!("step {}", self.steps), place)
    }

    /// The part between two arrows: `10`, `conv2d(16, kernel 3) batch_norm relu`.
    fn parse_link(&mut self, input: ParseStream) -> Parsed<()> {
        if peek_word(input).as_deref() == Some("binary") {
            let wrong = expected(Code::ExpectedNumber, input, "a number of outputs");
            return Err(wrong.help("write `binary` after the number: `256 binary`"));
        }
        if !input.peek(LitInt) && !begins_function(input) {
            return Err(expected(Code::UnexpectedToken, input, OPERATION));
        }
        if input.peek(LitInt) {
            let width = Width::parse(input)?;
            let place = width.value.place;
            let function = At::new("affine".to_owned(), place);
            self.push(function, vec![Argument::Width(width)], place);
        }
        while begins_function(input) {
            let function = Called::parse(input, "an operation")?;
            if input.peek(Paren) {
                let Expr::Call {
                    function,
                    own,
                    max,
                    arguments,
                    parentheses,
                    shift,
                    words,
                } = parse_call(function, input)?
                else {
                    return Err(expected(Code::UnexpectedToken, input, OPERATION));
                };
                let annotated = max.is_some() || shift.is_some() || words.is_some();
                refuse_annotations(own.is_some(), annotated, &function)?;
                self.push(function, arguments, parentheses);
            } else {
                let Activated {
                    function,
                    own,
                    max,
                    shift,
                    words,
                } = function.annotated(input)?;
                let annotated = max.is_some() || shift.is_some() || words.is_some();
                refuse_annotations(own.is_some(), annotated, &function)?;
                let place = function.place;
                self.push(function, Vec::new(), place);
            }
        }
        Ok(())
    }

    /// Appends an operation on the last value.
    fn push(&mut self, function: Word, mut arguments: Vec<Argument>, parentheses: Place) {
        let name = self.name(function.place);
        if let Some(value) = self.last.take() {
            self.clauses.push(Clause {
                keyword: name.place,
                kind: ClauseKind::Binding {
                    name: name.clone(),
                    value,
                },
            });
        }
        self.steps += 1;
        arguments.insert(0, Argument::Value(Expr::Name(name)));
        let (own, max, shift, words) = (None, None, None, None);
        self.last = Some(Expr::Call {
            function,
            own,
            max,
            arguments,
            parentheses,
            shift,
            words,
        });
    }

    fn finished(mut self) -> Vec<Clause> {
        if let Some(value) = self.last {
            let output = Sum {
                terms: vec![Term {
                    negative: false,
                    value,
                    ratio: None,
                }],
                ratio: None,
            };
            self.clauses.push(Clause {
                keyword: self.keyword,
                kind: ClauseKind::Output(output),
            });
        }
        self.clauses
    }
}

/// Refuses functions of the program, and annotations of integer activations.
pub(crate) fn refuse_annotations(own: bool, annotated: bool, function: &Word) -> Parsed<()> {
    let (message, help) = if own {
        (
            format!(
                "`{}` is a function of the program, which no network over a dense input calls",
                function.value
            ),
            "write one of the language, for example `relu` or `silu`",
        )
    } else if annotated {
        (
            format!(
                "`{}` of floats has neither a shift, a maximum nor a type",
                function.value
            ),
            "remove what follows it",
        )
    } else {
        return Ok(());
    };
    Err(Wrong::new(Code::DenseOperation, function.place, message).help(help))
}
