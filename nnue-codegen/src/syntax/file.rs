//! The clauses about the file and the value: `format`, `value`, `golden`, `weights`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::{Brace, Bracket, Paren};
use syn::{LitInt, LitStr, Token};

use super::ast::{ClauseKind, Format, FormatField, FormatValue, Value, ValueForm};
use super::list::{Words, parse_words};
use super::parse::Parse;
use super::place::{At, Parsed, Place, Word, Wrong};
use super::token::{
    expected, here, is_word, parse_braces, parse_comma, parse_end, parse_int, parse_parentheses, parse_word,
};

/// Axes of a tensor; there are three.
const MAX_LISTS: usize = 8;

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
        Ok(Self { name, value: FormatValue::parse(input)? })
    }
}

impl Parse for FormatValue {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if input.peek(LitInt) {
            return parse_int(input, "a number").map(Self::Int);
        }
        let start = here(input);
        let word = if input.peek(Bracket) { None } else { Some(parse_word(input, "a number or a word")?) };
        let mut lists: Vec<Words> = Vec::new();
        while input.peek(Bracket) && lists.len() < MAX_LISTS {
            lists.push(parse_words(input)?);
        }
        match (word, lists.first().zip(lists.last())) {
            (Some(word), None) => Ok(Self::Word(word)),
            (word, Some((first, last))) => {
                let place = first.place.to(last.place);
                Ok(Self::Lists { word, lists, place })
            }
            (None, None) => Err(Wrong::new(Code::UnexpectedToken, start, "expected a value")),
        }
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
        for (word, form) in [("output", ValueForm::Output), ("sigmoid", ValueForm::Sigmoid), ("wdl", ValueForm::Wdl)] {
            if is_word(input, word) {
                parse_part(input, word)?;
                if form == ValueForm::Sigmoid {
                    let (inside, _) = parse_parentheses(input)?;
                    parse_part(&inside, "output")?;
                    parse_end(&inside, "`output`")?;
                }
                return Ok(Self { form, divide: parse_times(input)? });
            }
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

/// `* 400`
fn parse_times(input: ParseStream) -> Parsed<super::place::Int> {
    if !input.peek(Token![*]) {
        return Err(expected(Code::BadValue, input, "`*`").help("write for example `value output * 400`"));
    }
    input.parse::<Token![*]>()?;
    parse_int(input, "a number after `*`")
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
        .help("write `value (psqt + positional) / 16`, `value psqt / 16 + positional / 16`, `value positional / 16` or `value output * 400`")
}

/// `"FEN" = 60` behind `golden`.
pub(crate) fn parse_golden(input: ParseStream) -> Parsed<ClauseKind> {
    if !input.peek(LitStr) {
        let wrong = Wrong::new(Code::BadGolden, here(input), "expected a position as a FEN in quotes");
        return Err(wrong.help(GOLDEN_EXAMPLE));
    }
    let literal: LitStr = input.parse()?;
    let fen = At::new(literal.value(), Place::of(literal.span()));
    if !input.peek(Token![=]) {
        return Err(expected(Code::BadGolden, input, "`=` and the value of the position").help(GOLDEN_EXAMPLE));
    }
    input.parse::<Token![=]>()?;
    let start = here(input);
    let negative = input.peek(Token![-]);
    if negative {
        input.parse::<Token![-]>()?;
    }
    let number = parse_int(input, "a value")?;
    // Larger numbers are refused as values, whatever their sign.
    let value = i64::try_from(number.value).unwrap_or(i64::MAX);
    let value = At::new(if negative { -value } else { value }, start.to(number.place));
    Ok(ClauseKind::Golden { fen, value })
}

const GOLDEN_EXAMPLE: &str =
    "write for example `golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = 60;`";

/// The string of `weights "path";`
pub(crate) fn parse_path(input: ParseStream) -> Parsed<Word> {
    if !input.peek(LitStr) {
        let wrong = Wrong::new(Code::BadWeights, here(input), "expected the path of a file in quotes");
        return Err(wrong.help("write for example `weights \"nets/mine.nnue\";`"));
    }
    let literal: LitStr = input.parse()?;
    Ok(At::new(literal.value(), Place::of(literal.span())))
}
