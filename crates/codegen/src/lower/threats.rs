//! Sets of threats: the published ones by their rows, others by their pairs.

use nnue_spec::descriptor::{FeatureSetId, ThreatPairs};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;

use super::Lowerer;
use crate::syntax::ast::WrittenPairs;
use crate::syntax::pairs::twice;
use crate::syntax::place::{At, Int, Place, Word, Wrong};

/// The letters of the kinds of piece, by number.
const LETTERS: &str = "PNBRQK";

/// The replacement of a set with wrong pairs.
const STAND_IN: ThreatPairs = ThreatPairs::new(["", "PNBRQK", "", "", "", ""]);

impl Lowerer<'_> {
    /// `FullThreats[59808]`: the number of rows identifies the published set.
    pub(crate) fn lower_published(
        &mut self,
        name: &Word,
        rows: Option<Int>,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        let pairs = rows
            .and_then(|rows| usize::try_from(rows.value).ok())
            .and_then(ThreatPairs::published);
        if pairs.is_none() {
            let (published, own) = (ThreatPairs::PUBLISHED_NAME, ThreatPairs::NAME);
            let known =
                ThreatPairs::PUBLISHED.map(|pairs| format!("`{published}[{}]`", pairs.rows()));
            let message = match rows {
                Some(rows) => format!("no set `{published}` has {} inputs", rows.value),
                None => format!(
                    "there are several sets `{published}`, told apart by their number of inputs"
                ),
            };
            let place = rows.map_or(name.place, |rows| rows.place);
            let help = format!("the sets of Stockfish are {}", known.join(", "));
            let note = format!("a set of your own is written `{own}[..](P: NR, N: PNBRQ)`");
            self.error(
                Wrong::new(Code::WrongRows, place, message)
                    .help(help)
                    .note(note),
            );
        }
        let set = FeatureSetId::Threats(pairs.unwrap_or(ThreatPairs::SFNN_V16));
        (self.spans.located(At::new(set, name.place)), None)
    }

    /// `Threats[..](P: NR, N: PNBRQ, pushes)`
    pub(crate) fn lower_threats(
        &mut self,
        name: &Word,
        rows: Option<Int>,
        written: Option<&WrittenPairs>,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        let pairs = match written.map(pairs_of) {
            Some(Ok(pairs)) => Some(pairs),
            Some(Err(wrong)) => {
                self.error(wrong);
                None
            }
            None => {
                self.error(missing_pairs(name));
                None
            }
        };
        let set = FeatureSetId::Threats(pairs.unwrap_or(STAND_IN));
        // The rows of a set with wrong pairs are unknown.
        let rows = rows.filter(|_| pairs.is_some());
        (
            self.spans.located(At::new(set, name.place)),
            self.optional_int(rows.as_ref()),
        )
    }
}

/// The error for pairs after a set that has fixed pairs.
pub(crate) fn superfluous_pairs(name: &Word, pairs: &WrittenPairs) -> Wrong {
    let own = ThreatPairs::NAME;
    Wrong::new(
        Code::BadPairs,
        pairs.place,
        format!("`{}` takes no pairs", name.value),
    )
    .help(format!(
        "leave them out, or write `{own}[..](..)` for a set of your own"
    ))
}

fn missing_pairs(name: &Word) -> Wrong {
    let (own, published) = (ThreatPairs::NAME, ThreatPairs::PUBLISHED_NAME);
    Wrong::new(
        Code::BadPairs,
        name.place,
        format!("`{own}` needs to know which pieces attack which"),
    )
    .help(format!("write for example `{own}[..](P: NR, N: PNBRQ)`"))
    .note(format!("the sets of Stockfish are `{published}[n]`"))
}

fn pairs_of(written: &WrittenPairs) -> Result<ThreatPairs, Wrong> {
    let mut attacked = [""; 6];
    let mut first: [Option<Place>; 6] = [None; 6];
    for (attacker, pieces) in &written.attacks {
        let [kind] = kinds(attacker)?[..] else {
            let message = format!(
                "`{}` are several kinds of piece, an attacker is one",
                attacker.value
            );
            let help = format!(
                "write `{}: ..` for each of them",
                letters(attacker, ": ..`, `")
            );
            return Err(Wrong::new(Code::BadPairs, attacker.place, message).help(help));
        };
        if let Some(first) = first[kind].replace(attacker.place) {
            return Err(twice(
                format!("`{}` is an attacker twice", attacker.value),
                attacker.place,
                first,
            ));
        }
        kinds(pieces)?;
        attacked[kind] = &pieces.value;
    }
    let pairs = ThreatPairs::new(attacked);
    if pairs.rows() == 0 {
        let wrong = Wrong::new(
            Code::EmptyThreats,
            written.place,
            "no piece attacks any other in this set",
        );
        return Err(wrong.help("write for example `(P: NR, N: PNBRQ)`"));
    }
    match written.pushes {
        Some(place) if pairs.slot(0, 0).is_none() => {
            let message = "`pushes` counts the pawn in front of a pawn as attacked, but in this set pawns do not attack pawns";
            let help = format!("write `P: P{}`, or leave `pushes` out", attacked[0]);
            Err(Wrong::new(Code::PushesWithoutPawns, place, message).help(help))
        }
        Some(_) => Ok(pairs.with_pushes()),
        None => Ok(pairs),
    }
}

/// The kinds of piece in a word, each at most once.
fn kinds(word: &Word) -> Result<Vec<usize>, Wrong> {
    let mut kinds = Vec::new();
    for letter in word.value.chars() {
        let Some(kind) = LETTERS.find(letter) else {
            let message = format!("`{letter}` is no kind of piece");
            let known = "kinds of piece are P, N, B, R, Q and K";
            let help = match letters(word, "") {
                known_letters if known_letters.is_empty() => known.to_owned(),
                known_letters => format!("write `{known_letters}`: {known}"),
            };
            return Err(Wrong::new(Code::UnknownPiece, word.place, message).help(help));
        };
        if kinds.contains(&kind) {
            let message = format!("`{letter}` stands twice in `{}`", word.value);
            let help = format!("write `{}`", letters(word, ""));
            return Err(Wrong::new(Code::DuplicatePiece, word.place, message).help(help));
        }
        kinds.push(kind);
    }
    Ok(kinds)
}

/// The letters of kinds in a word, once each and in order, ignoring other characters.
fn letters(word: &Word, between: &str) -> String {
    let upper = word.value.to_ascii_uppercase();
    let known: Vec<_> = LETTERS
        .chars()
        .filter(|&letter| upper.contains(letter))
        .map(String::from)
        .collect();
    known.join(between)
}
