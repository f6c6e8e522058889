//! Feature sets: `HalfKAv2_hm[..] as i16 + ..`, `Threats[..](N: PNBRQ)`, `Chess768[buckets: [..], mirrored]`, `768`, `768x4`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{LitInt, Token};

use super::ast::{Feature, Kings, WrittenPairs};
use super::list::parse_table;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{
    expected, here, is_word, parse_brackets, parse_comma, parse_end, parse_int, parse_multiplied, parse_word, peek_word,
};

impl Parse for Feature {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let start = here(input);
        let mut feature = if input.peek(LitInt) {
            let (rows, buckets) = parse_multiplied(input, "a number of inputs")?;
            Self { name: None, place: rows.place, rows: Some(rows), buckets, kings: None, pairs: None, element: None }
        } else if peek_word(input).is_some() {
            let name = parse_word(input, "a feature set")?;
            let (rows, kings, place) = parse_rows(input, name.place)?;
            let pairs = if input.peek(Paren) { Some(WrittenPairs::parse(input)?) } else { None };
            let place = pairs.as_ref().map_or(place, |pairs| place.to(pairs.place));
            Self { name: Some(name), rows, buckets: None, kings, pairs, element: None, place }
        } else {
            return Err(expected_feature(input));
        };
        if input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            let element = parse_word(input, "an element type after `as`")?;
            feature.place = start.to(element.place);
            feature.element = Some(element);
        }
        Ok(feature)
    }
}

fn expected_feature(input: ParseStream) -> Wrong {
    expected(Code::ExpectedFeatureSet, input, "a feature set")
        .help("begin with one of `HalfKP[..]`, `HalfKAv2[..]`, `HalfKAv2_hm[..]`, `Chess768[..]`")
}

/// `[..]`, `[22528]` or `[buckets: [..], mirrored]` behind a name.
fn parse_rows(input: ParseStream, name: Place) -> Parsed<(Option<Int>, Option<Kings>, Place)> {
    if !input.peek(syn::token::Bracket) {
        return Ok((None, None, name));
    }
    let (inside, brackets) = parse_brackets(input)?;
    if is_word(&inside, "buckets") || is_word(&inside, "mirrored") {
        let kings = parse_kings(&inside)?;
        return Ok((None, Some(kings), name.to(brackets)));
    }
    let rows = if inside.peek(Token![..]) {
        inside.parse::<Token![..]>()?;
        None
    } else if inside.peek(LitInt) {
        Some(parse_int(&inside, "a number of inputs")?)
    } else {
        let help = "write `[..]` for all inputs of the feature set, or their number";
        return Err(expected(Code::BadRows, &inside, "`..` or a number of inputs").help(help));
    };
    let kings = if inside.peek(Token![,]) {
        inside.parse::<Token![,]>()?;
        Some(parse_kings(&inside)?)
    } else {
        None
    };
    parse_end(&inside, "the number of inputs")?;
    Ok((rows, kings, name.to(brackets)))
}

/// `buckets: [..], mirrored`, in any order.
fn parse_kings(input: ParseStream) -> Parsed<Kings> {
    let mut kings = Kings { table: None, mirrored: None, place: here(input) };
    while !input.is_empty() {
        let place = here(input);
        let word = parse_word(input, "`buckets` or `mirrored`")?;
        match word.value.as_str() {
            "buckets" if kings.table.is_none() => {
                if !input.peek(Token![:]) {
                    return Err(expected(Code::BadRows, input, "`:` after `buckets`"));
                }
                input.parse::<Token![:]>()?;
                if !input.peek(syn::token::Bracket) {
                    return Err(expected(Code::BadRows, input, "a table in brackets")
                        .help("write for example `buckets: [0 x 4, 1 x 28]`"));
                }
                kings.table = Some(parse_table(input)?);
            }
            "mirrored" if kings.mirrored.is_none() => kings.mirrored = Some(place),
            "buckets" | "mirrored" => {
                let message = format!("`{}` is written twice", word.value);
                return Err(Wrong::new(Code::DuplicateAnnotation, place, message).help("remove one of the two"));
            }
            _ => {
                let message = format!("expected `buckets` or `mirrored`, found `{}`", word.value);
                return Err(Wrong::new(Code::BadRows, place, message)
                    .help("write for example `Chess768[buckets: [0 x 4, 1 x 28], mirrored]`"));
            }
        }
        if !input.is_empty() {
            parse_comma(input, "the king buckets")?;
        }
    }
    Ok(kings)
}

/// `A[..] + B[..]`
pub(crate) fn parse_features(input: ParseStream) -> Parsed<Vec<Feature>> {
    let mut features = vec![Feature::parse(input)?];
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        features.push(Feature::parse(input)?);
    }
    Ok(features)
}
