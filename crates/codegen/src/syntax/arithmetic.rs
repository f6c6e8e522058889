//! Arithmetic of values: `(affine(x, 16) >> 8) * 2 + h1[..16]`, with the operators and precedence of Rust.
//!
//! ```text
//!   value = sum ( ( '<<' | '>>' ) sum )*
//!   sum   = term ( ( '+' | '-' ) term )*
//!   term  = sign ( ( '*' | '/' ) sign )*
//!   sign  = '-'? atom
//!   atom  = INT | name | call | '(' value ')' slices
//! ```

use nnue_spec::diagnostic::Code;
use nnue_spec::model::Arithmetic;
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{LitInt, Token};

use super::ast::Expr;
use super::expr::parse_slices;
use super::number::parse_int;
use super::parse::Parse;
use super::place::{Parsed, Place, Wrong};
use super::token::{here, parse_end, parse_parentheses};

/// Greatest number of operators in one value.
const MAX_OPERATORS: usize = 32;

/// A value with operators.
pub(super) fn parse_value(input: ParseStream) -> Parsed<Expr> {
    let mut operators = 0;
    parse_level(input, &LEVELS, &mut operators)
}

/// Whether an operator is next.
pub(super) fn begins_operator(input: ParseStream) -> bool {
    LEVELS
        .iter()
        .any(|level| peek_operator(input, level).is_some())
}

/// The operators between two values, those that bind least first.
const LEVELS: [[Arithmetic; 2]; 3] = [
    [Arithmetic::ShiftLeft, Arithmetic::ShiftRight],
    [Arithmetic::Add, Arithmetic::Subtract],
    [Arithmetic::Multiply, Arithmetic::Divide],
];

fn parse_level(
    input: ParseStream,
    levels: &[[Arithmetic; 2]],
    operators: &mut usize,
) -> Parsed<Expr> {
    let Some((level, tighter)) = levels.split_first() else {
        return parse_signed(input);
    };
    let mut value = parse_level(input, tighter, operators)?;
    while let Some(operation) = peek_operator(input, level) {
        *operators += 1;
        if *operators > MAX_OPERATORS {
            let message = format!("a value has up to {MAX_OPERATORS} operators, and here are more");
            let wrong = Wrong::new(Code::Limit, here(input), message);
            return Err(wrong.help("bind a part of it to a name: `let c = clamp(h1, 0, 64);`"));
        }
        let place = take_operator(input, operation)?;
        let second = parse_level(input, tighter, operators)?;
        value = Expr::Operator {
            operation,
            place,
            operands: vec![value, second],
        };
    }
    Ok(value)
}

fn peek_operator(input: ParseStream, level: &[Arithmetic; 2]) -> Option<Arithmetic> {
    let is_next = |operation: &Arithmetic| match operation {
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
        Arithmetic::ShiftLeft => drop(input.parse::<Token![<<]>()?),
        Arithmetic::ShiftRight => drop(input.parse::<Token![>>]>()?),
        Arithmetic::Add => drop(input.parse::<Token![+]>()?),
        Arithmetic::Subtract => drop(input.parse::<Token![-]>()?),
        Arithmetic::Multiply => drop(input.parse::<Token![*]>()?),
        _ => drop(input.parse::<Token![/]>()?),
    }
    Ok(place)
}

fn parse_signed(input: ParseStream) -> Parsed<Expr> {
    if !input.peek(Token![-]) || input.peek(Token![->]) {
        return parse_atom(input);
    }
    let place = here(input);
    input.parse::<Token![-]>()?;
    Ok(Expr::Operator {
        operation: Arithmetic::Negate,
        place,
        operands: vec![parse_atom(input)?],
    })
}

fn parse_atom(input: ParseStream) -> Parsed<Expr> {
    if input.peek(LitInt) {
        return parse_int(input, "a number").map(Expr::Number);
    }
    if !input.peek(Paren) {
        return Expr::parse(input);
    }
    let (inside, _) = parse_parentheses(input)?;
    let value = parse_value(&inside)?;
    parse_end(&inside, "the value in parentheses")?;
    parse_slices(value, input)
}
