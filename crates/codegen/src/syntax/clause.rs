//! Clauses of the graph form, and recovery after a wrong one.

use nnue_spec::diagnostic::Code;
use nnue_spec::suggest::nearest;
use syn::Token;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Brace, Bracket, Paren};

use super::ast::{Accumulated, AccumulatorInputs, Clause, ClauseKind, Source, Subnets, Width};
use super::custom::begins_path;
use super::dense::begins_source;
use super::expr::parse_value;
use super::feature::parse_features;
use super::file::{Format, parse_path};
use super::golden::parse_golden;
use super::keyword::{ACCUMULATE, CHAIN_CLAUSES, CLAUSES, FUNCTIONS, STACK_CLAUSES};
use super::limits::{MAX_CLAUSES, too_many};
use super::number::parse_int;
use super::output::parse_output;
use super::parse::Parse;
use super::place::{Parsed, Place, Word, Wrong};
use super::selector::parse_optional_by;
use super::subnets::begins_subnets;
use super::token::{
    expected, found, here, parse_braces, parse_comma, parse_end, parse_parentheses, parse_word,
    peek_word, skip,
};
use super::value::Value;
use super::width::parse_accumulated;
use super::written::{Written, group_text};

/// The place of a clause, which determines the allowed clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// the braces of a graph
    Graph,
    /// the braces after a chain
    Chain,
    /// the braces of `stacks`
    Stacks,
}

impl Scope {
    fn allowed(self) -> &'static [&'static str] {
        match self {
            Self::Graph => &CLAUSES,
            Self::Chain => &CHAIN_CLAUSES,
            Self::Stacks => &STACK_CLAUSES,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Graph => "a network",
            Self::Chain => "the braces after a chain",
            Self::Stacks => "`stacks`",
        }
    }
}

/// Reads all clauses up to the end of the stream. A wrong one is recorded and skipped.
pub(crate) fn parse_clauses(
    input: ParseStream,
    scope: Scope,
    wrongs: &mut Vec<Wrong>,
) -> Vec<Clause> {
    let (mut clauses, mut count) = (Vec::new(), 0);
    while !input.is_empty() {
        count += 1;
        if count > MAX_CLAUSES {
            wrongs.push(too_many(MAX_CLAUSES, "clauses", here(input)));
            while !input.is_empty() {
                skip(input);
            }
            break;
        }
        let before = input.cursor();
        match parse_clause(input, scope, wrongs) {
            Ok(clause) => clauses.push(clause),
            Err(wrong) => {
                wrongs.push(wrong);
                if input.cursor() == before {
                    skip(input);
                }
                recover(input);
            }
        }
    }
    clauses
}

/// Skips the rest of a clause: up to and including its `;` or its braces, or up to the next clause. Braces of an
/// `if` have an `else` after them.
fn recover(input: ParseStream) {
    while !input.is_empty() && !begins_clause(input) {
        let is_block = input.peek(Brace) && !input.peek2(Token![else]);
        let last = input.peek(Token![;]) || is_block;
        skip(input);
        if last {
            break;
        }
    }
    skip_semicolons(input);
}

fn begins_clause(input: ParseStream) -> bool {
    let named = input.peek(syn::Ident::peek_any) && input.peek2(Token![=]);
    let is_keyword = || peek_word(input).is_some_and(|word| CLAUSES.contains(&word.as_str()));
    named || (is_keyword() && !input.peek2(Token![:]))
}

fn skip_semicolons(input: ParseStream) {
    while input.peek(Token![;]) {
        skip(input);
    }
}

fn parse_clause(input: ParseStream, scope: Scope, wrongs: &mut Vec<Wrong>) -> Parsed<Clause> {
    let keyword = here(input);
    let word = peek_word(input)
        .ok_or_else(|| expected(Code::UnknownClause, input, "a clause").help(listed(scope)))?;
    let is_keyword = CLAUSES.contains(&word.as_str());
    let is_named = !is_keyword && input.peek2(Token![=]);
    if !is_keyword && !is_named {
        return Err(unknown_clause(input, &word, scope));
    }
    let allowed = if is_named {
        scope != Scope::Chain
    } else {
        scope.allowed().contains(&word.as_str())
    };
    if !allowed {
        return Err(misplaced(keyword, &word, is_named, scope));
    }
    let kind = if is_named {
        parse_named(input)?
    } else {
        parse_keyword(input, &word, wrongs)?
    };
    let braced = matches!(kind, ClauseKind::Stacks { .. } | ClauseKind::Format(_));
    if !braced || input.peek(Token![;]) {
        parse_semicolon(input)?;
    }
    Ok(Clause { keyword, kind })
}

fn parse_keyword(input: ParseStream, word: &str, wrongs: &mut Vec<Wrong>) -> Parsed<ClauseKind> {
    let keyword = parse_word(input, "a clause")?;
    let is_assignment = matches!(word, "inputs");
    if !is_assignment && input.peek(Token![=]) {
        let message = format!("unexpected `=` after `{word}`");
        return Err(Wrong::new(Code::UnexpectedToken, here(input), message).help("remove the `=`"));
    }
    match word {
        "inputs" => {
            parse_equals(input, &keyword)?;
            parse_features(input).map(ClauseKind::Inputs)
        }
        "let" => {
            refuse_rust(input)?;
            parse_named(input)
        }
        "stacks" => parse_stacks(input, wrongs),
        "output" => parse_output(input),
        "format" => Format::parse(input).map(ClauseKind::Format),
        "value" => Value::parse(input).map(ClauseKind::Value),
        "floats" => parse_word(input, "`fused` or `separate`").map(ClauseKind::Floats),
        "golden" => parse_golden(input).map(ClauseKind::Golden),
        _ => parse_path(input).map(ClauseKind::Weights),
    }
}

/// Refuses the parts of Rust's `let` that bindings do not have: `mut` and a type.
fn refuse_rust(input: ParseStream) -> Parsed<()> {
    let is_name = input.peek(syn::Ident::peek_any);
    if is_name && input.peek2(Token![=]) {
        return Ok(());
    }
    if input.peek(Token![mut]) {
        let wrong = Wrong::new(
            Code::UnexpectedToken,
            here(input),
            "a value is bound once, and needs no `mut`",
        );
        return Err(wrong.help("remove `mut`"));
    }
    if !(is_name && input.peek2(Token![:])) {
        return Err(expected(
            Code::ExpectedName,
            input,
            "a name and `=` after `let`",
        ));
    }
    let name = parse_word(input, "a name")?;
    let ty = Written::until(input, |token| {
        matches!(token.to_string().as_str(), "=" | ";")
    });
    let message = format!(
        "the type of `{}` follows from its operation, found `{}`",
        name.value,
        ty.text()
    );
    let wrong = Wrong::new(
        Code::UnexpectedToken,
        ty.place().unwrap_or(name.place),
        message,
    );
    Err(wrong.help("remove it; the type of weights stands with their layer: `affine(x, 16: i8)`"))
}

fn parse_equals(input: ParseStream, name: &Word) -> Parsed<()> {
    if !input.peek(Token![=]) {
        return Err(expected(
            Code::UnexpectedToken,
            input,
            &format!("`=` after `{}`", name.value),
        ));
    }
    input.parse::<Token![=]>()?;
    Ok(())
}

/// `acc = accumulate(..)` or `h1 = affine(..)`
fn parse_named(input: ParseStream) -> Parsed<ClauseKind> {
    let name = parse_word(input, "a name")?;
    parse_equals(input, &name)?;
    if begins_source(input) {
        return Ok(ClauseKind::Source {
            name,
            source: Source::parse(input)?,
        });
    }
    if begins_subnets(input) {
        return Ok(ClauseKind::Subnets {
            name,
            subnets: Subnets::parse(input)?,
        });
    }
    if is_accumulate(input)? {
        let (inputs, accumulated) = parse_accumulate(input)?;
        return Ok(ClauseKind::Accumulator {
            name,
            inputs,
            accumulated,
        });
    }
    Ok(ClauseKind::Binding {
        name,
        value: parse_value(input)?,
    })
}

/// Whether `accumulate(` is next. A misspelling is an error, because its arguments are not those of an
/// expression.
fn is_accumulate(input: ParseStream) -> Parsed<bool> {
    let Some(word) = peek_word(input).filter(|_| input.peek2(Paren)) else {
        return Ok(false);
    };
    if word == ACCUMULATE || FUNCTIONS.contains(&word.as_str()) {
        return Ok(word == ACCUMULATE);
    }
    match nearest(&word, FUNCTIONS.into_iter().chain([ACCUMULATE])) {
        Some(ACCUMULATE) => {
            let message = format!("unknown function `{word}`");
            Err(Wrong::new(Code::UnknownFunction, here(input), message)
                .help(format!("did you mean `{ACCUMULATE}`?")))
        }
        _ => Ok(false),
    }
}

/// `accumulate(inputs, 1024 @ 127) x 2, psqt 8`
fn parse_accumulate(input: ParseStream) -> Parsed<(AccumulatorInputs, Accumulated)> {
    parse_word(input, ACCUMULATE)?;
    let text = group_text(input);
    let text = text.trim_matches(['(', ')']);
    let (inside, parentheses) = parse_parentheses(input)?;
    let inputs = AccumulatorInputs::parse(&inside)?;
    if inside.is_empty() {
        let message = "expected the width of the accumulator after its inputs";
        let wrong = Wrong::new(Code::ExpectedNumber, parentheses, message);
        return Err(wrong.help(format!(
            "write the width of the network after them, for example `({}, 256)`",
            text.trim()
        )));
    }
    parse_comma(&inside, "the inputs")?;
    if !inside.peek(syn::LitInt)
        && (inside.peek2(Bracket) || peek_word(&inside).as_deref() == Some("inputs"))
    {
        return Err(swapped(&inside, parentheses));
    }
    let width = Width::parse(&inside)?;
    if inside.peek(Token![,]) {
        inside.parse::<Token![,]>()?;
    }
    parse_end(&inside, "the width")?;
    Ok((inputs, parse_accumulated(width, input)?))
}

/// `accumulate(64, Chess768[..])`
fn swapped(inside: ParseStream, parentheses: Place) -> Wrong {
    let inputs = Written::until(inside, |_| false).text();
    Wrong::new(
        Code::ArgumentKind,
        parentheses,
        "the inputs of an accumulator come before its width",
    )
    .help(format!("write for example `accumulate({inputs}, 64)`"))
}

impl Parse for AccumulatorInputs {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let written_out = begins_path(input)
            || input.peek2(Bracket)
            || input.peek2(Token![as])
            || input.peek2(Token![+])
            || input.peek2(Token![^]);
        if peek_word(input).is_some() && !written_out {
            return parse_word(input, "`inputs`").map(Self::Name);
        }
        parse_features(input).map(Self::Features)
    }
}

/// `stacks 8 by (piece_count - 1) / 4 { .. }`
fn parse_stacks(input: ParseStream, wrongs: &mut Vec<Wrong>) -> Parsed<ClauseKind> {
    let count = parse_int(input, "the number of stacks")?;
    let by = parse_optional_by(input)?;
    if !input.peek(Brace) {
        let what = if by.is_some() {
            "`{` and the layers of a stack"
        } else {
            "`by` or `{`"
        };
        return Err(expected(Code::UnexpectedToken, input, what));
    }
    let (inside, _) = parse_braces(input)?;
    let clauses = parse_clauses(&inside, Scope::Stacks, wrongs);
    Ok(ClauseKind::Stacks { count, by, clauses })
}

/// The `;` of a clause.
fn parse_semicolon(input: ParseStream) -> Parsed<()> {
    if input.peek(Token![;]) {
        skip_semicolons(input);
        return Ok(());
    }
    if input.is_empty() || begins_clause(input) {
        let message = format!(
            "expected `;` at the end of the clause, found {}",
            found(input)
        );
        return Err(Wrong::new(Code::MissingSemicolon, here(input), message)
            .help("end the clause with `;`"));
    }
    Err(expected(Code::UnexpectedToken, input, "`;`"))
}

fn unknown_clause(input: ParseStream, word: &str, scope: Scope) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownClause,
        here(input),
        format!("unknown clause `{word}`"),
    );
    match (
        nearest(word, scope.allowed().iter().copied()),
        instead_of(word),
    ) {
        (Some(near), _) => wrong.help(format!("did you mean `{near}`?")),
        (None, Some(instead)) => wrong.help(instead),
        (None, None) => wrong.help(listed(scope)),
    }
}

/// The clause to write instead of a word of another language or trainer.
fn instead_of(word: &str) -> Option<&'static str> {
    Some(match word {
        "version" | "encoding" => {
            "it is a field of a clause: `format stockfish { version: 0x7AF32F20 }`"
        }
        "order" | "skip" | "padding" => {
            "it is a field of a clause: `format raw { padding: zeros }`"
        }
        "scale" | "eval_scale" => {
            "the value says what an output of 1.0 is worth: `value output * 400;`"
        }
        "return" => "write `output`",
        "features" => "write `inputs`",
        "hidden" | "layers" | "accumulator" => {
            "name values: `acc = accumulate(Chess768[..], 256) x 2;`"
        }
        _ => return None,
    })
}

fn listed(scope: Scope) -> String {
    let words: Vec<String> = scope
        .allowed()
        .iter()
        .map(|word| format!("`{word}`"))
        .collect();
    let names = if scope == Scope::Chain {
        ""
    } else {
        ", or a name and `=`"
    };
    format!(
        "clauses of {} begin with {}{names}",
        scope.name(),
        words.join(", ")
    )
}

fn misplaced(place: Place, word: &str, named: bool, scope: Scope) -> Wrong {
    let what = if named {
        format!("a binding such as `{word} = ..`")
    } else {
        format!("`{word}`")
    };
    let wrong = Wrong::new(
        Code::MisplacedClause,
        place,
        format!("{what} is not allowed in {}", scope.name()),
    );
    match scope {
        Scope::Chain if named || !is_file_clause(word) => {
            wrong.help("to name values, write the graph form: `struct Name { .. }`")
        }
        _ => wrong.help("move it outside the braces"),
    }
}

fn is_file_clause(word: &str) -> bool {
    CHAIN_CLAUSES.contains(&word)
}
