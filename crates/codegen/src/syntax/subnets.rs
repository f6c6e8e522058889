//! Subnets, `from = subnets(Chess768[..], 64 x 8: f32)`, and their logit,
//! `output policy = dot(relu(from), relu(to)) + terms[6]`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{Ident, Token};

use super::ast::{AccumulatorInputs, Expr, Logit, Product, Subnets};
use super::keyword::{DOT, SUBNETS};
use super::number::{parse_int, parse_multiplied, parse_scale};
use super::parse::Parse;
use super::place::{Parsed, Wrong};
use super::token::{
    expected, here, is_word, parse_brackets, parse_comma, parse_end, parse_parentheses, parse_word,
};
use super::width::parse_element;

/// The word for the terms that can be added to a logit.
const TERMS: &str = "terms";

/// Whether `subnets(` is next.
pub(super) fn begins_subnets(input: ParseStream) -> bool {
    is_word(input, SUBNETS) && input.peek2(Paren)
}

/// Whether `policy = dot(` is next.
pub(super) fn begins_logit(input: ParseStream) -> bool {
    let ahead = input.fork();
    let named = ahead.parse::<Ident>().is_ok() && ahead.parse::<Token![=]>().is_ok();
    named && is_word(&ahead, DOT) && ahead.peek2(Paren)
}

impl Parse for Subnets {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let place = parse_word(input, "`subnets`")?.place;
        let (inside, parentheses) = parse_parentheses(input)?;
        let inputs = AccumulatorInputs::parse(&inside)?;
        if inside.is_empty() {
            let message = "`subnets` takes what they read, their number and their neurons";
            let wrong = Wrong::new(Code::ArgumentCount, parentheses, message);
            return Err(wrong.help("write for example `subnets(Chess768[..], 64 x 8: f32)`"));
        }
        parse_comma(&inside, "what the subnets read")?;
        let (count, width) = parse_multiplied(&inside, "a number of subnets")?;
        let Some(width) = width else {
            let message = format!(
                "`{}` is the number of subnets, and the neurons of each are missing",
                count.value
            );
            let wrong = Wrong::new(Code::ExpectedNumber, count.place, message);
            return Err(wrong.help(format!("write for example `{} x 8`", count.value)));
        };
        let (element, scale) = (parse_element(&inside)?, parse_scale(&inside)?);
        let of_layers = ["sums", "binary", "bias", "unit"];
        if of_layers.into_iter().any(|word| is_word(&inside, word)) {
            let wrong = Wrong::new(
                Code::MisplacedAnnotation,
                here(&inside),
                "subnets have a type and a scale only",
            );
            return Err(wrong.help("remove it"));
        }
        parse_end(&inside, "the neurons of a subnet")?;
        Ok(Self {
            place,
            inputs,
            count,
            width,
            element,
            scale,
        })
    }
}

impl Parse for Logit {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let mut products = vec![parse_product(input, false)?];
        let mut terms = None;
        while input.peek(Token![+]) || input.peek(Token![-]) {
            let negative = input.peek(Token![-]);
            let sign = here(input);
            if negative {
                input.parse::<Token![-]>()?;
            } else {
                input.parse::<Token![+]>()?;
            }
            if !is_word(input, TERMS) {
                if terms.is_some() {
                    let wrong = Wrong::new(
                        Code::BadOutput,
                        here(input),
                        "nothing follows the terms of a logit",
                    );
                    return Err(wrong.help("write the products before them"));
                }
                products.push(parse_product(input, negative)?);
                continue;
            }
            let word = parse_word(input, TERMS)?;
            if negative || terms.is_some() {
                let message = "a logit has one list of terms, which are added";
                let place = if negative { sign } else { word.place };
                return Err(Wrong::new(Code::BadOutput, place, message)
                    .help("write `+ terms[6]` once, at the end"));
            }
            if !input.peek(Bracket) {
                let wrong = expected(Code::BadOutput, input, "the number of terms in brackets");
                return Err(wrong.help("write for example `terms[6]`"));
            }
            let (inside, _) = parse_brackets(input)?;
            terms = Some(parse_int(&inside, "a number of terms")?);
            parse_end(&inside, "the number of terms")?;
        }
        Ok(Self { products, terms })
    }
}

/// `dot(relu(from), relu(to))`
fn parse_product(input: ParseStream, negative: bool) -> Parsed<Product> {
    if !is_word(input, DOT) {
        let wrong = expected(Code::BadOutput, input, "`dot(..)` or `terms[..]`");
        return Err(wrong.help("a logit is a sum such as `dot(relu(from), relu(to)) + terms[6]`"));
    }
    let word = parse_word(input, DOT)?.place;
    if !input.peek(Paren) {
        return Err(expected(Code::BadOutput, input, "`(` after `dot`")
            .help("write `dot(relu(from), relu(to))`"));
    }
    let (inside, parentheses) = parse_parentheses(input)?;
    let first = Expr::parse(&inside)?;
    if inside.is_empty() {
        let wrong = Wrong::new(
            Code::ArgumentCount,
            parentheses,
            "`dot` takes 2 arguments, found 1",
        );
        return Err(wrong.help("write for example `dot(relu(from), relu(to))`"));
    }
    parse_comma(&inside, "the first value")?;
    let second = Expr::parse(&inside)?;
    parse_end(&inside, "the second value of `dot`")?;
    Ok(Product {
        negative,
        operands: [first, second],
        word,
    })
}
