//! Selectors: `by (piece_count - 1) / 4`.

use nnue_spec::diagnostic::Code;
use nnue_spec::model::SelectorSpec;
use nnue_spec::suggest::nearest;
use syn::Token;
use syn::parse::ParseStream;

use super::ast::Selector;
use super::custom::{CustomPath, begins_path, parse_path};
use super::formula::parse_formula;
use super::list::{Table, parse_table};
use super::number::parse_int;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::row_rule::{begins_row_rule, parse_row_rule};
use super::token::{here, is_word, parse_end, parse_parentheses, parse_word, peek_word};

/// Takes `by ..`, if it is next.
pub(crate) fn parse_optional_by(input: ParseStream) -> Parsed<Option<Selector>> {
    if !is_word(input, "by") {
        return Ok(None);
    }
    parse_word(input, "`by`")?;
    Selector::parse(input).map(Some)
}

impl Parse for Selector {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let start = here(input);
        if is_word(input, "material") {
            let help = "write `material_count`, or `self::material` for a function of your own";
            return Err(Wrong::new(
                Code::BadSelector,
                start,
                "stacks are not chosen by `material`",
            )
            .help(help));
        }
        if begins_row_rule(input) {
            return parse_row_rule(input);
        }
        if let Some(function) = parse_function(input)? {
            return Ok(Self {
                value: SelectorSpec::Custom,
                group: None,
                place: function.place,
                function: Some(function),
            });
        }
        if input.peek(syn::token::Bracket) {
            return parse_piece_table(input);
        }
        if is_word(input, "material_count") {
            let word = parse_word(input, "`material_count`")?;
            return Ok(Self {
                value: SelectorSpec::MaterialCount,
                group: None,
                function: None,
                place: word.place,
            });
        }
        let plain = input.fork();
        let rule = parse_rule(&plain);
        if rule.is_ok() && !continues(&plain) {
            let (minus, divide) = parse_rule(input)?;
            let value = SelectorSpec::PieceCount {
                minus,
                divide: divide.value,
            };
            return Ok(Self {
                value,
                group: None,
                function: None,
                place: start.to(divide.place),
            });
        }
        let general = input.fork();
        match (parse_formula(&general), rule) {
            // For input that begins like a rule, the error shows the form of rules.
            (Err(_), Err(wrong)) if begins_rule(input) => Err(wrong),
            (Err(wrong), _) => Err(wrong),
            (Ok(_), Err(wrong)) if !is_formula(input, &general) => Err(wrong),
            (Ok(_), _) => {
                let values = parse_formula(input)?;
                let stack = |value: Option<i64>| value.and_then(|value| u16::try_from(value).ok());
                Ok(Self {
                    value: SelectorSpec::Table(values.map(stack)),
                    group: None,
                    function: None,
                    place: start,
                })
            }
        }
    }
}

/// The path of a custom function, if it is next: several segments, or a single word that is neither a word of
/// formulas nor similar to one.
fn parse_function(input: ParseStream) -> Parsed<Option<CustomPath>> {
    const WORDS: [&str; 4] = ["piece_count", "material_count", "min", "max"];
    if begins_path(input) {
        return parse_path(input).map(Some);
    }
    let Some(word) = peek_word(input).filter(|word| nearest(word, WORDS).is_none()) else {
        return Ok(None);
    };
    let after = input.fork();
    parse_word(&after, "a function")?;
    let is_formula =
        WORDS.contains(&word.as_str()) || continues(&after) || after.peek(syn::token::Paren);
    if is_formula {
        Ok(None)
    } else {
        parse_path(input).map(Some)
    }
}

/// Whether an operator is next.
fn continues(input: ParseStream) -> bool {
    input.peek(Token![*])
        || input.peek(Token![/])
        || input.peek(Token![+])
        || (input.peek(Token![-]) && !input.peek(Token![->]))
}

/// Whether a rule of the form `(piece_count - 1) / 4` begins here.
fn begins_rule(input: ParseStream) -> bool {
    let inside = input
        .cursor()
        .group(proc_macro2::Delimiter::Parenthesis)
        .map(|(inside, ..)| inside);
    inside
        .unwrap_or_else(|| input.cursor())
        .ident()
        .is_some_and(|(word, _)| word != "min" && word != "max")
}

/// Whether the input up to `end` was meant as a formula, not as a rule without parentheses or divisor.
fn is_formula(input: ParseStream, end: ParseStream) -> bool {
    let rest = input.cursor().token_tree().map(|(_, rest)| rest);
    !is_word(input, "piece_count")
        && rest.is_some_and(|rest| rest != end.cursor() || !begins_rule(input))
}

/// A table of 33 numbers: the stacks for 0 to 32 pieces.
fn parse_piece_table(input: ParseStream) -> Parsed<Selector> {
    let Table { entries, place } = parse_table(input)?;
    let stacks: Vec<Option<u16>> = entries
        .iter()
        .map(|entry| u16::try_from(entry.value).ok())
        .collect();
    let count = stacks.len();
    let table = stacks.try_into().map_err(|_| {
        let message = format!("a table of stacks has 33 numbers, for 0 to 32 pieces, found {count}");
        Wrong::new(Code::BadSelector, place, message)
            .help("write the stack of each number of pieces, or a formula, for example `by (piece_count - 1) / 4`")
    })?;
    Ok(Selector {
        value: SelectorSpec::Table(table),
        group: None,
        function: None,
        place,
    })
}

/// `(piece_count - minus) / divide`
fn parse_rule(input: ParseStream) -> Parsed<(u64, Int)> {
    let minus = if input.peek(syn::token::Paren) {
        let (inside, _) = parse_parentheses(input)?;
        let minus = parse_difference(&inside)?;
        parse_end(&inside, "the subtraction")?;
        minus.value
    } else {
        parse_piece_count(input)?;
        if input.peek(Token![-]) {
            return Err(bad_selector(
                here(input),
                "the subtraction needs parentheses",
            ));
        }
        0
    };
    if !input.peek(Token![/]) {
        return Err(bad_selector(
            here(input),
            "expected `/` and the number of pieces per stack",
        ));
    }
    input.parse::<Token![/]>()?;
    Ok((minus, parse_int(input, "a number of pieces after `/`")?))
}

/// `piece_count - 1`
fn parse_difference(input: ParseStream) -> Parsed<Int> {
    parse_piece_count(input)?;
    if !input.peek(Token![-]) {
        return Err(bad_selector(
            here(input),
            "expected `-` after `piece_count`",
        ));
    }
    input.parse::<Token![-]>()?;
    parse_int(input, "a number after `-`")
}

fn parse_piece_count(input: ParseStream) -> Parsed<()> {
    if is_word(input, "piece_count") {
        parse_word(input, "`piece_count`")?;
        return Ok(());
    }
    if let Some(word) = peek_word(input)
        .filter(|word| matches!(word.as_str(), "pieces" | "count" | "num_pieces" | "n"))
    {
        let message = format!("stacks are chosen by `piece_count`, found `{word}`");
        return Err(Wrong::new(Code::BadSelector, here(input), message).help("write `piece_count`"));
    }
    let message = format!(
        "stacks are chosen by `piece_count`, found {}",
        super::token::found(input)
    );
    if let Some(word) = peek_word(input).filter(|_| input.peek2(syn::token::Paren)) {
        let help = format!("write the name of a function of your own alone: `by self::{word}`");
        return Err(Wrong::new(Code::BadSelector, here(input), message).help(help));
    }
    Err(bad_selector(here(input), &message))
}

fn bad_selector(place: Place, message: &str) -> Wrong {
    Wrong::new(Code::BadSelector, place, message)
        .help("write for example `by (piece_count - 1) / 4`")
}
