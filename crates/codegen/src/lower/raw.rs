//! `format raw`: the bytes of a header-less file.

use nnue_spec::descriptor::{Axis, Padding};
use nnue_spec::diagnostic::Code;
use nnue_spec::loc::Located;
use nnue_spec::model::{PartSpec, RawSpec, RawTensorSpec, RowsSpec, SectionSpec};
use nnue_spec::suggest::nearest;

use super::Lowerer;
use crate::syntax::file::{Format, FormatField, FormatValue};
use crate::syntax::index::Indices;
use crate::syntax::order::{Order, Part, Rows};
use crate::syntax::place::{At, Place, Wrong};

const FIELDS: [&str; 6] = [
    "skip",
    "padding",
    "order",
    "perspectives",
    "rows",
    "encoding",
];
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

const ENCODING: Choice = Choice {
    words: ["leb128", "raw"],
    message: "the numbers of a file without a header are `raw` or `leb128`",
};

const ROWS: Choice = Choice {
    words: ["enemy_first", "own_first"],
    message: "the rows of the enemy's pieces, or of the own, come first",
};

impl Lowerer<'_> {
    pub(crate) fn lower_raw(&mut self, format: &Format) -> RawSpec {
        let mut spec = RawSpec::default();
        let (mut skip, mut padding, mut order) = (None, None, None);
        let (mut perspectives, mut rows, mut encoding) = (None, None, None);
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
                "encoding" if self.once(&mut encoding, place, "encoding") => {
                    spec.leb128 = self.lower_choice(field, &ENCODING);
                }
                name if FIELDS.contains(&name) => {}
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
            _ => "",
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
            _ => "",
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

    fn lower_order(&mut self, field: &FormatField) -> Option<Located<Vec<Located<SectionSpec>>>> {
        if let FormatValue::Order(order) = &field.value {
            return Some(self.lower_sections(order));
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

    fn lower_sections(&mut self, order: &Order) -> Located<Vec<Located<SectionSpec>>> {
        let mut sections = Vec::new();
        for At { value, place } in &order.value {
            let section = match value {
                Part::Tensor(word) => SectionSpec::Tensor(word.value.clone()),
                Part::Skip(bytes) => SectionSpec::Skip(self.int(bytes)),
                Part::Align(to) => SectionSpec::Align(self.int(to)),
                Part::Constant(bytes) => SectionSpec::Constant(bytes.clone()),
                Part::Text => SectionSpec::Text,
                Part::Rows(rows) => SectionSpec::Rows(self.lower_rows(rows)),
                Part::Stacks(parts) => SectionSpec::Stacks(self.lower_sections(parts).value),
                Part::Block(parts) => SectionSpec::Block(self.lower_sections(parts).value),
            };
            sections.push(self.spans.located(At::new(section, *place)));
        }
        self.spans.located(At::new(sections, order.place))
    }

    fn lower_rows(&mut self, rows: &Rows) -> RowsSpec {
        let element = rows.element.as_ref();
        RowsSpec {
            tensor: rows.tensor.value.clone(),
            from: self.optional_int(rows.from.as_ref()),
            to: self.optional_int(rows.to.as_ref()),
            element: element.map(|word| self.lower_element(word, nnue_spec::ElementType::I16)),
        }
    }

    /// Refuses `padding: zeros @ 64`.
    pub(super) fn refuse_scale(&mut self, field: &FormatField) {
        let scale = field.scale.as_ref().or(field.shift.as_ref());
        let ratio = field.ratio.as_ref().map(|ratio| ratio.place);
        if let Some(place) = scale.map(|scale| scale.place).or(ratio) {
            let message = format!(
                "`{}` has no scale, biases of layers may have one",
                field.name.value
            );
            self.error(Wrong::new(Code::TensorElement, place, message).help("leave the scale out"));
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
            FormatValue::Axes { word, axes, place } => (word.as_ref(), Some((axes, *place))),
            FormatValue::Order(_) => return None,
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
        let ratio = field.ratio.as_ref().map(|ratio| {
            let numbers = ratio.value.each_ref().map(|int| int.value);
            self.spans.located(At::new(numbers, ratio.place))
        });
        Some(RawTensorSpec {
            name: self.spans.located(name.clone()),
            element,
            scale,
            shift,
            ratio,
            axes,
        })
    }

    fn lower_axes(
        &mut self,
        tensor: &str,
        lists: &[Indices],
        place: Place,
    ) -> Option<Located<Vec<Located<PartSpec>>>> {
        let mut parts = Vec::new();
        for Indices { indices, place } in lists {
            let index = match indices.as_slice() {
                [index] => axis(tensor, &index.word.value).map(|axis| (axis, index)),
                _ => None,
            };
            let Some((axis, index)) = index else {
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
            let [from, over, modulo, to] = [&index.from, &index.over, &index.modulo, &index.to]
                .map(|number| self.optional_int(number.as_ref()));
            let part = PartSpec {
                axis,
                from,
                over,
                modulo,
                to,
            };
            parts.push(self.spans.located(At::new(part, index.place)));
        }
        Some(self.spans.located(At::new(parts, place)))
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
