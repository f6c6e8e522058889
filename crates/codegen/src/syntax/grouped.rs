//! Nested parentheses of the accumulator, as some engines write them: `((704x16 + 59808 + pp)hm -> 640)x2`.

use nnue_spec::ThreatPairs;
use nnue_spec::diagnostic::Code;
use syn::parse::ParseStream;

use super::feature::HM;
use super::place::{Place, Wrong};
use super::token::skip;
use super::written::group_text;

/// The error for `((F -> 256))x2` and `((F + G)hm -> 256)x2`; `inside` is the content of the parentheses at
/// `outer`.
pub(super) fn nested_parentheses(inside: ParseStream, outer: Place) -> Wrong {
    let (text, place) = (group_text(inside), Place::of(inside.span()));
    let rest = inside.fork();
    skip(&rest);
    let wrong = Wrong::new(
        Code::UnexpectedToken,
        place,
        "there are parentheses in the parentheses of the accumulator",
    );
    if rest.is_empty() {
        return Wrong {
            place: outer,
            ..wrong
        }
        .help(format!("write `{text}`"));
    }
    let is_mirrored = super::token::is_word(&rest, HM);
    let sets: Option<Vec<String>> = text
        .trim_matches(['(', ')'])
        .split('+')
        .map(|set| in_full(set.trim(), is_mirrored))
        .collect();
    let sets = sets.map_or_else(
        || "Chess768[mirrored] + PawnPairs[..]".to_owned(),
        |sets| sets.join(" + "),
    );
    wrong.help(format!("write feature sets without parentheses of their own, each with its brackets: `({sets} -> ..`"))
}

/// A set in the notation of the language; `None` for an unknown one.
fn in_full(set: &str, is_mirrored: bool) -> Option<String> {
    if set.eq_ignore_ascii_case("pp") {
        return Some("PawnPairs[..]".to_owned());
    }
    if let Some(pairs) = set.parse().ok().and_then(ThreatPairs::published) {
        return Some(format!("{}[{}]", ThreatPairs::PUBLISHED_NAME, pairs.rows()));
    }
    let (planes, buckets) = set.split_once('x').unwrap_or((set, ""));
    let (has_buckets, is_mirrored) = (!buckets.is_empty(), is_mirrored || set.ends_with(HM));
    let planes = planes.strip_suffix(HM).unwrap_or(planes);
    let name = matches!(planes, "768" | "704").then(|| format!("Chess{planes}"))?;
    Some(match (has_buckets, is_mirrored) {
        (false, false) => format!("{name}[..]"),
        (false, true) => format!("{name}[mirrored]"),
        (true, false) => format!("{name}[buckets: [..]]"),
        (true, true) => format!("{name}[buckets: [..], mirrored]"),
    })
}
