//! The output: `affine(a, 1) + h1[15] * 9600 / 8128`, `(affine(a, 1) + h1[30] - h1[31]) as i64 * 9600 / 16384`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::ast::{Expr, Ratio, Sum, Term};
use super::number::{parse_int, peek_fraction};
use super::parse::Parse;
use super::place::{Int, Parsed, Wrong};
use super::token::{expected, found, here, is_word, parse_end, parse_parentheses, parse_word};

/// The most neurons that can be added by name; for more, a layer is the right form.
const MAX_TERMS: usize = 64;

impl Parse for Sum {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if !input.peek(Paren) {
            return Ok(Self { terms: parse_terms(input)?, ratio: None });
        }
        let (inside, _) = parse_parentheses(input)?;
        let terms = parse_terms(&inside)?;
        parse_end(&inside, "the sum")?;
        let ratio = parse_ratio(input)?;
        if input.peek(Token![+]) || input.peek(Token![-]) {
            let message = "nothing can be added to a sum in parentheses";
            return Err(Wrong::new(Code::BadOutput, here(input), message)
                .help("put all terms inside the parentheses, or leave the parentheses out"));
        }
        Ok(Self { terms, ratio })
    }
}

fn parse_terms(input: ParseStream) -> Parsed<Vec<Term>> {
    let mut terms = vec![parse_term(input)?];
    while input.peek(Token![+]) || (input.peek(Token![-]) && !input.peek(Token![->])) {
        if terms.len() == MAX_TERMS {
            let message = format!("an output has at most {MAX_TERMS} terms");
            return Err(
                Wrong::new(Code::BadOutput, here(input), message).help("add neurons in a layer: `affine(x, 1)`")
            );
        }
        terms.push(parse_term(input)?);
    }
    Ok(terms)
}

/// A term with the sign before it.
fn parse_term(input: ParseStream) -> Parsed<Term> {
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    } else if input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
    }
    if input.peek(syn::LitInt) {
        let message = "a number cannot be a term of the output";
        return Err(Wrong::new(Code::BadOutput, here(input), message)
            .help("write the factor after its term: `h1[15] * 9600 / 8128`"));
    }
    Ok(Term { negative, value: Expr::parse(input)?, ratio: parse_ratio(input)? })
}

/// Takes `as i64 * 9600 / 8128`, if it is next.
fn parse_ratio(input: ParseStream) -> Parsed<Option<Ratio>> {
    let wide = parse_wide(input)?;
    let start = here(input);
    let num = parse_factor(input, Factor::Times)?;
    let den = parse_factor(input, Factor::Over)?;
    let one = |place| Int::new(1, place);
    Ok(match (num, den) {
        (None, None) if wide => {
            return Err(expected(Code::BadOutput, input, "`*` after `as i64`")
                .help("write for example `as i64 * 9600 / 16384`"));
        }
        (None, None) => None,
        (Some(num), None) => Some(Ratio { wide, num, den: one(num.place) }),
        (None, Some(den)) => Some(Ratio { wide, num: one(start), den }),
        (Some(num), Some(den)) => Some(Ratio { wide, num, den }),
    })
}

fn parse_wide(input: ParseStream) -> Parsed<bool> {
    if !input.peek(Token![as]) {
        return Ok(false);
    }
    input.parse::<Token![as]>()?;
    if !is_word(input, "i64") {
        return Err(expected(Code::BadOutput, input, "`i64` after `as`")
            .help("`as i64` takes the product in 64 bits; without it, it wraps in 32"));
    }
    parse_word(input, "`i64`")?;
    Ok(true)
}

enum Factor {
    Times,
    Over,
}

fn parse_factor(input: ParseStream, factor: Factor) -> Parsed<Option<Int>> {
    match factor {
        Factor::Times if input.peek(Token![*]) => {
            input.parse::<Token![*]>()?;
            refuse_fraction(input)?;
            parse_int(input, "a number after `*`").map(Some)
        }
        Factor::Over if input.peek(Token![/]) => {
            input.parse::<Token![/]>()?;
            parse_int(input, "a number after `/`").map(Some)
        }
        _ => Ok(None),
    }
}

/// Refuses `h1[15] * 2.5` and `h1[15] * -400`.
fn refuse_fraction(input: ParseStream) -> Parsed<()> {
    if let Some((num, den)) = peek_fraction(input).filter(|(_, den)| *den > 1) {
        let message = format!("a factor is a fraction of whole numbers, found {}", found(input));
        return Err(Wrong::new(Code::BadNumber, here(input), message).help(format!("write `{num} / {den}`")));
    }
    if input.peek(Token![-]) {
        let message = "a factor has no sign, found `-`";
        let wrong = Wrong::new(Code::BadNumber, here(input), message);
        return Err(wrong.help("subtract the term: `affine(x, 1) - h1[15] * 400`"));
    }
    Ok(())
}
