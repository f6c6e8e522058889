//! The clause `value`: `(psqt + positional) / 16`, `output * 400`, `output >> 12`, `sigmoid(output) * 1000`,
//! `wdl * 1000`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{LitFloat, Token};

use super::number::{parse_int, peek_fraction};
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{expected, here, is_word, parse_end, parse_parentheses, parse_word, peek_word};
use super::written::{Written, group_text};

/// `(psqt + positional) / 16`
#[derive(Debug)]
pub(crate) struct Value {
    pub form: ValueForm,
    /// divisor of integer outputs, factor of float outputs, or number of bits
    pub divide: Int,
    /// the denominator of a factor such as 192.5
    pub den: u64,
    /// the divisor of `output * 400 / 16777216`
    pub over: Option<Int>,
}

/// The forms of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueForm {
    /// `(psqt + positional) / n`
    Together,
    /// `psqt / n + positional / n`
    Separately,
    /// `positional / n`
    Positional,
    /// `output * n`
    Output,
    /// `output >> n`
    Shifted,
    /// `sigmoid(output) * n`
    Sigmoid,
    /// `wdl * n`
    Wdl,
}

/// Help with the forms of `value`.
const FORMS: &str = "write `value output * 400`, `value sigmoid(output) * 400`, `value wdl * 1000`, `value positional / 16`, \
                     `value (psqt + positional) / 16` or `value psqt / 16 + positional / 16`";

impl Parse for Value {
    fn parse(input: ParseStream) -> Parsed<Self> {
        refuse_function(input)?;
        if input.peek(Paren) {
            refuse_order(input)?;
            let (inside, _) = parse_parentheses(input)?;
            parse_part(&inside, "psqt")?;
            parse_plus(&inside)?;
            parse_part(&inside, "positional")?;
            parse_end(&inside, "the sum")?;
            return Ok(Self {
                form: ValueForm::Together,
                divide: parse_divide(input)?,
                den: 1,
                over: None,
            });
        }
        for (word, form) in [
            ("output", ValueForm::Output),
            ("sigmoid", ValueForm::Sigmoid),
            ("wdl", ValueForm::Wdl),
        ] {
            if is_word(input, word) {
                parse_part(input, word)?;
                if form == ValueForm::Sigmoid {
                    let (inside, _) = parse_parentheses(input)?;
                    parse_part(&inside, "output")?;
                    parse_end(&inside, "`output`")?;
                }
                if form == ValueForm::Output && input.peek(Token![>>]) {
                    input.parse::<Token![>>]>()?;
                    return Ok(Self {
                        form: ValueForm::Shifted,
                        divide: parse_int(input, "a number of bits after `>>`")?,
                        den: 1,
                        over: None,
                    });
                }
                let (divide, den) = parse_times(input)?;
                let is_divided = form == ValueForm::Output && input.peek(Token![/]);
                let over = is_divided.then(|| parse_divide(input)).transpose()?;
                return Ok(Self {
                    form,
                    divide,
                    den,
                    over,
                });
            }
        }
        if is_word(input, "positional") {
            parse_part(input, "positional")?;
            return Ok(Self {
                form: ValueForm::Positional,
                divide: parse_divide(input)?,
                den: 1,
                over: None,
            });
        }
        parse_part(input, "psqt")?;
        let divide = parse_divide(input)?;
        parse_plus(input)?;
        parse_part(input, "positional")?;
        let second = parse_divide(input)?;
        if second.value != divide.value {
            let message = format!(
                "`positional` is divided by {}, `psqt` by {}",
                second.value, divide.value
            );
            return Err(Wrong::new(Code::BadValue, second.place, message)
                .help(format!("write `{}`", divide.value))
                .related(divide.place, "the other divisor"));
        }
        Ok(Self {
            form: ValueForm::Separately,
            divide,
            den: 1,
            over: None,
        })
    }
}

fn parse_part(input: ParseStream, word: &str) -> Parsed<()> {
    if !is_word(input, word) {
        return Err(bad_value(input, &format!("`{word}`")));
    }
    parse_word(input, word)?;
    Ok(())
}

fn parse_plus(input: ParseStream) -> Parsed<()> {
    if !input.peek(Token![+]) {
        return Err(bad_value(input, "`+`"));
    }
    input.parse::<Token![+]>()?;
    Ok(())
}

/// `* 400`, `* 192.5`: the numerator and the denominator
fn parse_times(input: ParseStream) -> Parsed<(Int, u64)> {
    if !input.peek(Token![*]) {
        return Err(expected(Code::BadValue, input, "`*`")
            .help("write what 1.0 is worth, for example `* 400`"));
    }
    input.parse::<Token![*]>()?;
    let place = here(input);
    if let Some((num, den)) = peek_fraction(input).filter(|(_, den)| *den > 1) {
        input.parse::<LitFloat>()?;
        return Ok((Int::new(num, place), den));
    }
    parse_int(input, "a number after `*`").map(|number| (number, 1))
}

fn parse_divide(input: ParseStream) -> Parsed<Int> {
    if !input.peek(Token![/]) {
        return Err(bad_value(input, "`/`"));
    }
    input.parse::<Token![/]>()?;
    parse_int(input, "a number after `/`")
}

/// Refuses `tanh(output) * 400` and other functions of the output that are not in the language.
fn refuse_function(input: ParseStream) -> Parsed<()> {
    let Some(word) = peek_word(input).filter(|word| input.peek2(Paren) && word != "sigmoid") else {
        return Ok(());
    };
    let message = format!("a value has no function `{word}`");
    let wrong = Wrong::new(Code::BadValue, here(input), message);
    Err(match word.as_str() {
        "softmax" => {
            wrong.help("the clause `value wdl * 1000` makes probabilities of three outputs")
        }
        _ => wrong.help(FORMS).note(format!(
            "the program can take `{word}` of `Network::output`"
        )),
    })
}

/// `(positional + psqt) / 16`
fn refuse_order(input: ParseStream) -> Parsed<()> {
    let Some((inside, span, _)) = input.cursor().group(proc_macro2::Delimiter::Parenthesis) else {
        return Ok(());
    };
    if inside.ident().is_none_or(|(word, _)| word != "positional")
        || group_text(input) != "(positional + psqt)"
    {
        return Ok(());
    }
    let wrong = Wrong::new(
        Code::BadValue,
        Place::of(span.join()),
        "`psqt` comes before `positional`",
    );
    Err(wrong.help("write `(psqt + positional)`"))
}

fn bad_value(input: ParseStream, what: &str) -> Wrong {
    let rest = Written::until(input, |token| token.to_string() == ";").text();
    let is_fraction =
        rest.contains("psqt") || rest.contains("positional") || what == "`/`" || what == "`+`";
    let wrong = expected(
        Code::BadValue,
        input,
        if is_fraction {
            what
        } else {
            "the form of a value"
        },
    );
    wrong.help(FORMS)
}
