//! Feature sets: `HalfKAv2_hm[..] as i16 + ..`, `768`, `768x4`.

use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;
use syn::{LitInt, Token};

use super::ast::Feature;
use super::parse::Parse;
use super::place::{Int, Parsed, Place, Wrong};
use super::token::{expected, here, parse_brackets, parse_end, parse_int, parse_multiplied, parse_word, peek_word};

impl Parse for Feature {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let start = here(input);
        let mut feature = if input.peek(LitInt) {
            let (rows, buckets) = parse_multiplied(input, "a number of inputs")?;
            Self { name: None, place: rows.place, rows: Some(rows), buckets, element: None }
        } else if peek_word(input).is_some() {
            let name = parse_word(input, "a feature set")?;
            let (rows, place) = parse_rows(input, name.place)?;
            Self { name: Some(name), rows, buckets: None, element: None, place }
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

/// `[..]` or `[22528]` behind a name.
fn parse_rows(input: ParseStream, name: Place) -> Parsed<(Option<Int>, Place)> {
    if !input.peek(syn::token::Bracket) {
        return Ok((None, name));
    }
    let (inside, brackets) = parse_brackets(input)?;
    let rows = if inside.peek(Token![..]) {
        inside.parse::<Token![..]>()?;
        None
    } else if inside.peek(LitInt) {
        Some(parse_int(&inside, "a number of inputs")?)
    } else {
        let help = "write `[..]` for all inputs of the feature set, or their number";
        return Err(expected(Code::BadRows, &inside, "`..` or a number of inputs").help(help));
    };
    parse_end(&inside, "the number of inputs")?;
    Ok((rows, name.to(brackets)))
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
