//! Rows that the caller lists: `rows[4096, active 64]`, `rows[features: 4096, history: 1024, active 64]`.

use nnue_spec::CustomSet;
use nnue_spec::diagnostic::Code;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::Bracket;
use syn::{Ident, LitInt, Token};

use super::custom::parse_active;
use super::number::parse_int;
use super::place::{Int, Parsed, Place, Word, Wrong};
use super::token::{expected, here, is_word, parse_brackets, parse_comma, parse_word, peek_word};

/// The content of the brackets after `rows`.
#[derive(Debug)]
pub(crate) struct Listed {
    /// `4096`; `None` with groups
    pub rows: Option<Int>,
    /// `features: 4096, history: 1024`
    pub groups: Vec<(Word, Int)>,
    /// `active 64`
    pub active: Option<Int>,
}

const EXAMPLE: &str = "write for example `rows[4096, active 64]`";

/// Whether rows that the caller lists are next. `rows` alone may be the name of something else.
pub(crate) fn begins_listed(input: ParseStream) -> bool {
    is_word(input, CustomSet::LISTED) && input.peek2(Bracket)
}

/// The word `rows`, the content of its brackets, and the place of both.
pub(crate) fn parse_listed(input: ParseStream) -> Parsed<(Word, Listed, Place)> {
    let name = parse_word(input, "`rows`")?;
    let (inside, brackets) = parse_brackets(input)?;
    let mut listed = Listed {
        rows: None,
        groups: Vec::new(),
        active: None,
    };
    if inside.is_empty() {
        let message = "expected the number of rows in the brackets";
        return Err(Wrong::new(Code::BadRows, brackets, message).help(EXAMPLE));
    }
    while !inside.is_empty() {
        parse_part(&inside, &mut listed)?;
        if !inside.is_empty() {
            parse_comma(&inside, "the rows")?;
        }
    }
    if listed.rows.is_none() && listed.groups.is_empty() {
        let message = "how many rows there are is not said";
        return Err(Wrong::new(Code::BadRows, brackets, message).help(EXAMPLE));
    }
    let place = name.place.to(brackets);
    Ok((name, listed, place))
}

/// `4096`, `features: 4096` or `active 64`.
fn parse_part(inside: ParseStream, listed: &mut Listed) -> Parsed<()> {
    let place = here(inside);
    if inside.peek(LitInt) {
        if listed.rows.is_some() || !listed.groups.is_empty() {
            let message = "the number of rows is written twice";
            let help = "give each part a name: `rows[features: 4096, history: 1024]`";
            return Err(Wrong::new(Code::BadRows, place, message).help(help));
        }
        listed.rows = Some(parse_int(inside, "a number of rows")?);
        return Ok(());
    }
    if inside.peek(Ident::peek_any) && inside.peek2(Token![:]) {
        return parse_group(inside, listed);
    }
    if listed.active.is_none()
        && let Some(active) = parse_active(inside)?
    {
        listed.active = Some(active);
        return Ok(());
    }
    if peek_word(inside).is_some_and(|word| word == "active") {
        let message = "`active` is written twice";
        return Err(
            Wrong::new(Code::DuplicateAnnotation, place, message).help("remove one of the two")
        );
    }
    let what = "a number of rows, `name: number` or `active` and a number";
    Err(expected(Code::BadRows, inside, what).help(EXAMPLE))
}

/// `features: 4096`
fn parse_group(inside: ParseStream, listed: &mut Listed) -> Parsed<()> {
    let name = parse_word(inside, "the name of a part of the rows")?;
    if listed.rows.is_some() {
        let message = "either all rows are in parts with names, or none";
        let help = "write `rows[features: 4096, history: 1024]`";
        return Err(Wrong::new(Code::BadRows, name.place, message).help(help));
    }
    if listed
        .groups
        .iter()
        .any(|(other, _)| other.value == name.value)
    {
        let message = format!("two parts of the rows have the name `{}`", name.value);
        return Err(Wrong::new(Code::BadRows, name.place, message).help("rename one of the two"));
    }
    inside.parse::<Token![:]>()?;
    if !inside.peek(LitInt) {
        return Err(expected(Code::BadRows, inside, "the number of its rows").help(EXAMPLE));
    }
    let rows = parse_int(inside, "a number of rows")?;
    if rows.value == 0 {
        let message = format!("`{}` has no rows", name.value);
        return Err(Wrong::new(Code::BadRows, rows.place, message).help("remove it"));
    }
    listed.groups.push((name, rows));
    Ok(())
}
