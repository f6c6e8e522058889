//! Shapes: every operation gets operands that it is defined for, and every slice lies within its value.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{MAX_CONCAT, MAX_OUTPUTS, float, quant};
use crate::descriptor::ElementType;
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::loc::{Loc, Located};
use crate::model::{Activation, Binding, Expr, NetSpec, TermSpec, ValueForm};

/// What an expression stands for, as far as it is known. `None` for a length that an earlier error hides.
#[derive(Clone, Copy, Debug)]
enum Shape {
    /// an earlier error hides it
    Unknown,
    /// the accumulators as they are
    Accumulator,
    /// activated sums of a layer, to be read as bytes or floats
    ActivatedSums { function: Located<Activation>, shift: Option<Located<u64>>, layer: usize, len: u64 },
    /// sums of the layer with this number
    Sums { layer: usize, len: u64 },
    /// activated accumulators, to be read as bytes or, by 16-bit weights, as they are
    Activated { function: Located<Activation>, shift: Option<Located<u64>>, len: Option<u64> },
    /// activated values
    Bytes { len: Option<u64> },
}

impl Shape {
    /// Number of values, if it is known.
    fn len(self) -> Option<u64> {
        match self {
            Self::Unknown | Self::Accumulator => None,
            Self::Sums { len, .. } | Self::ActivatedSums { len, .. } => Some(len),
            Self::Activated { len, .. } | Self::Bytes { len } => len,
        }
    }
}

/// What later checks want to know of a layer, in file order.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerFacts {
    /// its number of outputs
    pub(super) outputs: Located<u64>,
    /// its scale
    pub(super) scale: Located<u64>,
    /// what it reads
    pub(super) input: Loc,
}

struct Walk<'a, 's> {
    spec: &'a NetSpec,
    names: BTreeMap<&'a str, Shape>,
    layers: Vec<LayerFacts>,
    /// activations of accumulators that were judged as bytes
    judged: Vec<Loc>,
    /// some layers are of floats: then so is everything behind the first
    floats: bool,
    sink: &'s mut Sink,
}

/// Checks all expressions and returns the layers in the order in which [`crate::plan`] numbers them.
pub(super) fn check_shapes(spec: &NetSpec, sink: &mut Sink) -> Vec<LayerFacts> {
    let names = BTreeMap::from([(spec.accumulator.name.value.as_str(), Shape::Accumulator)]);
    let mut walk = Walk { spec, names, layers: Vec::new(), judged: Vec::new(), floats: spec.has_floats(), sink };
    for binding in &spec.bindings {
        let shape = walk.shape(&binding.value);
        walk.check_generated_name(binding, shape);
        walk.names.entry(&binding.name.value).or_insert(shape);
    }
    if spec.output.terms.is_empty() {
        let diagnostic = Diagnostic::new(Code::OutputTerm, spec.output.loc, "the output has no terms");
        walk.sink.push(diagnostic.help("write for example `output affine(crelu(acc), 1)`"));
    }
    for term in &spec.output.terms {
        walk.check_term(term);
    }
    walk.layers
}

impl Walk<'_, '_> {
    fn error(&mut self, code: Code, loc: Loc, message: String, help: String) {
        self.sink.push(Diagnostic::new(code, loc, message).help(help));
    }

    fn shape(&mut self, expr: &Expr) -> Shape {
        match expr {
            Expr::Name(name) => self.names.get(name.value.as_str()).copied().unwrap_or(Shape::Unknown),
            Expr::Affine { input, outputs, element, scale, sums, .. } => {
                let shape = self.shape(input);
                match (element.value, shape) {
                    (ElementType::I16, Shape::Activated { function, shift, .. }) => {
                        quant::check_direct_activation(self.spec, function, shift, self.sink);
                        self.check_direct(*outputs, *element);
                    }
                    (ElementType::F32, Shape::Activated { function, shift, len }) => {
                        float::check_input(function, shift, self.sink);
                        self.check_outputs(*outputs);
                        float::check_sums(*sums, len, self.sink);
                    }
                    (ElementType::F32, shape) => {
                        let shape = self.bytes(shape);
                        self.check_read(input, shape, outputs.value);
                        self.check_outputs(*outputs);
                        float::check_sums(*sums, shape.len(), self.sink);
                    }
                    (_, shape) => {
                        let shape = self.bytes(shape);
                        self.check_read(input, shape, outputs.value);
                        self.check_layer(*outputs, *element);
                    }
                }
                quant::check_scale(*scale, self.sink);
                let layer = self.layers.len();
                self.layers.push(LayerFacts { outputs: *outputs, scale: *scale, input: input.loc() });
                Shape::Sums { layer, len: outputs.value }
            }
            Expr::Activate { function, input, shift } => {
                let shape = self.shape(input);
                self.activate(*function, input, shape, *shift)
            }
            Expr::Concat { parts, loc } => self.concat(parts, *loc),
            Expr::Slice { input, start, end, loc } => {
                let shape = self.shape(input);
                let shape = self.bytes(shape);
                self.slice(input, shape, *start, *end, *loc)
            }
        }
    }

    /// What is read as bytes must fit in them.
    fn bytes(&mut self, shape: Shape) -> Shape {
        match shape {
            Shape::Activated { function, shift, len } => {
                if !self.is_judged(function.loc) {
                    quant::check_accumulator_activation(self.spec, function, shift, self.sink);
                }
                Shape::Bytes { len }
            }
            Shape::ActivatedSums { function, shift, layer, len } => {
                if self.is_judged(function.loc) {
                } else if self.floats {
                    float::check_activation(function, shift, self.sink);
                } else {
                    quant::check_sum_activation(function, shift, &self.layers[layer], self.sink);
                }
                Shape::Bytes { len: Some(len) }
            }
            other => other,
        }
    }

    /// Whether an activation was judged before.
    fn is_judged(&mut self, activation: Loc) -> bool {
        let judged = self.judged.contains(&activation);
        if !judged {
            self.judged.push(activation);
        }
        judged
    }

    /// A layer of 16-bit weights has one output.
    fn check_direct(&mut self, outputs: Located<u64>, element: Located<ElementType>) {
        if outputs.value != 1 {
            let message = format!("a layer of 16-bit weights has 1 output, not {}", outputs.value);
            let help = format!("write `{}: i8`, or leave the type out", outputs.value);
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        }
    }

    /// A layer reads activated values only.
    fn check_read(&mut self, input: &Expr, shape: Shape, outputs: u64) {
        let help = format!("write `affine(crelu({input}), {outputs})`");
        match shape {
            Shape::Accumulator => {
                let message = format!("`{input}` is an accumulator, a layer reads activated values");
                self.error(Code::AffineOfAccumulator, input.loc(), message, help);
            }
            Shape::Sums { .. } => {
                let message = format!("`{}` are sums of a layer, a layer reads activated values", short(input));
                self.error(Code::MissingActivation, input.loc(), message, help);
            }
            Shape::Activated { .. } | Shape::ActivatedSums { .. } | Shape::Bytes { .. } | Shape::Unknown => {}
        }
    }

    fn check_outputs(&mut self, outputs: Located<u64>) {
        if !(1..=MAX_OUTPUTS).contains(&outputs.value) {
            let message = format!("a layer has 1 to {MAX_OUTPUTS} outputs, not {}", outputs.value);
            self.error(Code::LayerWidth, outputs.loc, message, "common are 16 and 32, and 1 for the output".into());
        }
    }

    fn check_layer(&mut self, outputs: Located<u64>, element: Located<ElementType>) {
        self.check_outputs(outputs);
        if element.value != ElementType::I8 {
            let message = format!("layer weights are i8, {} is not supported yet", element.value.name());
            let help = format!("write `{}: i8`, or leave the type out", outputs.value);
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        }
    }

    fn activate(
        &mut self,
        function: Located<Activation>,
        input: &Expr,
        shape: Shape,
        shift: Option<Located<u64>>,
    ) -> Shape {
        match shape {
            Shape::Unknown => Shape::Bytes { len: None },
            Shape::Accumulator => Shape::Activated { function, shift, len: self.accumulator_values(function.value) },
            Shape::Sums { layer, len } => {
                if function.value == Activation::Pairwise {
                    let message = "pairwise products of layers are not supported yet".into();
                    let help = format!("write `sqr_crelu({input})`, or take the product of the accumulator");
                    self.error(Code::UnsupportedPairwise, function.loc, message, help);
                    return Shape::Bytes { len: Some(len) };
                }
                if function.value == Activation::Gated {
                    self.check_gated(function, input, len, self.layers[layer].outputs.value);
                }
                Shape::ActivatedSums { function, shift, layer, len: function.value.values(len as usize) as u64 }
            }
            Shape::Activated { .. } | Shape::ActivatedSums { .. } | Shape::Bytes { .. } => {
                let message = format!("`{}` is activated already", short(input));
                let help = format!("write `{input}` without `{}`", function.value.name());
                self.error(Code::DoubleActivation, function.loc, message, help);
                Shape::Bytes { len: None }
            }
        }
    }

    /// Values and gates are the two halves of a layer.
    fn check_gated(&mut self, function: Located<Activation>, input: &Expr, len: u64, outputs: u64) {
        let input = short(input);
        let message = if len != outputs {
            format!("`gated` multiplies the two halves of a layer, and `{input}` are {len} of its {outputs} sums")
        } else if !len.is_multiple_of(2) {
            format!("`gated` multiplies the two halves of a layer, and `{input}` has {len} sums")
        } else {
            return;
        };
        let help = "give the layer an even number of outputs, and write `gated` of all of it".into();
        self.error(Code::FloatLayers, function.loc, message, help);
    }

    /// Values of the activated accumulators; unknown where their width or number is wrong.
    fn accumulator_values(&self, function: Activation) -> Option<u64> {
        let (width, perspectives) = (self.spec.accumulator.width.value, self.spec.accumulator.perspectives.value);
        let valid =
            width > 0 && width.is_multiple_of(32) && width <= super::MAX_WIDTH && (1..=2).contains(&perspectives);
        let width = if function == Activation::Pairwise { width / 2 } else { width };
        valid.then(|| width * perspectives)
    }

    fn concat(&mut self, parts: &[Expr], loc: Loc) -> Shape {
        if parts.len() < 2 {
            let message = format!("`concat` joins 2 or more values, found {}", parts.len());
            let help = parts.first().map_or("write `concat(a, b)`".into(), |part| format!("write `{part}` alone"));
            self.error(Code::ConcatCount, loc, message, help);
        }
        let mut total = Some(0_u64);
        for part in parts {
            let shape = self.shape(part);
            let len = match self.bytes(shape) {
                Shape::Bytes { len } => len,
                Shape::Unknown => None,
                Shape::Accumulator | Shape::Activated { .. } | Shape::ActivatedSums { .. } | Shape::Sums { .. } => {
                    let message = format!("`{}` is not activated, `concat` joins activated values", short(part));
                    let help = format!("write `crelu({part})`");
                    self.error(Code::ConcatUnactivated, part.loc(), message, help);
                    None
                }
            };
            total = total.zip(len).map(|(total, len)| total.saturating_add(len));
        }
        if let Some(total) = total.filter(|total| *total > MAX_CONCAT) {
            let message = format!("`concat` joins {total} values, the limit is {MAX_CONCAT}");
            self.error(Code::SumOverflow, loc, message, "no i32 holds the sum of so many: join fewer".into());
            return Shape::Unknown;
        }
        Shape::Bytes { len: total }
    }

    fn slice(
        &mut self,
        input: &Expr,
        shape: Shape,
        start: Option<Located<u64>>,
        end: Option<Located<u64>>,
        loc: Loc,
    ) -> Shape {
        let len = match shape {
            Shape::Unknown | Shape::Activated { .. } | Shape::ActivatedSums { .. } | Shape::Bytes { len: None } => {
                return shape;
            }
            Shape::Accumulator => {
                let message = format!("`{input}` is an accumulator, and can be cut only when it is activated");
                let help = format!("write `crelu({input})[..]` with the range behind the activation");
                self.error(Code::UnsupportedSlice, loc, message, help);
                return Shape::Unknown;
            }
            Shape::Sums { len, .. } | Shape::Bytes { len: Some(len) } => len,
        };
        if !self.check_slice(input, len, start, end, loc) {
            return Shape::Unknown;
        }
        let cut = end.map_or(len, |end| end.value) - start.map_or(0, |start| start.value);
        match shape {
            Shape::Sums { layer, .. } => Shape::Sums { layer, len: cut },
            _ => Shape::Bytes { len: Some(cut) },
        }
    }

    /// Whether `input[start..end]` is a part of the `len` values of `input`, and not an empty one.
    fn check_slice(
        &mut self,
        input: &Expr,
        len: u64,
        start: Option<Located<u64>>,
        end: Option<Located<u64>>,
        loc: Loc,
    ) -> bool {
        let from = start.map_or(0, |start| start.value);
        let to = end.map_or(len, |end| end.value);
        let input = short(input);
        if from > to && end.is_some() {
            let message = format!("the slice starts at {from} and ends at {to}");
            self.error(Code::SliceInverted, loc, message, format!("write `[{to}..{from}]`"));
        } else if from == to && from < len {
            let message = format!("the slice `{from}..{to}` has no values");
            let help = format!("the end is not included: write `[{from}..{}]`", from + 1);
            self.error(Code::SliceEmpty, loc, message, help);
        } else if to > len || from >= len {
            let (wrong, what) = if from >= len { (start, "index") } else { (end, "end of the slice") };
            let value = if from >= len { from } else { to };
            let message = format!("`{input}` has {len} values, the {what} is {value}");
            let help = match len {
                0 => "give it at least one value".to_string(),
                _ => format!("the last value is `[{}]`, all of them are `[..{len}]`", len - 1),
            };
            self.error(Code::SliceRange, wrong.map_or(loc, |wrong| wrong.loc), message, help);
        } else {
            return true;
        }
        false
    }

    /// Terms of the output are single neurons.
    fn check_term(&mut self, term: &TermSpec) {
        let value = &term.value;
        match self.shape(value) {
            Shape::Sums { len, layer } if self.is_wdl() => self.check_wdl(value, len, layer),
            Shape::Unknown | Shape::Sums { len: 1, .. } => {}
            // A layer of no outputs, or of too many, is wrong in itself.
            Shape::Sums { len, .. } if !(1..=MAX_OUTPUTS).contains(&len) => {}
            Shape::Sums { len, layer } => {
                let (loc, message, help) = if matches!(value, Expr::Affine { .. }) {
                    let message = format!("the output is 1 neuron, its layer has {len}");
                    (
                        self.layers[layer].outputs.loc,
                        message,
                        "write 1; for one output per number of pieces, write layer stacks".into(),
                    )
                } else {
                    let message = format!("a term of the output is 1 neuron, `{}` has {len}", short(value));
                    (value.loc(), message, format!("write `{value}[0]`, or `affine(crelu({value}), 1)`"))
                };
                self.error(Code::OutputWidth, loc, message, help);
            }
            Shape::Accumulator | Shape::Activated { .. } | Shape::ActivatedSums { .. } | Shape::Bytes { .. } => {
                let message = format!("a term of the output is a neuron of a layer, `{}` is not", short(value));
                let input = if matches!(value, Expr::Name(name) if name.value == self.spec.accumulator.name.value) {
                    format!("crelu({value})")
                } else {
                    value.to_string()
                };
                self.error(Code::OutputTerm, value.loc(), message, format!("write `affine({input}, 1)`"));
            }
        }
    }

    /// Whether the outputs are those of a loss, a draw and a win.
    fn is_wdl(&self) -> bool {
        self.spec.value.is_some_and(|value| value.form == ValueForm::Wdl)
    }

    fn check_wdl(&mut self, value: &Expr, len: u64, layer: usize) {
        if len != 3 {
            let loc = if matches!(value, Expr::Affine { .. }) { self.layers[layer].outputs.loc } else { value.loc() };
            let message = format!("`value wdl` reads 3 outputs, for a loss, a draw and a win; there are {len}");
            self.error(Code::OutputWidth, loc, message, "write `output affine(x, 3: f32)`".into());
        }
    }

    /// `fc0`, `fc1`, ... are the names of the layers in files and parameters.
    fn check_generated_name(&mut self, binding: &Binding, shape: Shape) {
        let name = binding.name.value.as_str();
        let number = name.strip_prefix("fc").and_then(|number| number.parse::<usize>().ok());
        let layer = match (&binding.value, shape) {
            (Expr::Affine { .. }, Shape::Sums { layer, .. }) => Some(layer),
            _ => None,
        };
        if name != "ft" && (number.is_none() || number == layer) {
            return;
        }
        let message = format!("`{name}` is the name of other parameters in the generated type");
        let help = match layer {
            Some(layer) => format!("this layer is `fc{layer}` there; call it so, or for example `h{layer}`"),
            None => "choose another name, for example `h1`".to_string(),
        };
        self.error(Code::ReservedName, binding.name.loc, message, help);
    }
}

/// An expression for the middle of a sentence: long ones by their outermost word.
fn short(expr: &Expr) -> String {
    let text = expr.to_string();
    if text.len() <= 24 {
        return text;
    }
    match expr {
        Expr::Name(_) => text,
        Expr::Affine { outputs, .. } => format!("affine(.., {})", outputs.value),
        Expr::Activate { function, .. } => format!("{}(..)", function.value.name()),
        Expr::Concat { .. } => "concat(..)".to_string(),
        Expr::Slice { input, .. } => format!("{}[..]", short(input)),
    }
}
