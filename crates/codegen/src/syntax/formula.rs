//! Formulas over the number of pieces: `min((63 - piece_count) * (32 - piece_count) / 225, 7)`. They are
//! evaluated here for every number of pieces, and become a table.
//!
//! ```text
//!   sum     = product ( ( '+' | '-' ) product )*
//!   product = atom ( ( '*' | '/' ) atom )*                    division rounds toward zero
//!   atom    = INT | 'piece_count' | '(' sum ')' | ( 'min' | 'max' ) '(' sum ',' sum ')'
//! ```

use nnue_spec::diagnostic::Code;
use nnue_spec::quant::MAX_PIECES;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::number::parse_int;
use super::place::{Parsed, Wrong};
use super::token::{found, here, is_word, parse_comma, parse_end, parse_parentheses, parse_word};

/// Greatest number of operations in a formula, more than any real one has.
const MAX_OPERATIONS: usize = 64;

/// The values for 0 to 32 pieces; `None` where a step overflows 64 bits or divides by zero.
pub(crate) type Values = [Option<i64>; MAX_PIECES as usize + 1];

/// Reads a formula.
pub(crate) fn parse_formula(input: ParseStream) -> Parsed<Values> {
    let mut left = MAX_OPERATIONS;
    parse_sum(input, &mut left)
}

fn parse_sum(input: ParseStream, left: &mut usize) -> Parsed<Values> {
    let mut sum = parse_product(input, left)?;
    loop {
        let operation: fn(i64, i64) -> Option<i64> = if input.peek(Token![+]) {
            input.parse::<Token![+]>()?;
            i64::checked_add
        } else if input.peek(Token![-]) {
            input.parse::<Token![-]>()?;
            i64::checked_sub
        } else {
            return Ok(sum);
        };
        count(input, left)?;
        sum = join(sum, parse_product(input, left)?, operation);
    }
}

fn parse_product(input: ParseStream, left: &mut usize) -> Parsed<Values> {
    let mut product = parse_atom(input, left)?;
    loop {
        let operation: fn(i64, i64) -> Option<i64> = if input.peek(Token![*]) {
            input.parse::<Token![*]>()?;
            i64::checked_mul
        } else if input.peek(Token![/]) {
            input.parse::<Token![/]>()?;
            i64::checked_div
        } else {
            return Ok(product);
        };
        count(input, left)?;
        product = join(product, parse_atom(input, left)?, operation);
    }
}

fn parse_atom(input: ParseStream, left: &mut usize) -> Parsed<Values> {
    if input.peek(syn::LitInt) {
        let number = parse_int(input, "a number")?;
        return Ok([i64::try_from(number.value).ok(); MAX_PIECES as usize + 1]);
    }
    if is_word(input, "piece_count") {
        parse_word(input, "`piece_count`")?;
        return Ok(std::array::from_fn(|pieces| i64::try_from(pieces).ok()));
    }
    for (name, operation) in [("min", Ord::min as fn(i64, i64) -> i64), ("max", Ord::max)] {
        if is_word(input, name) && input.peek2(Paren) {
            parse_word(input, name)?;
            let (inside, _) = parse_parentheses(input)?;
            count(input, left)?;
            let first = parse_sum(&inside, left)?;
            parse_comma(&inside, "the first number")?;
            let second = parse_sum(&inside, left)?;
            parse_end(&inside, "the second number")?;
            return Ok(join(first, second, |a, b| Some(operation(a, b))));
        }
    }
    if input.peek(Paren) {
        let (inside, _) = parse_parentheses(input)?;
        let value = parse_sum(&inside, left)?;
        parse_end(&inside, "the number")?;
        return Ok(value);
    }
    let message = format!(
        "expected a number, `piece_count`, `min`, `max` or parentheses, found {}",
        found(input)
    );
    Err(Wrong::new(Code::BadSelector, here(input), message)
        .help("write for example `by (piece_count - 1) / 4`"))
}

fn count(input: ParseStream, left: &mut usize) -> Parsed<()> {
    *left = left.checked_sub(1).ok_or_else(|| {
        let message = format!("a formula has at most {MAX_OPERATIONS} operations");
        Wrong::new(Code::BadSelector, here(input), message)
            .help("write a table of 33 numbers: `by [0 x 33]`")
    })?;
    Ok(())
}

fn join(a: Values, b: Values, operation: impl Fn(i64, i64) -> Option<i64>) -> Values {
    std::array::from_fn(|pieces| operation(a[pieces]?, b[pieces]?))
}
