//! The clauses about the file: `format`, `weights`.

use nnue_spec::diagnostic::Code;
use syn::parse::{ParseBuffer, ParseStream};
use syn::token::{Brace, Bracket, Paren};
use syn::{LitInt, LitStr, Token};

use super::index::{Indices, parse_indices};
use super::number::{parse_int, parse_scale};
use super::order::{Order, parse_order};
use super::parse::Parse;
use super::place::{At, Int, Parsed, Place, Word, Wrong};
use super::token::{
    expected, here, parse_braces, parse_comma, parse_end, parse_parentheses, parse_word, peek_word,
};
use super::written::Written;

/// `stockfish { version: 0x7AF32F20, encoding: leb128 }`
#[derive(Debug)]
pub(crate) struct Format {
    pub name: Word,
    /// the fields in order
    pub fields: Vec<FormatField>,
}

/// A field of a format.
#[derive(Debug)]
pub(crate) struct FormatField {
    pub name: Word,
    pub value: FormatValue,
    /// `@ 128` after its type
    pub scale: Option<Int>,
    /// `<< 8` after its type
    pub shift: Option<Int>,
    /// `* 127 / 255` after its type
    pub ratio: Option<At<[Int; 2]>>,
}

/// The value of a field of a format.
#[derive(Debug)]
pub(crate) enum FormatValue {
    /// a number
    Int(Int),
    /// a word
    Word(Word),
    /// the parts of the file
    Order(Order),
    /// axes in brackets, with or without a word before them: `i16 [input / 4][stack]`
    Axes {
        /// the word
        word: Option<Word>,
        /// the brackets, at least one
        axes: Vec<Indices>,
        /// location of all brackets
        place: Place,
    },
}

impl FormatValue {
    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Int(At { place, .. })
            | Self::Word(At { place, .. })
            | Self::Order(At { place, .. })
            | Self::Axes { place, .. } => *place,
        }
    }
}

/// Greatest number of brackets that are read: tensors have three axes, each in a few parts.
const MAX_AXES: usize = 12;

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
            return Err(expected(
                Code::UnexpectedToken,
                input,
                &format!("`:` after `{}`", name.value),
            ));
        }
        input.parse::<Token![:]>()?;
        let value = match name.value.as_str() {
            "order" if input.peek(Bracket) => FormatValue::Order(parse_order(input)?),
            _ => FormatValue::parse(input)?,
        };
        Ok(Self {
            name,
            value,
            scale: parse_scale(input)?,
            shift: parse_left_shift(input)?,
            ratio: parse_ratio(input)?,
        })
    }
}

/// Takes `<< 8`, if it is next.
fn parse_left_shift(input: ParseStream) -> Parsed<Option<Int>> {
    if !input.peek(Token![<<]) {
        return Ok(None);
    }
    input.parse::<Token![<<]>()?;
    parse_int(input, "a number of bits after `<<`").map(Some)
}

/// Takes `* 127 / 255`, if it is next.
fn parse_ratio(input: ParseStream) -> Parsed<Option<At<[Int; 2]>>> {
    if !input.peek(Token![*]) {
        return Ok(None);
    }
    input.parse::<Token![*]>()?;
    let times = parse_int(input, "a factor after `*`")?;
    if !input.peek(Token![/]) {
        let wrong = expected(Code::UnexpectedToken, input, "`/` and a divisor");
        let help = format!("write for example `* {} / 255`", times.value);
        return Err(wrong.help(help));
    }
    input.parse::<Token![/]>()?;
    let over = parse_int(input, "a divisor after `/`")?;
    let place = times.place.to(over.place);
    Ok(Some(At::new([times, over], place)))
}

impl Parse for FormatValue {
    fn parse(input: ParseStream) -> Parsed<Self> {
        if input.peek(LitInt) {
            return parse_int(input, "a number").map(Self::Int);
        }
        let start = here(input);
        let word = if input.peek(Bracket) {
            None
        } else {
            Some(parse_word(input, "a number or a word")?)
        };
        let mut axes: Vec<Indices> = Vec::new();
        while input.peek(Bracket) && axes.len() < MAX_AXES {
            axes.push(parse_indices(input)?);
        }
        match (word, axes.first().zip(axes.last())) {
            (Some(word), None) => Ok(Self::Word(word)),
            (word, Some((first, last))) => {
                let place = first.place.to(last.place);
                Ok(Self::Axes { word, axes, place })
            }
            (None, None) => Err(Wrong::new(Code::UnexpectedToken, start, "expected a value")),
        }
    }
}

/// A part of the path of `weights`.
#[derive(Debug)]
pub(crate) enum PathPart {
    /// `"nets/mine.nnue"`
    Text(String),
    /// the name in `env!("EVALFILE")`
    Variable(Word),
}

/// The path of `weights "path";`, `weights env!("EVALFILE");` or
/// `weights concat!(env!("OUT_DIR"), "/net.bin");`
pub(crate) fn parse_path(input: ParseStream) -> Parsed<At<Vec<PathPart>>> {
    let mut parts = Vec::new();
    let place = parse_part(input, &mut parts)?;
    Ok(At::new(parts, place))
}

/// A string, or a macro of strings, whose parts are appended.
fn parse_part(input: ParseStream, parts: &mut Vec<PathPart>) -> Parsed<Place> {
    if input.peek(LitStr) {
        let literal: LitStr = input.parse()?;
        parts.push(PathPart::Text(literal.value()));
        return Ok(Place::of(literal.span()));
    }
    let is_macro = input.peek2(Token![!]) && input.peek3(Paren);
    match peek_word(input).filter(|_| is_macro).as_deref() {
        Some("env") => {
            let (inside, place) = parse_call(input)?;
            if !inside.peek(LitStr) {
                let wrong = expected(
                    Code::BadWeights,
                    &inside,
                    "the name of a variable in quotes",
                );
                return Err(wrong.help("write for example `env!(\"EVALFILE\")`"));
            }
            let name: LitStr = inside.parse()?;
            parse_end(&inside, "the name of the variable")?;
            let at = Place::of(name.span());
            parts.push(PathPart::Variable(At::new(name.value(), at)));
            Ok(place)
        }
        Some("concat") => {
            let (inside, place) = parse_call(input)?;
            while !inside.is_empty() {
                parse_part(&inside, parts)?;
                if !inside.is_empty() {
                    parse_comma(&inside, "a part of the path")?;
                }
            }
            Ok(place)
        }
        _ => Err(not_a_path(input)),
    }
}

/// The inside of `env!(..)`, and the location of the whole call.
fn parse_call<'a>(input: &ParseBuffer<'a>) -> Parsed<(ParseBuffer<'a>, Place)> {
    let word = parse_word(input, "a macro")?;
    input.parse::<Token![!]>()?;
    let (inside, parentheses) = parse_parentheses(input)?;
    Ok((inside, word.place.to(parentheses)))
}

fn not_a_path(input: ParseStream) -> Wrong {
    let written = Written::until(input, |token| {
        matches!(token.to_string().as_str(), ";" | ",")
    });
    let wrong = Wrong::new(
        Code::BadWeights,
        written.place().unwrap_or_else(|| here(input)),
        "expected the path of a file: a text in quotes, `env!(..)` or `concat!(..)`",
    );
    let text = written.text();
    let is_path = |c: char| c.is_alphanumeric() || "/\\._- ".contains(c);
    wrong.help(if text.is_empty() || !text.chars().all(is_path) {
        "write for example `weights \"nets/mine.nnue\";` or `weights env!(\"EVALFILE\");`"
            .to_owned()
    } else {
        format!("write `\"{text}\"`")
    })
}
