//! Brackets after the name of a feature set: `[..]`, `[22528]`, `[147, active 49]`,
//! `[buckets: [..], mirrored]`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Bracket;
use syn::{LitInt, Token};

use super::ast::Kings;
use super::custom::parse_active;
use super::list::parse_table;
use super::number::{CONSTANTS, parse_int, peek_constant};
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{expected, here, parse_brackets, parse_comma, parse_end, parse_word, peek_word};
use super::written::Written;

/// The content of the brackets after a name.
pub(crate) struct Bracketed {
    /// `22528`
    pub rows: Option<Int>,
    /// `buckets: [..], mirrored`
    pub kings: Option<Kings>,
    /// `active 49`
    pub active: Option<Int>,
    /// the name and the brackets
    pub place: Place,
}

/// Other words for those of the language.
const ALIASES: [(&str, &str); 11] = [
    ("hm", "mirrored"),
    ("mirror", "mirrored"),
    ("horizontal_mirror", "mirrored"),
    ("horizontally_mirrored", "mirrored"),
    ("rotate", "rotated"),
    ("kings", "buckets"),
    ("king_buckets", "buckets"),
    ("bucket", "buckets"),
    ("attacked", "attacks"),
    ("defended", "attacks"),
    ("threats", "attacks"),
];

/// `[..]`, `[22528]`, `[147, active 49]` or `[buckets: [..], mirrored]` after a name.
pub(crate) fn parse_rows(input: ParseStream, name: Place) -> Parsed<Bracketed> {
    if !input.peek(Bracket) {
        return Ok(Bracketed {
            rows: None,
            kings: None,
            active: None,
            place: name,
        });
    }
    let (inside, brackets) = parse_brackets(input)?;
    let place = name.to(brackets);
    if peek_constant(&inside).is_some() {
        let wrong = expected(Code::BadRows, &inside, "`..` or a number of inputs");
        return Err(wrong
            .help("write `..`, or the number itself")
            .note(CONSTANTS));
    }
    if peek_word(&inside).is_some() {
        let kings = parse_kings(&inside)?;
        return Ok(Bracketed {
            rows: None,
            kings: Some(kings),
            active: None,
            place,
        });
    }
    let rows = parse_count(&inside, brackets)?;
    let (mut kings, mut active) = (None, None);
    if inside.peek(Token![,]) {
        refuse_groups(&inside, rows)?;
        inside.parse::<Token![,]>()?;
        active = parse_active(&inside)?;
        kings = if active.is_none() {
            Some(parse_kings(&inside)?)
        } else {
            None
        };
    }
    parse_end(&inside, "the number of inputs")?;
    Ok(Bracketed {
        rows,
        kings,
        active,
        place,
    })
}

/// `..` or `22528`
fn parse_count(inside: ParseStream, brackets: Place) -> Parsed<Option<Int>> {
    if inside.is_empty() {
        let message = "expected `..` or a number of inputs in the brackets";
        return Err(Wrong::new(Code::BadRows, brackets, message).help("write `[..]`"));
    }
    let dots = Written::until(inside, |token| token.to_string() != ".");
    if let Some(place) = dots.place().filter(|_| dots.text() != "..") {
        let message = format!(
            "expected `..` or a number of inputs, found `{}`",
            dots.text()
        );
        return Err(Wrong::new(Code::BadRows, place, message).help("write `..`"));
    }
    if inside.peek(Token![..]) {
        inside.parse::<Token![..]>()?;
        return Ok(None);
    }
    if inside.peek(LitInt) {
        return parse_int(inside, "a number of inputs").map(Some);
    }
    let help = "write `[..]` for all inputs of the feature set, or their number";
    Err(expected(Code::BadRows, inside, "`..` or a number of inputs").help(help))
}

/// Refuses `22,528`.
fn refuse_groups(inside: ParseStream, rows: Option<Int>) -> Parsed<()> {
    let Some(first) = rows else { return Ok(()) };
    let ahead = inside.fork();
    ahead.parse::<Token![,]>()?;
    let Ok(last) = ahead.parse::<LitInt>() else {
        return Ok(());
    };
    let digits = last.base10_digits();
    let place = first.place.to(Place::of(last.span()));
    let message = format!(
        "expected one number of inputs, found `{},{digits}`",
        first.value
    );
    let wrong = Wrong::new(Code::BadRows, place, message);
    Err(if last.to_string().len() == 3 {
        wrong.help(format!("write `{}{last}`", first.value))
    } else {
        wrong
    })
}

/// `buckets: [..], mirrored, attacks`, in any order.
fn parse_kings(input: ParseStream) -> Parsed<Kings> {
    let mut kings = Kings {
        table: None,
        mirrored: None,
        rotated: None,
        attacks: None,
        place: here(input),
    };
    while !input.is_empty() {
        let place = here(input);
        let word = parse_word(input, "`buckets`, `mirrored`, `rotated` or `attacks`")?;
        match word.value.as_str() {
            "buckets" if kings.table.is_none() => {
                if !input.peek(Token![:]) {
                    return Err(expected(Code::BadRows, input, "`:` after `buckets`"));
                }
                input.parse::<Token![:]>()?;
                if !input.peek(Bracket) {
                    return Err(no_table(input));
                }
                kings.table = Some(parse_table(input)?);
            }
            "mirrored" if kings.mirrored.is_none() => kings.mirrored = Some(place),
            "rotated" if kings.rotated.is_none() => kings.rotated = Some(place),
            "attacks" if kings.attacks.is_none() => kings.attacks = Some(place),
            "buckets" | "mirrored" | "rotated" | "attacks" => {
                let message = format!("`{}` is written twice", word.value);
                return Err(Wrong::new(Code::DuplicateAnnotation, place, message)
                    .help("remove one of the two"));
            }
            _ => return Err(unknown_word(&word.value, place)),
        }
        if !input.is_empty() {
            parse_comma(input, "the king buckets")?;
        }
    }
    Ok(kings)
}

fn unknown_word(word: &str, place: Place) -> Wrong {
    let message = format!(
        "expected `..`, a number of inputs, `buckets`, `mirrored`, `rotated` or `attacks`, found `{word}`"
    );
    let wrong = Wrong::new(Code::BadRows, place, message);
    match ALIASES
        .iter()
        .find(|(alias, _)| *alias == word.to_lowercase())
    {
        Some((_, name)) => wrong.help(format!("write `{name}`")),
        None => wrong.help(
            "write for example `Chess768[buckets: [0 x 32, 1 x 32]]` or `Chess768[mirrored]`",
        ),
    }
}

/// The error for `buckets: 4` or `buckets: KINGS`.
fn no_table(input: ParseStream) -> Wrong {
    let wrong = expected(
        Code::BadRows,
        input,
        "the buckets of all squares in brackets",
    )
    .help("write 64 numbers, or 32 with `mirrored`, a1 first: `buckets: [0 x 32, 1 x 32]`");
    match peek_word(input) {
        Some(_) => wrong.note(CONSTANTS),
        None => wrong,
    }
}
