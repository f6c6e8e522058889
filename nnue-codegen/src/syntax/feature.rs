//! Feature sets: `HalfKAv2_hm[..] as i16 + ..`, `Threats[..](N: PNBRQ)`, `Chess768[buckets: [..], mirrored]`, `768`, `768x4`.

use nnue_spec::diagnostic::Code;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::Paren;
use syn::{Ident, LitInt, Token};

use super::ast::{Feature, Kings, WrittenPairs};
use super::list::parse_table;
use super::own::{OwnPath, begins_path, name_of, parse_active, parse_path};
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{
    expected, here, is_word, parse_brackets, parse_comma, parse_end, parse_int, parse_multiplied, parse_word, peek_word,
};

impl Parse for Feature {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let start = here(input);
        let mut feature = if begins_path(input) {
            let path = parse_path(input)?;
            let name = name_of(&path);
            let Bracketed { rows, kings, active, place } = parse_rows(input, name.place)?;
            if let Some(kings) = kings {
                let help = format!("say only how many inputs it has: `{}[147]`", name.value);
                let message = "king buckets of a set of your own are its own affair";
                return Err(Wrong::new(Code::BadRows, kings.place, message).help(help));
            }
            Self { name: Some(name), own: Some(path), rows, active, place, ..Self::nothing(start) }
        } else if input.peek(LitInt) {
            let (rows, buckets) = parse_multiplied(input, "a number of inputs")?;
            Self { place: rows.place, rows: Some(rows), buckets, ..Self::nothing(start) }
        } else if peek_word(input).is_some() {
            let own = input.fork().call(Ident::parse_any).map(OwnPath::from)?;
            let name = parse_word(input, "a feature set")?;
            let Bracketed { rows, kings, active, place } = parse_rows(input, name.place)?;
            let own = active.is_some().then_some(own);
            let pairs = if input.peek(Paren) { Some(WrittenPairs::parse(input)?) } else { None };
            let place = pairs.as_ref().map_or(place, |pairs| place.to(pairs.place));
            Self { name: Some(name), own, rows, active, kings, pairs, place, ..Self::nothing(start) }
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

impl Feature {
    /// A feature set of which nothing is said.
    pub(crate) fn nothing(place: Place) -> Self {
        Self {
            name: None,
            own: None,
            rows: None,
            active: None,
            buckets: None,
            kings: None,
            pairs: None,
            element: None,
            place,
        }
    }
}

fn expected_feature(input: ParseStream) -> Wrong {
    expected(Code::ExpectedFeatureSet, input, "a feature set")
        .help("begin with one of `HalfKP[..]`, `HalfKAv2[..]`, `HalfKAv2_hm[..]`, `Chess768[..]`")
}

/// What stands in brackets behind a name.
struct Bracketed {
    rows: Option<Int>,
    kings: Option<Kings>,
    active: Option<Int>,
    /// the name and the brackets
    place: Place,
}

/// `[..]`, `[22528]`, `[147, active 49]` or `[buckets: [..], mirrored]` behind a name.
fn parse_rows(input: ParseStream, name: Place) -> Parsed<Bracketed> {
    if !input.peek(syn::token::Bracket) {
        return Ok(Bracketed { rows: None, kings: None, active: None, place: name });
    }
    let (inside, brackets) = parse_brackets(input)?;
    if ["buckets", "mirrored", "rotated"].into_iter().any(|word| is_word(&inside, word)) {
        let kings = parse_kings(&inside)?;
        return Ok(Bracketed { rows: None, kings: Some(kings), active: None, place: name.to(brackets) });
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
    let (mut kings, mut active) = (None, None);
    if inside.peek(Token![,]) {
        inside.parse::<Token![,]>()?;
        active = parse_active(&inside)?;
        kings = if active.is_none() { Some(parse_kings(&inside)?) } else { None };
    }
    parse_end(&inside, "the number of inputs")?;
    Ok(Bracketed { rows, kings, active, place: name.to(brackets) })
}

/// `buckets: [..], mirrored`, in any order.
fn parse_kings(input: ParseStream) -> Parsed<Kings> {
    let mut kings = Kings { table: None, mirrored: None, rotated: None, place: here(input) };
    while !input.is_empty() {
        let place = here(input);
        let word = parse_word(input, "`buckets`, `mirrored` or `rotated`")?;
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
            "rotated" if kings.rotated.is_none() => kings.rotated = Some(place),
            "buckets" | "mirrored" | "rotated" => {
                let message = format!("`{}` is written twice", word.value);
                return Err(Wrong::new(Code::DuplicateAnnotation, place, message).help("remove one of the two"));
            }
            _ => {
                let message = format!("expected `buckets`, `mirrored` or `rotated`, found `{}`", word.value);
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
