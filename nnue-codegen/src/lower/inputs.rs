//! Feature sets, accumulators and the types in their annotations.

use nnue_spec::descriptor::{ElementType, FeatureSetId, OwnSet, PerspectiveOrder, ThreatPairs};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{AccumulatorSpec, InputSpec};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use super::threats::superfluous_pairs;
use crate::syntax::ast::{Accumulated, Feature, WrittenPairs};
use crate::syntax::place::{At, Int, Word, Wrong};

impl Lowerer<'_> {
    pub(crate) fn lower_inputs(&mut self, features: &[Feature]) -> Vec<InputSpec> {
        features.iter().map(|feature| self.lower_feature(feature)).collect()
    }

    fn lower_feature(&mut self, feature: &Feature) -> InputSpec {
        let (set, rows) = match (&feature.name, &feature.rows) {
            (Some(name), rows) if feature.own.is_some() => self.lower_own(name, rows.as_ref(), feature.active.as_ref()),
            (Some(name), rows) => match &feature.kings {
                Some(kings) => {
                    if let Some(pairs) = &feature.pairs {
                        self.error(superfluous_pairs(name, pairs));
                    }
                    let set = self.lower_kings(name, kings);
                    (self.spans.located(At::new(set, name.place)), self.optional_int(rows.as_ref()))
                }
                None => self.lower_named(name, rows.as_ref().copied(), feature.pairs.as_ref()),
            },
            (None, rows) => self.lower_counted(feature, rows.as_ref().map_or(0, |rows| rows.value)),
        };
        let default = if set.value.is_of_pairs() { ElementType::I8 } else { ElementType::I16 };
        let element = match &feature.element {
            Some(word) => self.lower_element(word, default),
            None => self.spans.located(At::new(default, feature.place)),
        };
        InputSpec { set, rows, element }
    }

    /// A set of the user's own: its name, and the sizes that are written.
    fn lower_own(
        &mut self,
        name: &Word,
        rows: Option<&Int>,
        active: Option<&Int>,
    ) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        let size = |written: Option<&Int>| written.map(|int| u32::try_from(int.value).unwrap_or(u32::MAX));
        let of_rows = size(rows).unwrap_or(0);
        if let Some(active) = active.filter(|active| of_rows > 0 && !(1..=u64::from(of_rows)).contains(&active.value)) {
            let message = format!("of {of_rows} inputs 1 to {of_rows} are active at once, not {}", active.value);
            let help = format!("write for example `{}[{of_rows}, active {}]`", name.value, of_rows.min(32));
            self.error(Wrong::new(Code::OwnRows, active.place, message).help(help));
        }
        // A descriptor holds names of the program; that of a compiler lives as long as the compiler.
        let set = OwnSet::new(Box::leak(name.value.clone().into_boxed_str()), of_rows, size(active).unwrap_or(of_rows));
        (self.spans.located(At::new(FeatureSetId::Own(set), name.place)), self.optional_int(rows))
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
            let message = format!("both kings share a plane in `{}`: the own one chooses a bucket", name.value);
            let help = format!("write `{}[buckets: [..], mirrored]`", name.value);
            self.error(Wrong::new(Code::KingBuckets, name.place, message).help(help));
            return (self.spans.located(At::new(FeatureSetId::Chess768, name.place)), None);
        }
        if name.value == ThreatPairs::PUBLISHED_NAME {
            return self.lower_published(name, rows);
        }
        if let Some(set) = feature_set(&name.value) {
            return (self.spans.located(At::new(set, name.place)), self.optional_int(rows.as_ref()));
        }
        let likely = nearest(&name.value, known_names());
        self.error(unknown_feature_set(name, likely));
        let set = likely.and_then(feature_set).unwrap_or(FeatureSetId::HalfKaV2Hm);
        // The number of rows was asserted of a set that is not known: nothing can be said about it.
        (self.spans.located(At::new(set, name.place)), None)
    }

    /// `768` stands for `Chess768`.
    fn lower_counted(&mut self, feature: &Feature, rows: u64) -> (Located<FeatureSetId>, Option<Located<u64>>) {
        if let Some(buckets) = &feature.buckets {
            let message = format!("`{rows}x{}` does not say which squares have which king bucket", buckets.value);
            self.error(
                Wrong::new(Code::KingBuckets, buckets.place, message)
                    .help("write a table of 32 or 64 numbers: `Chess768[buckets: [..], mirrored]`"),
            );
        } else if rows != 768 {
            let message = format!("{rows} inputs are no known feature set");
            let by_rows = FeatureSetId::ALL.into_iter().find(|set| u64::try_from(set.rows()) == Ok(rows));
            let help = match by_rows {
                Some(set) => format!("did you mean `{}[{rows}]`?", set.name()),
                None => format!("a bare number can only be `768`; {}", known_sets()),
            };
            self.error(Wrong::new(Code::UnknownFeatureSet, feature.place, message).help(help));
        }
        (self.spans.located(At::new(FeatureSetId::Chess768, feature.place)), None)
    }

    /// The element type that a word names; `default` stands in for an unknown one.
    pub(crate) fn lower_element(&mut self, word: &Word, default: ElementType) -> Located<ElementType> {
        const TYPES: [ElementType; 4] = [ElementType::I8, ElementType::I16, ElementType::I32, ElementType::F32];
        let known = TYPES.into_iter().find(|element| element.name() == word.value);
        if known.is_none() {
            let message = format!("unknown element type `{}`", word.value);
            self.error(Wrong::new(Code::UnknownType, word.place, message).help("use `i8`, `i16`, `i32` or `f32`"));
        }
        self.spans.located(At::new(known.unwrap_or(default), word.place))
    }

    pub(crate) fn lower_accumulator(&mut self, name: Word, written: &Accumulated) -> AccumulatorSpec {
        let width = &written.width;
        let place = width.value.place;
        if let Some(word) = &width.element {
            let element = self.lower_element(word, ElementType::I16);
            if element.value != ElementType::I16 {
                let message = format!("an accumulator holds `i16`, found `{}`", element.value.name());
                self.error(Wrong::new(Code::UnknownType, word.place, message).help("write `i16`, or leave it out"));
            }
        }
        AccumulatorSpec {
            name: self.spans.located(name),
            width: self.int(&width.value),
            perspectives: self.or_default(written.perspectives.as_ref(), 1, place),
            one: self.or_default(width.scale.as_ref(), 127, place),
            psqt: self.optional_int(written.psqt.as_ref()),
            order: written.white_first.map(|place| self.spans.located(At::new(PerspectiveOrder::WhiteFirst, place))),
            separate: written.separate.map(|place| self.spans.located(At::new((), place)).loc),
        }
    }
}

/// The set with exactly this name.
pub(crate) fn feature_set(name: &str) -> Option<FeatureSetId> {
    FeatureSetId::ALL.into_iter().chain([FeatureSetId::PawnPairs]).find(|set| set.name() == name)
}

/// The names that may stand in a declaration.
fn known_names() -> impl Iterator<Item = &'static str> {
    let pairs = [ThreatPairs::PUBLISHED_NAME, ThreatPairs::NAME, FeatureSetId::PawnPairs.name()];
    FeatureSetId::ALL.into_iter().map(FeatureSetId::name).chain(pairs)
}

fn unknown_feature_set(name: &Word, likely: Option<&str>) -> Wrong {
    let wrong = Wrong::new(Code::UnknownFeatureSet, name.place, format!("unknown feature set `{}`", name.value));
    match likely {
        Some(likely) => wrong.help(format!("did you mean `{likely}`?")).note(known_sets()),
        None => wrong.help(known_sets()).note(format!("a set of your own has a path: `self::{}[147]`", name.value)),
    }
}

fn known_sets() -> String {
    let names: Vec<_> = known_names().map(|name| format!("`{name}`")).collect();
    format!("known feature sets are {}", names.join(", "))
}
