//! The clauses about the file and the value: `format`, `value`, `weights`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Brace, Paren};
use syn::{LitInt, LitStr, Token};

use super::ast::{Format, FormatField, FormatValue, Value, ValueForm};
use super::parse::Parse;
use super::place::{At, Parsed, Place, Word, Wrong};
use super::token::{
    expected, here, is_word, parse_braces, parse_comma, parse_end, parse_int, parse_parentheses, parse_word,
};

impl Parse for Format {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let name = parse_word(input, "a container after `format`")?;
        let mut fields = Vec::new();
        if input.peek(Brace) {
            let (inside, _) = parse_braces(input)?;
            while !inside.is_empty() {
                fields.push(FormatField::parse(&inside)?);
                if !inside.is_empty() {
                    parse_comma(&inside, "the field")?;
                }
            }
        }
        Ok(Self { name, fields })
    }
}

impl Parse for FormatField {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let name = parse_word(input, "a field such as `version`")?;
        if !input.peek(Token![:]) {
            return Err(expected(Code::UnexpectedToken, input, &format!("`:` after `{}`", name.value)));
        }
        input.parse::<Token![:]>()?;
        let value = if input.peek(LitInt) {
            FormatValue::Int(parse_int(input, "a number")?)
        } else {
            FormatValue::Word(parse_word(input, "a number or a word")?)
        };
        Ok(Self { name, value })
    }
}

impl Parse for Value {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if input.peek(Paren) {
            let (inside, _) = parse_parentheses(input)?;
            parse_part(&inside, "psqt")?;
            parse_plus(&inside)?;
            parse_part(&inside, "positional")?;
            parse_end(&inside, "the sum")?;
            return Ok(Self { form: ValueForm::Together, divide: parse_divide(input)? });
        }
        if is_word(input, "positional") {
            parse_part(input, "positional")?;
            return Ok(Self { form: ValueForm::Positional, divide: parse_divide(input)? });
        }
        parse_part(input, "psqt")?;
        let divide = parse_divide(input)?;
        parse_plus(input)?;
        parse_part(input, "positional")?;
        let second = parse_divide(input)?;
        if second.value != divide.value {
            let message = format!("`positional` is divided by {}, `psqt` by {}", second.value, divide.value);
            return Err(Wrong::new(Code::BadValue, second.place, message)
                .help(format!("write `{}`", divide.value))
                .related(divide.place, "the other divisor"));
        }
        Ok(Self { form: ValueForm::Separately, divide })
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

fn parse_divide(input: ParseStream) -> Parsed<super::place::Int> {
    if !input.peek(Token![/]) {
        return Err(bad_value(input, "`/`"));
    }
    input.parse::<Token![/]>()?;
    parse_int(input, "a number after `/`")
}

fn bad_value(input: ParseStream, what: &str) -> Wrong {
    expected(Code::BadValue, input, what)
        .help("write `value (psqt + positional) / 16`, `value psqt / 16 + positional / 16` or `value positional / 16`")
}

/// The string of `weights "path";`
pub(crate) fn parse_path(input: ParseStream) -> Parsed<Word> {
    if !input.peek(LitStr) {
        let wrong = Wrong::new(Code::BadWeights, here(input), "expected the path of a file in quotes");
        return Err(wrong.help("write for example `weights \"nets/mine.nnue\";`"));
    }
    let literal: LitStr = input.parse()?;
    Ok(At::new(literal.value(), Place::of(literal.span())))
}
