//! Feature sets: `HalfKAv2_hm[..] as i16 + ..`, `Threats[..](N: PNBRQ)`, `Chess768[buckets: [..], mirrored]`,
//! `768x4`.

use nnue_spec::diagnostic::Code;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::token::{Bracket, Paren};
use syn::{Ident, LitInt, Token};

use super::ast::{Feature, Kings, WrittenPairs};
use super::custom::{CustomPath, begins_path, name_of, parse_path};
use super::limits::{MAX_SETS, too_many};
use super::listed::{begins_listed, parse_listed};
use super::number::parse_multiplied;
use super::parse::Parse;
use super::place::{At, Int, Parsed, Place, Word, Wrong};
use super::rows::{Bracketed, parse_rows};
use super::token::{expected, here, is_word, parse_word, peek_word};
use super::written::{Written, group_text};

impl Parse for Feature {
    fn parse(input: ParseStream) -> Parsed<Self> {
        let (start, begin) = (here(input), input.cursor());
        let mut feature = if begins_path(input) {
            let path = parse_path(input)?;
            let name = name_of(&path);
            let Bracketed {
                rows,
                kings,
                active,
                place,
            } = parse_rows(input, name.place)?;
            if let Some(kings) = kings {
                let help = format!("say only how many inputs it has: `{}[147]`", name.value);
                let message = "king buckets of a set of your own are its own affair";
                return Err(Wrong::new(Code::BadRows, kings.place, message).help(help));
            }
            Self {
                name: Some(name),
                own: Some(path),
                rows,
                active,
                place,
                ..Self::nothing(start)
            }
        } else if input.peek(LitInt) {
            parse_counted(input)?
        } else if begins_listed(input) {
            let (name, listed, place) = parse_listed(input)?;
            Self {
                name: Some(name),
                listed: Some(listed),
                place,
                ..Self::nothing(start)
            }
        } else if peek_word(input).is_some() {
            let own = input.fork().call(Ident::parse_any).map(CustomPath::from)?;
            let name = parse_word(input, "a feature set")?;
            refuse_factoriser(input, &name.value, start)?;
            refuse_parentheses(input, &name)?;
            let Bracketed {
                rows,
                kings,
                active,
                place,
            } = parse_rows(input, name.place)?;
            let own = active.is_some().then_some(own);
            let pairs = if input.peek(Paren) {
                Some(WrittenPairs::parse(input)?)
            } else {
                None
            };
            let place = pairs.as_ref().map_or(place, |pairs| place.to(pairs.place));
            Self {
                name: Some(name),
                own,
                rows,
                active,
                kings,
                pairs,
                place,
                ..Self::nothing(start)
            }
        } else {
            return Err(expected_feature(input));
        };
        if input.peek(Token![as]) {
            input.parse::<Token![as]>()?;
            let element = parse_word(input, "an element type after `as`")?;
            feature.place = start.to(element.place);
            feature.element = Some(element);
        }
        refuse_factoriser(input, &Written::up_to(begin, input).text(), start)?;
        Ok(feature)
    }
}

impl Feature {
    /// A feature set without annotations.
    pub(crate) fn nothing(place: Place) -> Self {
        Self {
            name: None,
            own: None,
            listed: None,
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

/// `768`, `768x4`, `768hm`, `768x4hm`: rows, copies for king buckets, and mirroring for the own king.
fn parse_counted(input: ParseStream) -> Parsed<Feature> {
    let start = here(input);
    let literal: LitInt = input.fork().parse()?;
    let attached = literal.suffix().strip_suffix("hm");
    let (rows, buckets) = match attached {
        None => parse_multiplied(input, "a number of inputs")?,
        Some(rest) => {
            input.parse::<LitInt>()?;
            counted(&literal, rest)?
        }
    };
    let place = rows.place;
    let separate = if attached.is_none() && is_word(input, HM) {
        Some(parse_word(input, HM)?.place)
    } else {
        None
    };
    let mirrored = separate.or(attached.map(|_| place));
    let kings = mirrored.map(|place| Kings {
        table: None,
        mirrored: Some(place),
        rotated: None,
        attacks: None,
        place,
    });
    let place = separate.map_or(place, |end| place.to(end));
    Ok(Feature {
        place,
        rows: Some(rows),
        buckets,
        kings,
        ..Feature::nothing(start)
    })
}

/// The suffix that engines write for `mirrored`.
pub(super) const HM: &str = "hm";

/// The numbers of `768x4hm`, where `rest` is `x4`.
fn counted(literal: &LitInt, rest: &str) -> Parsed<(Int, Option<Int>)> {
    let place = Place::of(literal.span());
    let rows = literal.base10_digits().parse().ok();
    let buckets = rest.strip_prefix('x').map(str::parse);
    match (rows, buckets) {
        (Some(rows), None) if rest.is_empty() => Ok((At::new(rows, place), None)),
        (Some(rows), Some(Ok(buckets))) => {
            Ok((At::new(rows, place), Some(At::new(buckets, place))))
        }
        _ => {
            let message = format!("a number of inputs cannot end in `{}`", literal.suffix());
            let help = "engines write `768hm`, or `768x4hm` for four king buckets";
            Err(Wrong::new(Code::BadNumber, place, message).help(help))
        }
    }
}

/// Refuses `HalfKAv2_hm^`, a set with a trainer's factoriser.
fn refuse_factoriser(input: ParseStream, set: &str, start: Place) -> Parsed<()> {
    if !input.peek(Token![^]) {
        return Ok(());
    }
    let message =
        format!("`{set}^` has the factoriser of a trainer, and a network for play has none");
    Err(Wrong::new(Code::Factoriser, start.to(here(input)), message).help(format!("write `{set}`")).note(
        "trainers merge the factoriser when they save for an engine; `nnue quantize --factoriser` merges it as well",
    ))
}

/// Refuses `HalfKAv2_hm(..)` and `HalfKAv2_hm(22528)`.
fn refuse_parentheses(input: ParseStream, name: &Word) -> Parsed<()> {
    let Some((inside, span, _)) = input.cursor().group(proc_macro2::Delimiter::Parenthesis) else {
        return Ok(());
    };
    let is_rows = inside.eof()
        || inside.literal().is_some()
        || inside.punct().is_some_and(|(dot, _)| dot.as_char() == '.');
    if !is_rows {
        return Ok(());
    }
    let message = format!(
        "the inputs of `{}` stand in brackets, found `(`",
        name.value
    );
    let text = group_text(input);
    let text = text.trim_matches(['(', ')']);
    let rows = if text.trim_matches('.').is_empty() {
        ".."
    } else {
        text
    };
    Err(Wrong::new(Code::BadRows, Place::of(span.join()), message)
        .help(format!("write `[{rows}]`")))
}

fn expected_feature(input: ParseStream) -> Wrong {
    let wrong = expected(Code::ExpectedFeatureSet, input, "a feature set");
    let text = group_text(input);
    if text.contains("->") && input.peek(Bracket) {
        let message = "a feature set and its accumulator stand in parentheses, found `[`";
        let inside = text.trim_start_matches('[').trim_end_matches(']');
        let place = input
            .cursor()
            .token_tree()
            .map_or(wrong.place, |(group, _)| Place::of(group.span()));
        return Wrong {
            place,
            message: message.into(),
            ..wrong
        }
        .help(format!("write `({inside})`"));
    }
    match input.peek(syn::LitStr) {
        true => wrong.help("write the chain without quotes"),
        false => wrong.help(super::arrow::CHAIN),
    }
}

/// `A[..] + B[..]`
pub(crate) fn parse_features(input: ParseStream) -> Parsed<Vec<Feature>> {
    let mut features = vec![Feature::parse(input)?];
    while input.peek(Token![+]) {
        input.parse::<Token![+]>()?;
        if features.len() == MAX_SETS {
            let wrong = too_many(MAX_SETS, "feature sets", here(input));
            return Err(
                wrong.help("an accumulator takes a set of pieces and up to 3 sets of pairs")
            );
        }
        features.push(Feature::parse(input)?);
    }
    Ok(features)
}
