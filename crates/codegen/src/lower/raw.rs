//! `format raw`: the bytes of a header-less file.

use nnue_spec::descriptor::{Axis, Padding};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{RawSpec, RawTensorSpec};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use crate::syntax::file::{Format, FormatField, FormatValue};
use crate::syntax::list::Words;
use crate::syntax::place::{At, Place, Wrong};

const FIELDS: [&str; 5] = ["skip", "padding", "order", "perspectives", "rows"];
const PADDINGS: [Padding; 4] = [Padding::None, Padding::Zeros, Padding::Text, Padding::Any];

/// A field with one of two words, the usual one second.
struct Choice {
    words: [&'static str; 2],
    message: &'static str,
}

const PERSPECTIVES: Choice = Choice {
    words: ["interleaved", "concatenated"],
    message: "the inputs of two perspectives are interleaved or concatenated",
};

const ROWS: Choice = Choice {
    words: ["enemy_first", "own_first"],
    message: "the rows of the enemy's pieces, or of the own, come first",
};

impl Lowerer<'_> {
    pub(crate) fn lower_raw(&mut self, format: &Format) -> RawSpec {
        let mut spec = RawSpec::default();
        let (mut skip, mut padding, mut order) = (None, None, None);
        let (mut perspectives, mut rows) = (None, None);
        for field in &format.fields {
            let place = field.name.place;
            if FIELDS.contains(&field.name.value.as_str()) {
                self.refuse_scale(field);
            }
            match field.name.value.as_str() {
                "skip" if self.once(&mut skip, place, "skip") => spec.skip = self.lower_skip(field),
                "padding" if self.once(&mut padding, place, "padding") => {
                    spec.padding = self.lower_padding(field)
                }
                "order" if self.once(&mut order, place, "order") => {
                    spec.order = self.lower_order(field)
                }
                "perspectives" if self.once(&mut perspectives, place, "perspectives") => {
                    spec.interleaved = self.lower_choice(field, &PERSPECTIVES);
                }
                "rows" if self.once(&mut rows, place, "rows") => {
                    spec.enemy_first = self.lower_choice(field, &ROWS);
                }
                "skip" | "padding" | "order" | "perspectives" | "rows" => {}
                _ => spec.tensors.extend(self.lower_tensor(field)),
            }
        }
        spec
    }

    fn lower_skip(&mut self, field: &FormatField) -> Option<Located<u64>> {
        if let FormatValue::Int(bytes) = &field.value {
            return Some(self.int(bytes));
        }
        let wrong = Wrong::new(
            Code::ExpectedNumber,
            field.value.place(),
            "`skip` is a number of bytes",
        );
        self.error(wrong.help("write for example `skip: 64`"));
        None
    }

    fn lower_padding(&mut self, field: &FormatField) -> Option<Located<Padding>> {
        let place = field.value.place();
        let word = match &field.value {
            FormatValue::Word(word) => word.value.as_str(),
            FormatValue::Int(_) | FormatValue::Lists { .. } => "",
        };
        if let Some(padding) = PADDINGS.into_iter().find(|padding| padding.name() == word) {
            return Some(self.spans.located(At::new(padding, place)));
        }
        let names = PADDINGS.map(Padding::name);
        let help = match nearest(word, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("write one of `{}`", names.join("`, `")),
        };
        let message = match word {
            "" => "a padding is a word".to_owned(),
            word => format!("unknown padding `{word}`"),
        };
        self.error(Wrong::new(Code::UnknownPadding, place, message).help(help));
        None
    }

    /// `perspectives: interleaved`, `rows: enemy_first`: whether it is the first of two words
    fn lower_choice(&mut self, field: &FormatField, choice: &Choice) -> Option<Located<bool>> {
        let place = field.value.place();
        let word = match &field.value {
            FormatValue::Word(word) => word.value.as_str(),
            FormatValue::Int(_) | FormatValue::Lists { .. } => "",
        };
        let [changed, usual] = choice.words;
        if word == changed || word == usual {
            return Some(self.spans.located(At::new(word == changed, place)));
        }
        let help = match nearest(word, choice.words) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!("write `{changed}`, or `{usual}`, which they are where nothing is said")
            }
        };
        self.error(Wrong::new(Code::TensorOrder, place, choice.message).help(help));
        None
    }

    fn lower_order(&mut self, field: &FormatField) -> Option<Located<Vec<Located<String>>>> {
        if let FormatValue::Lists {
            word: None,
            lists,
            place,
        } = &field.value
            && let [Words { words, .. }] = lists.as_slice()
        {
            let names = words
                .iter()
                .map(|word| self.spans.located(word.clone()))
                .collect();
            return Some(self.spans.located(At::new(names, *place)));
        }
        let wrong = Wrong::new(
            Code::TensorOrder,
            field.value.place(),
            "`order` is a list of tensors",
        );
        self.error(
            wrong.help("write for example `order: [ft_bias, ft_weight, fc0_bias, fc0_weight]`"),
        );
        None
    }

    /// Refuses `padding: zeros @ 64`.
    pub(super) fn refuse_scale(&mut self, field: &FormatField) {
        if let Some(scale) = field.scale.as_ref().or(field.shift.as_ref()) {
            let message = format!(
                "`{}` has no scale, biases of layers may have one",
                field.name.value
            );
            self.error(
                Wrong::new(Code::TensorElement, scale.place, message).help("leave the scale out"),
            );
        }
    }

    /// `fc0_weight: i16 [input][stack]`, `fc0_bias: i8 @ 128`
    fn lower_tensor(&mut self, field: &FormatField) -> Option<RawTensorSpec> {
        let name = &field.name;
        if let Some(near) = nearest(&name.value, FIELDS).filter(|_| !name.value.contains('_')) {
            let message = format!("unknown field `{}`", name.value);
            self.error(
                Wrong::new(Code::UnknownFormatField, name.place, message)
                    .help(format!("did you mean `{near}`?")),
            );
            return None;
        }
        let (element, axes) = match &field.value {
            FormatValue::Word(word) => (Some(word), None),
            FormatValue::Lists { word, lists, place } => (word.as_ref(), Some((lists, *place))),
            FormatValue::Int(number) => {
                let message = format!(
                    "`{}` has a type or axes, found {}",
                    name.value, number.value
                );
                let help = format!(
                    "write for example `{}: i16`, or `[input][output]`",
                    name.value
                );
                self.error(Wrong::new(Code::TensorElement, number.place, message).help(help));
                return None;
            }
        };
        let element = element.map(|word| self.lower_element(word, nnue_spec::ElementType::I16));
        let axes = match axes {
            Some((lists, place)) => Some(self.lower_axes(&name.value, lists, place)?),
            None => None,
        };
        let [scale, shift] =
            [&field.scale, &field.shift].map(|int| self.optional_int(int.as_ref()));
        Some(RawTensorSpec {
            name: self.spans.located(name.clone()),
            element,
            scale,
            shift,
            axes,
        })
    }

    fn lower_axes(
        &mut self,
        tensor: &str,
        lists: &[Words],
        place: Place,
    ) -> Option<Located<Vec<Axis>>> {
        let mut axes = Vec::new();
        for Words { words, place } in lists {
            let axis = match words.as_slice() {
                [word] => axis(tensor, &word.value),
                _ => None,
            };
            let Some(axis) = axis else {
                let wrong = Wrong::new(
                    Code::TensorAxes,
                    *place,
                    "an axis is one of `stack`, `output` and `input`",
                );
                self.error(wrong.help(format!(
                    "write for example `{tensor}: [input][stack][output]`"
                )));
                return None;
            };
            axes.push(axis);
        }
        Some(self.spans.located(At::new(axes, place)))
    }
}

/// The axis of a word: rows of the feature transformer are inputs, rows of layers are outputs, biases are one
/// row of outputs.
fn axis(tensor: &str, word: &str) -> Option<Axis> {
    match (word, tensor.starts_with("ft") || tensor.ends_with("_bias")) {
        ("stack", _) => Some(Axis::Copy),
        ("output", false) | ("input", true) => Some(Axis::Row),
        ("input", false) | ("output", true) => Some(Axis::Column),
        _ => None,
    }
}
