//! Outputs: `affine(a, 1) + h1[15] * 9600 / 8128`, `(affine(a, 1) + h1[30] - h1[31]) as i64 * 9600 / 16384`,
//! and named outputs: `wdl = wdl(affine(a, 3))`, `moves_left = relu(affine(a, 1)) * 100`,
//! `policy = rows(x, 1880)`.

use nnue_spec::diagnostic::Code;
use syn::Token;
use syn::parse::ParseStream;
use syn::token::Paren;

use super::ast::{ClauseKind, Expr, Head, HeadForm, Logit, Ratio, Sum, Term, Width};
use super::number::{parse_int, peek_fraction};
use super::parse::Parse;
use super::place::{Int, Parsed, Word, Wrong};
use super::subnets::begins_logit;
use super::token::{
    expected, found, here, is_word, parse_comma, parse_end, parse_parentheses, parse_word,
    peek_word,
};

/// Greatest number of neurons that are added by name; for more, a layer is the right form.
const MAX_TERMS: usize = 64;

/// The output of the value, optionally named `value`, or a named output.
pub(super) fn parse_output(input: ParseStream) -> Parsed<ClauseKind> {
    if peek_word(input).is_none() || !input.peek2(Token![=]) {
        return Sum::parse(input).map(ClauseKind::Output);
    }
    if is_word(input, "value") {
        parse_word(input, "`value`")?;
        input.parse::<Token![=]>()?;
        return Sum::parse(input).map(ClauseKind::Output);
    }
    if begins_logit(input) {
        parse_name(input)?;
        return Logit::parse(input).map(ClauseKind::Logit);
    }
    Head::parse(input).map(ClauseKind::Head)
}

impl Parse for Head {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let name = parse_name(input)?;
        let (form, value) = match peek_word(input).filter(|_| input.peek2(Paren)).as_deref() {
            Some("wdl") => parse_wdl(input)?,
            Some("rows") => parse_rows(input)?,
            _ => (HeadForm::Numbers, Expr::parse(input)?),
        };
        let start = here(input);
        let ratio = parse_ratio(input)?;
        if let Some(wide) = ratio.as_ref().filter(|ratio| ratio.wide) {
            let message = format!(
                "the numbers of `{}` are floats, and have no `as i64`",
                name.value
            );
            let help = format!("write `* {}`", wide.num.value);
            return Err(Wrong::new(Code::BadOutput, start, message).help(help));
        }
        let refused = match form {
            HeadForm::Numbers => None,
            HeadForm::Wdl(_) => Some((
                "probabilities have no unit",
                "remove it; `Wdl::expected_score` times a number is a value",
            )),
            HeadForm::Rows { .. } => Some((
                "logits have no unit",
                "remove it; `softmax` takes a temperature",
            )),
        };
        if let (Some((message, help)), true) = (refused, ratio.is_some()) {
            return Err(Wrong::new(Code::BadOutput, start, message).help(help));
        }
        if input.peek(Token![+]) || input.peek(Token![-]) {
            let message = "only the output `value` is a sum";
            let help = format!(
                "let a layer add the values: `output {} = affine(concat(a, b), 1);`",
                name.value
            );
            return Err(Wrong::new(Code::BadOutput, here(input), message).help(help));
        }
        Ok(Self {
            name,
            form,
            value,
            ratio,
        })
    }
}

/// `wdl(affine(x, 3))`
fn parse_wdl(input: ParseStream) -> Parsed<(HeadForm, Expr)> {
    let word = parse_word(input, "`wdl`")?;
    let (inside, _) = parse_parentheses(input)?;
    let value = Expr::parse(&inside)?;
    parse_end(&inside, "the neurons of a loss, a draw and a win")?;
    Ok((HeadForm::Wdl(word.place), value))
}

/// `rows(x, 1880: i8 @ 64)`
fn parse_rows(input: ParseStream) -> Parsed<(HeadForm, Expr)> {
    let word = parse_word(input, "`rows`")?.place;
    let (inside, parentheses) = parse_parentheses(input)?;
    let value = Expr::parse(&inside)?;
    if inside.is_empty() {
        let wrong = Wrong::new(
            Code::ArgumentCount,
            parentheses,
            "`rows` takes 2 arguments, found 1",
        );
        return Err(wrong.help("write how many rows there are, for example `rows(x, 1880)`"));
    }
    parse_comma(&inside, "what the rows read")?;
    let width = Width::parse(&inside)?;
    if is_word(&inside, "by") {
        let message = "rows are not chosen in the declaration";
        let help = "remove it: the program gives `Network::policy` the rows of its moves";
        return Err(Wrong::new(Code::BadOutput, here(&inside), message).help(help));
    }
    parse_end(&inside, "the number of rows")?;
    Ok((HeadForm::Rows { word, width }, value))
}

/// The name of an output and `=`. It becomes a field name and a type name.
fn parse_name(input: ParseStream) -> Parsed<Word> {
    let is_keyword = !input.peek(syn::Ident);
    let name = parse_word(input, "a name")?;
    input.parse::<Token![=]>()?;
    let is_plain = name.value.starts_with(|c: char| c.is_ascii_lowercase())
        && name
            .value
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    let message = match is_keyword {
        true => format!(
            "`{}` is a word of Rust, and cannot be the name of an output",
            name.value
        ),
        false if is_plain => return Ok(name),
        false => format!(
            "names of outputs have small letters, digits and `_`, found `{}`",
            name.value
        ),
    };
    let wrong = Wrong::new(Code::ExpectedName, name.place, message);
    Err(wrong.help("write for example `output moves_left = affine(x, 1);`"))
}

impl Parse for Sum {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if !input.peek(Paren) {
            return Ok(Self {
                terms: parse_terms(input)?,
                ratio: None,
            });
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
            return Err(Wrong::new(Code::BadOutput, here(input), message)
                .help("add neurons in a layer: `affine(x, 1)`"));
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
    let value = Expr::parse(input)?;
    if input.peek(Token![>>]) || input.peek(Token![<<]) {
        let message = "a term of the output has no shift";
        let help = "write the shift of the value, `value output >> 6;`, or that of an activation, `crelu(h1) >> 6`";
        let wrong = Wrong::new(Code::MisplacedAnnotation, here(input), message);
        return Err(wrong.help(help));
    }
    Ok(Term {
        negative,
        value,
        ratio: parse_ratio(input)?,
    })
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
        (Some(num), None) => Some(Ratio {
            wide,
            num,
            den: one(num.place),
        }),
        (None, Some(den)) => Some(Ratio {
            wide,
            num: one(start),
            den,
        }),
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
        let message = format!(
            "a factor is a fraction of whole numbers, found {}",
            found(input)
        );
        return Err(Wrong::new(Code::BadNumber, here(input), message)
            .help(format!("write `{num} / {den}`")));
    }
    if input.peek(Token![-]) {
        let message = "a factor has no sign, found `-`";
        let wrong = Wrong::new(Code::BadNumber, here(input), message);
        return Err(wrong.help("subtract the term: `affine(x, 1) - h1[15] * 400`"));
    }
    Ok(())
}
