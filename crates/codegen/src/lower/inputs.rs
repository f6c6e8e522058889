//! Feature sets, accumulators and the types in their annotations.

use nnue_spec::descriptor::{CustomSet, ElementType, FeatureSetId, PerspectiveOrder, ThreatPairs};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{AccumulatorSpec, InputSpec, ReachKind};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use super::threats::superfluous_pairs;
use crate::syntax::ast::{Accumulated, Feature, WrittenPairs};
use crate::syntax::keyword::instead_of_bits;
use crate::syntax::listed::Listed;
use crate::syntax::place::{At, Int, Word, Wrong};

impl Lowerer<'_> {
    pub(crate) fn lower_inputs(&mut self, features: &[Feature]) -> Vec<InputSpec> {
        features
            .iter()
            .map(|feature| self.lower_feature(feature))
            .collect()
    }

    fn lower_feature(&mut self, feature: &Feature) -> InputSpec {
        if let (Some(name), Some(listed)) = (&feature.name, &feature.listed) {
            return self.lower_listed(name, listed, feature);
        }
        let (set, rows) = match (&feature.name, &feature.rows) {
            (Some(name), rows) if feature.own.is_some() => {
                self.lower_custom(name, rows.as_ref(), feature.active.as_ref())
            }
            (Some(name), rows) => match &feature.kings {
                Some(kings) => {
                    if let Some(pairs) = &feature.pairs {
                        self.error(superfluous_pairs(name, pairs));
                    }
                    let set = self.lower_kings(name, kings);
                    (
                        self.spans.located(At::new(set, name.place)),
                        self.optional_int(rows.as_ref()),
                    )
                }
                None => self.lower_named(name, rows.as_ref().copied(), feature.pairs.as_ref()),
            },
            (None, rows) => self.lower_counted(feature, rows.as_ref().map_or(0, |rows| rows.value)),
        };
        let default = if set.value.is_of_pairs() {
            ElementType::I8
        } else {
            ElementType::I16
        };
        let element = self.lower_weights(feature, default);
        let name = feature
            .name
            .as_ref()
            .filter(|_| feature.own.is_some())
            .map(|name| name.value.clone());
        InputSpec {
            set,
            name,
            groups: Vec::new(),
            rows,
            element,
        }
    }

    /// The type of a set's weights.
    fn lower_weights(&mut self, feature: &Feature, default: ElementType) -> Located<ElementType> {
        match &feature.element {
            Some(word) => self.lower_element(word, default),
            None => self.spans.located(At::new(default, feature.place)),
        }
    }

    /// Rows that the caller lists.
    fn lower_listed(&mut self, name: &Word, listed: &Listed, feature: &Feature) -> InputSpec {
        let groups = listed.groups.iter();
        let sum = groups.fold(0_u64, |sum, (_, rows)| sum.saturating_add(rows.value));
        let rows = listed.rows.unwrap_or(At::new(sum, feature.place));
        let (set, rows) = self.lower_custom(name, Some(&rows), listed.active.as_ref());
        let set = set.map(|set| match set {
            FeatureSetId::Custom(set) => {
                FeatureSetId::Custom(CustomSet::listed(set.rows, set.most_active))
            }
            other => other,
        });
        let size = |rows: Int| u32::try_from(rows.value).unwrap_or(u32::MAX);
        let groups = listed.groups.iter();
        InputSpec {
            set,
            name: Some(name.value.clone()),
            groups: groups
                .map(|(name, rows)| (name.value.clone(), size(*rows)))
                .collect(),
            rows,
            element: self.lower_weights(feature, ElementType::I16),
        }
    }

    /// A custom set: its name, and the written sizes.
    fn lower_custom(
        &mut self,
        name: &Word,
        rows: Option<&Int>,
        active: Option<&Int>,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        let size =
            |written: Option<&Int>| written.map(|int| u32::try_from(int.value).unwrap_or(u32::MAX));
        let of_rows = size(rows).unwrap_or(0);
        if let Some(active) =
            active.filter(|active| of_rows > 0 && !(1..=u64::from(of_rows)).contains(&active.value))
        {
            let message = format!(
                "of {of_rows} inputs 1 to {of_rows} are active at once, not {}",
                active.value
            );
            let help = format!("write for example `active {}`", of_rows.min(32));
            self.error(Wrong::new(Code::CustomRows, active.place, message).help(help));
        }
        let set = CustomSet::new(&name.value, of_rows, size(active).unwrap_or(of_rows));
        (
            self.spans
                .located(At::new(FeatureSetId::Custom(set), name.place)),
            self.optional_int(rows),
        )
    }

    fn lower_named(
        &mut self,
        name: &Word,
        rows: Option<Int>,
        pairs: Option<&WrittenPairs>,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        if name.value == ThreatPairs::NAME {
            return self.lower_threats(name, rows, pairs);
        }
        if let Some(pairs) = pairs {
            self.error(superfluous_pairs(name, pairs));
        }
        if super::kings::is_merged(&name.value) {
            let message = format!(
                "both kings share a plane in `{}`: the own one chooses a bucket",
                name.value
            );
            let help = format!("write `{}[buckets: [..], mirrored]`", name.value);
            self.error(Wrong::new(Code::KingBuckets, name.place, message).help(help));
            return (
                self.spans
                    .located(At::new(FeatureSetId::Chess768, name.place)),
                None,
            );
        }
        if name.value == ThreatPairs::PUBLISHED_NAME {
            return self.lower_published(name, rows);
        }
        if let Some(set) = feature_set(&name.value) {
            return (
                self.spans.located(At::new(set, name.place)),
                self.optional_int(rows.as_ref()),
            );
        }
        let likely = likely_set(&name.value);
        self.error(unknown_feature_set(name, likely));
        let set = likely.and_then(feature_set).unwrap_or(FeatureSetId::LIKELY);
        // The written number of rows cannot be checked for an unknown set.
        (self.spans.located(At::new(set, name.place)), None)
    }

    /// `768` stands for `Chess768`, `768hm` for `Chess768[mirrored]`.
    fn lower_counted(
        &mut self,
        feature: &Feature,
        rows: u64,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        let planes = At::new(format!("Chess{rows}"), feature.place);
        let mut set = FeatureSetId::Chess768;
        if !super::kings::is_planes(&planes.value) {
            self.error(unknown_count(feature, rows));
            set = published(rows).map_or(set, FeatureSetId::Threats);
        } else if let Some(buckets) = feature.buckets.filter(|buckets| buckets.value != 1) {
            self.error(missing_buckets(feature, rows, buckets.value));
        } else if let Some(kings) = &feature.kings {
            set = self.lower_kings(&planes, kings);
        } else {
            set = self.lower_named(&planes, None, None).0.value;
        }
        (self.spans.located(At::new(set, feature.place)), None)
    }

    /// The element type of a word; `default` replaces an unknown one.
    pub(crate) fn lower_element(
        &mut self,
        word: &Word,
        default: ElementType,
    ) -> Located<ElementType> {
        const TYPES: [ElementType; 4] = [
            ElementType::I8,
            ElementType::I16,
            ElementType::I32,
            ElementType::F32,
        ];
        let known = TYPES
            .into_iter()
            .find(|element| element.name() == word.value);
        if known.is_none() {
            let message = format!("unknown element type `{}`", word.value);
            let help = instead_of_bits(&word.value).unwrap_or("use `i8`, `i16`, `i32` or `f32`");
            self.error(Wrong::new(Code::UnknownType, word.place, message).help(help));
        }
        self.spans
            .located(At::new(known.unwrap_or(default), word.place))
    }

    /// PSQT outputs, as integers or floats.
    fn lower_psqt(
        &mut self,
        written: &Accumulated,
    ) -> (Option<Located<u64>>, Option<Located<u64>>) {
        let outputs = self.optional_int(written.psqt.as_ref());
        let Some(word) = &written.psqt_element else {
            return (outputs, None);
        };
        match self.lower_element(word, ElementType::I32).value {
            ElementType::F32 => (None, outputs),
            ElementType::I32 => (outputs, None),
            other => {
                let message = format!("PSQT outputs are `i32` or `f32`, found `{}`", other.name());
                let help = "write `i32`, or leave it out, for one output per layer stack; `f32` for one per neuron of the output";
                self.error(Wrong::new(Code::UnknownType, word.place, message).help(help));
                (outputs, None)
            }
        }
    }

    pub(crate) fn lower_accumulator(
        &mut self,
        name: Word,
        written: &Accumulated,
    ) -> AccumulatorSpec {
        let width = &written.width;
        let place = width.value.place;
        if let Some(word) = &width.element {
            let element = self.lower_element(word, ElementType::I16);
            if element.value != ElementType::I16 {
                let message = format!(
                    "an accumulator holds `i16`, found `{}`",
                    element.value.name()
                );
                self.error(
                    Wrong::new(Code::UnknownType, word.place, message)
                        .help("write `i16`, or leave it out"),
                );
            }
        }
        let sums = width
            .sums
            .map(|sums| (sums.place, "partial sums are those of layers"));
        let binary = width
            .binary
            .map(|place| (place, "`binary` is said of layers"));
        let reach = width.reach.as_ref().map(|reach| {
            let message = match reach.kind {
                ReachKind::Blocks => "`blocks` is said of layers",
                ReachKind::Shards => "`shards` is said of layers",
            };
            (reach.place, message)
        });
        let of_sums = width
            .of_sums()
            .map(|place| (place, "`bias` and `unit` are said of layers"));
        let others = [sums, binary, reach].into_iter().flatten();
        for (place, message) in others.chain(of_sums) {
            let wrong = Wrong::new(
                Code::MisplacedAnnotation,
                place,
                format!("{message}, not of accumulators"),
            );
            self.error(wrong.help("write it after the outputs of a layer, or remove it"));
        }
        let (psqt, psqt_floats) = self.lower_psqt(written);
        AccumulatorSpec {
            name: self.spans.located(name),
            width: self.int(&width.value),
            perspectives: self.or_default(written.perspectives.as_ref(), 1, place),
            one: self.or_default(width.scale.as_ref(), 127, place),
            psqt,
            psqt_floats,
            order: written.white_first.map(|place| {
                self.spans
                    .located(At::new(PerspectiveOrder::WhiteFirst, place))
            }),
            separate: written
                .separate
                .map(|place| self.spans.located(At::new((), place)).loc),
            nonzero: written.nonzero.as_ref().map(|nonzero| self.int(nonzero)),
        }
    }
}

/// Inputs of `HalfKP` without the unused rows.
const WITHOUT_UNUSED_ROWS: u64 = 64 * 640;

/// The error for a bare number that is not the rows of planes, like `640`.
fn unknown_count(feature: &Feature, rows: u64) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFeatureSet,
        feature.place,
        format!("{rows} inputs are no known feature set"),
    );
    if rows == WITHOUT_UNUSED_ROWS {
        return wrong.help(format!("as a set of your own it is `self::HalfKP[{rows}, active 30]`")).note(format!(
            "`HalfKP` has {} inputs: a row that is never active comes before the 640 of each king square",
            FeatureSetId::HalfKp.rows()
        ));
    }
    match known_set(rows) {
        Some(set) => wrong.help(format!("did you mean `{}[{rows}]`?", set.name())),
        None => wrong.help(format!("a bare number can only be `768`; {}", known_sets())),
    }
}

/// The only set with this number of inputs, if there is one.
fn known_set(rows: u64) -> Option<FeatureSetId> {
    let of_pieces = FeatureSetId::ALL
        .into_iter()
        .find(|set| u64::try_from(set.rows()) == Ok(rows));
    of_pieces.or_else(|| published(rows).map(FeatureSetId::Threats))
}

fn published(rows: u64) -> Option<ThreatPairs> {
    usize::try_from(rows).ok().and_then(ThreatPairs::published)
}

/// The error for `768x4`, `768x4hm`: a number of buckets without their squares.
fn missing_buckets(feature: &Feature, rows: u64, buckets: u64) -> Wrong {
    let (hm, mirrored, numbers) = match feature.kings {
        Some(_) => ("hm", ", mirrored", "32 or 64"),
        None => ("", "", "64"),
    };
    let message =
        format!("`{rows}x{buckets}{hm}` does not say which squares have which king bucket");
    let perspectives = match buckets {
        2 => "; two perspectives are written after the width of the accumulator: `256x2`",
        _ => "",
    };
    Wrong::new(Code::KingBuckets, feature.place, message).help(format!(
        "write the bucket of each square, {numbers} numbers: `Chess{rows}[buckets: [..]{mirrored}]`{perspectives}"
    ))
}

pub(crate) fn feature_set(name: &str) -> Option<FeatureSetId> {
    FeatureSetId::ALL
        .into_iter()
        .chain([FeatureSetId::PawnPairs])
        .find(|set| set.name() == name)
}

/// The names that a declaration may use.
fn known_names() -> impl Iterator<Item = &'static str> {
    let pairs = [
        ThreatPairs::PUBLISHED_NAME,
        ThreatPairs::NAME,
        FeatureSetId::PawnPairs.name(),
    ];
    FeatureSetId::ALL
        .into_iter()
        .map(FeatureSetId::name)
        .chain(pairs)
}

/// Feature sets of other engines with names close to ours: the name, our name, and the number of inputs of
/// both.
const OTHER_SETS: [(&str, &str, [u32; 2]); 2] = [
    ("HalfKA", "HalfKAv2", [49152, 45056]),
    ("HalfKA_hm", "HalfKAv2_hm", [24576, 22528]),
];

/// Letters and digits of a name, ignoring case and underscores.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| *c != '_')
        .collect::<String>()
        .to_lowercase()
}

/// The set with a similar name. A different number in the name means a different set.
fn likely_set(name: &str) -> Option<&'static str> {
    let digits = |name: &str| {
        let mut digits: Vec<char> = name.chars().filter(char::is_ascii_digit).collect();
        digits.sort_unstable();
        digits
    };
    if plain(name) == "pp" {
        return Some(FeatureSetId::PawnPairs.name());
    }
    let likely = nearest(name, known_names())?;
    let is_other = OTHER_SETS
        .iter()
        .any(|(other, ..)| plain(other) == plain(name));
    (!is_other && digits(likely) == digits(name)).then_some(likely)
}

fn unknown_feature_set(name: &Word, likely: Option<&str>) -> Wrong {
    let wrong = Wrong::new(
        Code::UnknownFeatureSet,
        name.place,
        format!("unknown feature set `{}`", name.value),
    );
    if let Some((other, ours, [theirs, inputs])) = OTHER_SETS
        .iter()
        .find(|(other, ..)| plain(other) == plain(&name.value))
    {
        return wrong.help(format!("as a set of your own it is `self::{other}[{theirs}, active 32]`")).note(format!(
            "`{other}` has planes for both kings, {theirs} inputs; `{ours}` has one for both, {inputs} inputs"
        ));
    }
    match likely {
        Some(likely) => wrong
            .help(format!("did you mean `{likely}`?"))
            .note(known_sets()),
        None => wrong.help(known_sets()).note(format!(
            "a set of your own has a path: `self::{}[147]`",
            name.value
        )),
    }
}

fn known_sets() -> String {
    let names: Vec<_> = known_names().map(|name| format!("`{name}`")).collect();
    format!("known feature sets are {}", names.join(", "))
}
