//! Values of the graph: names, calls, slices, shifts, and their arithmetic, with the operators and precedence of
//! Rust: `(affine(x, 16) >> 8) * 2 + h1[..16]`.
//!
//! ```text
//!   value  = shift ( compare shift )?                    compare = '<' | '<=' | '>' | '>=' | '==' | '!='
//!   shift  = sum ( ( '<<' | '>>' ) sum )*
//!   sum    = term ( ( '+' | '-' ) term )*
//!   term   = cast ( ( '*' | '/' ) cast )*
//!   cast   = sign ( 'as' ( 'f32' | 'i8' | 'i16' ) )*
//!   sign   = '-'? atom
//!   atom   = INT | FLOAT | name | call | '(' value ')' slices | choice
//!   choice = 'if' value '{' value '}' 'else' ( choice | '{' value '}' )
//! ```

use nnue_spec::diagnostic::Code;
use nnue_spec::model::Arithmetic;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{LitFloat, LitInt, Token};

use super::ast::{Activated, Argument, Expr, Number, Width};
use super::custom::begins_path;
use super::function::Called;
use super::number::{parse_float, parse_int};
use super::parse::Parse;
use super::place::{At, Int, Parsed, Place, Wrong};
use super::token::{
    expected, here, parse_braces, parse_brackets, parse_comma, parse_end, parse_parentheses,
    parse_word, peek_word,
};

/// Greatest number of nested slices; one is always enough.
const MAX_SLICES: usize = 8;

/// Greatest number of operators, types and choices in one value: each nests the value once more.
const MAX_OPERATORS: usize = 32;

/// A value with operators.
pub(super) fn parse_value(input: ParseStream) -> Parsed<Expr> {
    let mut operators = 0;
    parse_level(input, &LEVELS, &mut operators)
}

/// Whether an operator is next.
fn begins_operator(input: ParseStream) -> bool {
    LEVELS
        .iter()
        .any(|level| peek_operator(input, level).is_some())
}

/// The operators between two values, those that bind least first.
const LEVELS: [&[Arithmetic]; 4] = [
    &[
        Arithmetic::LessOrEqual,
        Arithmetic::GreaterOrEqual,
        Arithmetic::Less,
        Arithmetic::Greater,
        Arithmetic::Equal,
        Arithmetic::NotEqual,
    ],
    &[Arithmetic::ShiftLeft, Arithmetic::ShiftRight],
    &[Arithmetic::Add, Arithmetic::Subtract],
    &[Arithmetic::Multiply, Arithmetic::Divide],
];

fn parse_level(
    input: ParseStream,
    levels: &[&[Arithmetic]],
    operators: &mut usize,
) -> Parsed<Expr> {
    let Some((level, tighter)) = levels.split_first() else {
        return parse_cast(input, operators);
    };
    let mut value = parse_level(input, tighter, operators)?;
    while let Some(operation) = peek_operator(input, level) {
        count_operator(input, operators)?;
        let place = take_operator(input, operation)?;
        let second = parse_level(input, tighter, operators)?;
        value = Expr::Operator {
            operation,
            place,
            operands: vec![value, second],
        };
        if operation.is_comparison() && peek_operator(input, level).is_some() {
            return Err(chained(here(input)));
        }
    }
    Ok(value)
}

fn count_operator(input: ParseStream, operators: &mut usize) -> Parsed<()> {
    *operators += 1;
    if *operators <= MAX_OPERATORS {
        return Ok(());
    }
    let message = format!("a value has up to {MAX_OPERATORS} operators, and here are more");
    let wrong = Wrong::new(Code::Limit, here(input), message);
    Err(wrong.help("bind a part of it to a name: `let c = clamp(h1, 0, 64);`"))
}

/// `a < b < c`, which Rust refuses too; `place` is the second operator.
fn chained(place: Place) -> Wrong {
    let message = "a comparison has two operands, and this is its third";
    let wrong = Wrong::new(Code::Arithmetic, place, message);
    wrong.help("compare twice: `(a < b) * (b < c)` is 1 where both hold")
}

fn peek_operator(input: ParseStream, level: &[Arithmetic]) -> Option<Arithmetic> {
    let is_next = |operation: &Arithmetic| match operation {
        Arithmetic::LessOrEqual => input.peek(Token![<=]),
        Arithmetic::GreaterOrEqual => input.peek(Token![>=]),
        Arithmetic::Less => input.peek(Token![<]) && !input.peek(Token![<<]),
        Arithmetic::Greater => input.peek(Token![>]) && !input.peek(Token![>>]),
        Arithmetic::Equal => input.peek(Token![==]),
        Arithmetic::NotEqual => input.peek(Token![!=]),
        Arithmetic::ShiftLeft => input.peek(Token![<<]) && !input.peek(Token![<<=]),
        Arithmetic::ShiftRight => input.peek(Token![>>]) && !input.peek(Token![>>=]),
        Arithmetic::Add => input.peek(Token![+]) && !input.peek(Token![+=]),
        Arithmetic::Subtract => {
            input.peek(Token![-]) && !input.peek(Token![->]) && !input.peek(Token![-=])
        }
        Arithmetic::Multiply => input.peek(Token![*]) && !input.peek(Token![*=]),
        Arithmetic::Divide => input.peek(Token![/]) && !input.peek(Token![/=]),
        _ => false,
    };
    level.iter().copied().find(is_next)
}

fn take_operator(input: ParseStream, operation: Arithmetic) -> Parsed<Place> {
    let place = here(input);
    match operation {
        Arithmetic::LessOrEqual => drop(input.parse::<Token![<=]>()?),
        Arithmetic::GreaterOrEqual => drop(input.parse::<Token![>=]>()?),
        Arithmetic::Less => drop(input.parse::<Token![<]>()?),
        Arithmetic::Greater => drop(input.parse::<Token![>]>()?),
        Arithmetic::Equal => drop(input.parse::<Token![==]>()?),
        Arithmetic::NotEqual => drop(input.parse::<Token![!=]>()?),
        Arithmetic::ShiftLeft => drop(input.parse::<Token![<<]>()?),
        Arithmetic::ShiftRight => drop(input.parse::<Token![>>]>()?),
        Arithmetic::Add => drop(input.parse::<Token![+]>()?),
        Arithmetic::Subtract => drop(input.parse::<Token![-]>()?),
        Arithmetic::Multiply => drop(input.parse::<Token![*]>()?),
        _ => drop(input.parse::<Token![/]>()?),
    }
    Ok(place)
}

/// `h1 as f32`, `h1 as i16`
fn parse_cast(input: ParseStream, operators: &mut usize) -> Parsed<Expr> {
    let mut value = parse_signed(input, operators)?;
    while input.peek(Token![as]) {
        count_operator(input, operators)?;
        let place = here(input);
        input.parse::<Token![as]>()?;
        let element = parse_word(input, "a type after `as`")?;
        let operation = match &*element.value {
            "f32" => Arithmetic::ToFloat,
            "i8" => Arithmetic::ToI8,
            "i16" => Arithmetic::ToI16,
            other => {
                let message =
                    format!("values of layers become `f32`, `i8` or `i16`, not `{other}`");
                let wrong = Wrong::new(Code::Arithmetic, element.place, message);
                return Err(wrong.help("write `h1 as f32`"));
            }
        };
        value = Expr::Operator {
            operation,
            place: place.to(element.place),
            operands: vec![value],
        };
    }
    Ok(value)
}

/// `if y > 0 { y } else { y >> 3 }`
fn parse_choice(input: ParseStream, operators: &mut usize) -> Parsed<Expr> {
    count_operator(input, operators)?;
    let place = here(input);
    input.parse::<Token![if]>()?;
    let condition = parse_value(input)?;
    let chosen = parse_block(input)?;
    if !input.peek(Token![else]) {
        let wrong = expected(Code::Arithmetic, input, "`else`");
        return Err(wrong.help("write both values: `if y > 0 { y } else { y >> 3 }`"));
    }
    input.parse::<Token![else]>()?;
    let other = match input.peek(Token![if]) {
        true => parse_choice(input, operators)?,
        false => parse_block(input)?,
    };
    Ok(Expr::Operator {
        operation: Arithmetic::Select,
        place,
        operands: vec![condition, chosen, other],
    })
}

/// `{ y >> 3 }`
fn parse_block(input: ParseStream) -> Parsed<Expr> {
    let (inside, _) = parse_braces(input)?;
    let value = parse_value(&inside)?;
    parse_end(&inside, "the value in braces")?;
    Ok(value)
}

fn parse_signed(input: ParseStream, operators: &mut usize) -> Parsed<Expr> {
    if !input.peek(Token![-]) || input.peek(Token![->]) {
        return parse_atom(input, operators);
    }
    let place = here(input);
    input.parse::<Token![-]>()?;
    Ok(Expr::Operator {
        operation: Arithmetic::Negate,
        place,
        operands: vec![parse_atom(input, operators)?],
    })
}

fn parse_atom(input: ParseStream, operators: &mut usize) -> Parsed<Expr> {
    if input.peek(LitInt) {
        return parse_int(input, "a number").map(Expr::Number);
    }
    if input.peek(LitFloat) {
        return parse_float(input).map(Expr::Float);
    }
    if input.peek(Token![if]) {
        return parse_choice(input, operators);
    }
    if !input.peek(Paren) {
        return Expr::parse(input);
    }
    let (inside, _) = parse_parentheses(input)?;
    let value = parse_value(&inside)?;
    parse_end(&inside, "the value in parentheses")?;
    parse_slices(value, input)
}

impl Parse for Expr {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if peek_word(input).is_none() && !begins_path(input) {
            return Err(expected(
                Code::ExpectedName,
                input,
                "a name or a function such as `affine(..)`",
            ));
        }
        let function = Called::parse(input, "a name")?;
        let expr = if input.peek(Paren) {
            parse_call(function, input)?
        } else {
            Self::Name(function.word)
        };
        parse_slices(expr, input)
    }
}

/// Takes the slices after a value: `[..15]`.
fn parse_slices(value: Expr, input: ParseStream) -> Parsed<Expr> {
    let (mut value, mut slices) = (value, 0);
    while input.peek(Bracket) {
        if slices == MAX_SLICES {
            let message = format!("a value is cut more than {MAX_SLICES} times");
            return Err(Wrong::new(Code::BadSlice, here(input), message).help("write one slice"));
        }
        slices += 1;
        value = parse_slice(value, input)?;
    }
    Ok(value)
}

/// The arguments of a function, and its annotations.
pub(super) fn parse_call(function: Called, input: ParseStream) -> Parsed<Expr> {
    let (inside, parentheses) = parse_parentheses(input)?;
    let mut arguments = Vec::new();
    while !inside.is_empty() {
        arguments.push(Argument::parse(&inside)?);
        if !inside.is_empty() {
            parse_comma(&inside, "the argument")?;
        }
    }
    let Activated {
        function,
        own,
        max,
        shift,
        words,
    } = function.annotated(input)?;
    Ok(Expr::Call {
        function,
        own,
        max,
        arguments,
        parentheses,
        shift,
        words,
    })
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if input.peek(LitInt) && !input.peek(Token![-]) && !has_operator_after(input) {
            return Width::parse(input).map(Self::Width);
        }
        match parse_option(input)? {
            Some(option) => Ok(option),
            None => parse_value(input).map(Self::Value),
        }
    }
}

/// Whether an operator follows the number that is next.
fn has_operator_after(input: ParseStream) -> bool {
    let ahead = input.fork();
    ahead.parse::<LitInt>().is_ok() && begins_operator(&ahead)
}

/// Takes `kernel 3` or `eps 1e-3`, if it is next.
fn parse_option(input: ParseStream) -> Parsed<Option<Argument>> {
    if peek_word(input).is_none() || !(input.peek2(LitInt) || input.peek2(LitFloat)) {
        return Ok(None);
    }
    let name = parse_word(input, "an option")?;
    let value = if input.peek(LitFloat) {
        let literal: LitFloat = input.parse()?;
        Number::Decimal(At::new(literal.base10_parse()?, Place::of(literal.span())))
    } else {
        Number::Whole(parse_int(
            input,
            &format!("a number after `{}`", name.value),
        )?)
    };
    Ok(Some(Argument::Option { name, value }))
}

/// `[15]`, `[..15]`, `[2..5]`, `[2..]`
fn parse_slice(cut: Expr, input: ParseStream) -> Parsed<Expr> {
    let (inside, brackets) = parse_brackets(input)?;
    let start = parse_optional_index(&inside)?;
    if let (Some(index), true) = (start, inside.is_empty()) {
        let end = Int::new(index.value.saturating_add(1), index.place);
        return Ok(Expr::Slice {
            input: Box::new(cut),
            start,
            end: Some(end),
            brackets,
        });
    }
    if !inside.peek(Token![..]) || inside.peek(Token![..=]) {
        return Err(bad_slice(here(&inside)));
    }
    inside.parse::<Token![..]>()?;
    let end = parse_optional_index(&inside)?;
    if !inside.is_empty() {
        return Err(bad_slice(here(&inside)));
    }
    Ok(Expr::Slice {
        input: Box::new(cut),
        start,
        end,
        brackets,
    })
}

fn parse_optional_index(input: ParseStream) -> Parsed<Option<Int>> {
    if input.peek(LitInt) {
        parse_int(input, "an index").map(Some)
    } else {
        Ok(None)
    }
}

fn bad_slice(place: Place) -> Wrong {
    Wrong::new(Code::BadSlice, place, "expected an index or a range")
        .help("write for example `h1[15]`, `h1[..15]` or `h1[2..5]`")
}
