//! The walk over expressions: checks the operands of every operation and makes the nodes of the graph.

mod arithmetic;
mod binary;
mod blocks;
mod floats;
mod heads;
mod parts;
mod pool;
mod shards;
mod terms;
mod value;
mod words;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ptr;

use super::facts::LayerFacts;
use super::nodes::{Layer, Nodes};
use super::{MAX_OPERATIONS, MAX_OUTPUTS, MAX_VALUES, float, quant, words as words_check};
use crate::arithmetic::Arithmetic;
use crate::descriptor::{AccumulatorDesc, Activation, ElementType};
use crate::diagnostic::{Code, Diagnostic, Sink};
use crate::graph::{Element, Head, Node, Reach, Term};
use crate::loc::{Loc, Located};
use crate::model::{Binding, CustomFunction, Expr, Function, NetSpec, ReachKind};
use crate::quant::BUFFER_MAX;
use value::{Activated, Operand, Value};

/// The result of the walk.
pub(super) struct Walked {
    pub(super) nodes: Vec<Node>,
    pub(super) custom: Vec<String>,
    pub(super) terms: Vec<Term>,
    pub(super) heads: Vec<Head>,
    /// the layers, in file order
    pub(super) layers: Vec<LayerFacts>,
}

struct Walk<'a, 's> {
    spec: &'a NetSpec,
    names: BTreeMap<&'a str, Value<'a>>,
    nodes: Nodes<'a>,
    layers: Vec<LayerFacts>,
    /// results for activations, each checked once however often it is read
    judged: BTreeMap<*const Located<Function>, Option<u32>>,
    /// whether a layer is of floats; then all layers after the first are
    floats: bool,
    /// the element of accumulators in slices and concatenations: floats if all layers read floats, otherwise
    /// bytes
    joined: Element,
    /// whether the limit of operations is exceeded and reported
    is_spent: bool,
    sink: &'s mut Sink,
}

/// Checks all expressions and makes the nodes of the graph, which are valid if nothing was reported.
pub(super) fn walk<'a>(
    spec: &'a NetSpec,
    accumulator: &'a AccumulatorDesc,
    sink: &mut Sink,
) -> Walked {
    let names = BTreeMap::from([(spec.accumulator.name.value.as_str(), Value::Accumulator)]);
    let (nodes, floats) = (Nodes::new(spec, accumulator), spec.has_floats());
    let joined = if floats && !spec.has_layers_of(ElementType::I8) {
        Element::F32
    } else {
        Element::U8
    };
    let mut walk = Walk {
        spec,
        names,
        nodes,
        layers: Vec::new(),
        judged: BTreeMap::new(),
        floats,
        joined,
        is_spent: false,
        sink,
    };
    for binding in &spec.bindings {
        let value = walk.value(&binding.value, Some(&binding.name.value));
        walk.check_generated_name(binding, &value);
        walk.names.entry(&binding.name.value).or_insert(value);
    }
    if spec.output.terms.is_empty() && !spec.has_rows() {
        let diagnostic =
            Diagnostic::new(Code::OutputTerm, spec.output.loc, "the output has no terms");
        walk.sink
            .push(diagnostic.help("write for example `output affine(crelu(acc), 1)`"));
    }
    let terms = spec
        .output
        .terms
        .iter()
        .flat_map(|term| walk.term(term))
        .collect();
    let heads = spec
        .heads
        .iter()
        .filter_map(|head| walk.head(head))
        .collect();
    Walked {
        nodes: walk.nodes.all,
        custom: walk.nodes.custom,
        terms,
        heads,
        layers: walk.layers,
    }
}

impl<'a> Walk<'a, '_> {
    fn error(&mut self, code: Code, loc: Loc, message: String, help: String) {
        self.sink
            .push(Diagnostic::new(code, loc, message).help(help));
    }

    /// Checks an expression; `name` is for the node of its outermost operation.
    fn value(&mut self, expr: &'a Expr, name: Option<&'a str>) -> Value<'a> {
        if !self.has_room(expr) {
            return Value::Unknown;
        }
        match expr {
            Expr::Name(name) => self
                .names
                .get(name.value.as_str())
                .cloned()
                .unwrap_or(Value::Unknown),
            Expr::Affine { .. } => self.affine(expr),
            Expr::Activate {
                function,
                input,
                shift,
                words,
            } => {
                let value = self.value(input, None);
                self.activate(function, input, &value, (*shift, *words), name)
            }
            Expr::Pool { .. } if self.is_maximum_of_integers(expr) => self.arithmetic(expr, name),
            Expr::Pool { pool, operands } => self.pool_of_two(pool, operands, name),
            Expr::Reduce {
                reduce,
                input,
                size,
                shift,
            } => {
                let value = self.value(input, None);
                self.reduce(*reduce, input, value, (*size, *shift), name)
            }
            Expr::Concat { parts, loc } => self.concat(parts, *loc),
            Expr::Number(_) | Expr::Float(_) | Expr::Arithmetic { .. } => {
                self.arithmetic(expr, name)
            }
            Expr::Slice {
                input,
                start,
                end,
                loc,
            } => {
                let value = self.value(input, None);
                let value = self.made(value);
                self.slice(input, value, *start, *end, *loc)
            }
        }
    }

    /// Whether the limits allow more operations and values; exceeding them is reported once.
    fn has_room(&mut self, expr: &Expr) -> bool {
        if self.is_spent {
            return false;
        }
        let (operations, values) = (self.nodes.all.len() - 1, self.nodes.values);
        let message = if operations > MAX_OPERATIONS {
            format!("a network has up to {MAX_OPERATIONS} operations, and here are more")
        } else if values > MAX_VALUES {
            format!(
                "the operations of a network make up to {MAX_VALUES} numbers, up to here {values}"
            )
        } else {
            return true;
        };
        self.is_spent = true;
        let help = "declare fewer or narrower layers, activations and pools".to_string();
        self.error(Code::Limit, expr.loc(), message, help);
        false
    }

    /// A layer. The type of its weights determines the type of its operands.
    fn affine(&mut self, expr: &'a Expr) -> Value<'a> {
        let Expr::Affine {
            input,
            outputs,
            element,
            scale,
            sums,
            bias,
            unit,
            binary,
            reach,
            ..
        } = expr
        else {
            return Value::Unknown;
        };
        let value = match (element.value, self.value(input, None)) {
            (_, value) if binary.is_some() => {
                self.check_binary(*element, *sums);
                self.check_outputs(*outputs);
                self.read_signs(input, value)
            }
            (
                ElementType::I16,
                Value::Activated(
                    of @ Activated {
                        operand: Operand::Accumulator,
                        words: None,
                        ..
                    },
                ),
            ) => {
                let value = self.read_whole(of);
                self.check_direct(*outputs, *element);
                value
            }
            (ElementType::I8 | ElementType::I16 | ElementType::I32, value)
                if self.is_integer(*element, &value) =>
            {
                self.check_outputs(*outputs);
                self.read_integers(input, value)
            }
            (ElementType::F32, value) => {
                let value = self.read_floats(input, value);
                self.check_outputs(*outputs);
                float::check_sums(*sums, value.len(), self.sink);
                value
            }
            (weights, value) => {
                // A layer of a wrong type has no known operand type.
                let words = self.is_words(&value);
                let value = match weights {
                    ElementType::I16 if words => self.made(value),
                    ElementType::I8 => self.made(value),
                    _ => Value::hidden(value.len()),
                };
                self.check_read(input, &value);
                if let Value::Read { runs, .. } = &value
                    && !self.floats
                    && self.are_floats(runs)
                {
                    self.refuse_floats_as_integers(input);
                }
                if words {
                    self.check_words_len(input, value.len());
                }
                self.check_layer(*outputs, *element, words);
                value
            }
        };
        quant::check_scale(*scale, self.sink);
        let reach = reach.map_or(Reach::All, |reach| match reach.kind {
            ReachKind::Blocks => {
                self.check_blocks(reach, (*outputs, *element), binary.is_some(), &value)
            }
            ReachKind::Shards => self.check_shards(reach, *outputs, *binary, &value),
        });
        let node = self.nodes.affine(Layer {
            operands: if let Value::Read { runs, .. } = value {
                runs
            } else {
                Vec::new()
            },
            outputs: outputs.value as usize,
            weights: if binary.is_some() {
                ElementType::I8
            } else {
                element.value
            },
            scale: scale.value as i32,
            partial: sums.map_or(0, |sums| sums.value as usize),
            on_demand: false,
            binary: binary.is_some(),
            reach,
            integer_bias: bias.is_some(),
            unit: unit.map(|unit| unit.value),
        });
        self.check_bias_and_unit(node, *bias, *unit);
        let reads_words = self.nodes.reads_words(node);
        self.layers.push(LayerFacts {
            outputs: *outputs,
            scale: *scale,
            input: input.loc(),
            reads_words,
            integer_bias: bias.is_some() && element.value != ElementType::F32,
            node,
        });
        Value::Sums {
            layer: self.layers.len() - 1,
            start: 0,
            len: outputs.value,
        }
    }

    /// Activated accumulators as operands of layers of 16-bit weights.
    fn read_whole(&mut self, activated: Activated<'a>) -> Value<'a> {
        let shift = quant::whole(self.spec, activated.function, activated.shift, self.sink);
        self.read_accumulators(activated, shift, Element::Whole)
    }

    /// A value as operand of float layers.
    fn read_floats(&mut self, input: &Expr, value: Value<'a>) -> Value<'a> {
        if let Value::Activated(
            activated @ Activated {
                operand: Operand::Accumulator,
                words: None,
                ..
            },
        ) = value
        {
            let shift = float::of_accumulators(activated.function, activated.shift, self.sink);
            return self.read_accumulators(activated, shift, Element::F32);
        }
        let value = self.made(value);
        self.check_read(input, &value);
        let value = self.refuse_integers("a layer of floats reads floats", input, value);
        self.refuse_words("a layer of floats", input, value)
    }

    /// Whether a layer is one of 32-bit integers: it has weights of 32 bits, or reads an expression.
    fn is_integer(&self, element: Located<ElementType>, value: &Value<'_>) -> bool {
        let reads = matches!(value, Value::Read { runs, .. } if self.nodes.are_integers(runs));
        element.value == ElementType::I32 || reads
    }

    /// The operand of a layer of 32-bit integers: sums, results of expressions, and bytes of layers.
    fn read_integers(&mut self, input: &'a Expr, value: Value<'a>) -> Value<'a> {
        let value = match value {
            Value::Sums { .. } => self.sums_as_integers(input, value),
            other => self.made(other),
        };
        if let Value::Accumulator = value {
            self.check_read(input, &value);
            return Value::hidden(None);
        }
        let Value::Read { runs, len } = value else {
            return value;
        };
        if self.are_floats(&runs) {
            self.refuse_floats_as_integers(input);
            return Value::hidden(len);
        }
        if runs.iter().all(|run| self.is_of_integers(run)) {
            return Value::Read { runs, len };
        }
        let message = format!(
            "a layer of 32-bit integers reads layers of integers, and `{}` is not of one",
            short(input)
        );
        let help = "give the first layer the type `i8`, and let this one read it".into();
        self.error(Code::Arithmetic, input.loc(), message, help);
        Value::hidden(len)
    }

    /// Makes the node of an activation: bytes, or floats for sums that float layers read.
    fn made(&mut self, value: Value<'a>) -> Value<'a> {
        let Value::Activated(activated) = value else {
            return value;
        };
        let shift = self.judge(activated);
        match activated.operand {
            Operand::Accumulator if activated.words.is_some() => {
                self.read_accumulators(activated, shift, Element::Words)
            }
            Operand::Accumulator => self.read_accumulators(activated, shift, self.joined),
            Operand::Sums { layer, start } => self.read_sums(activated, shift, layer, start),
        }
    }

    /// The shift of an activation to bytes or floats; `None` if it is refused, which is reported once.
    fn judge(
        &mut self,
        Activated {
            function,
            shift,
            words,
            operand,
            ..
        }: Activated<'a>,
    ) -> Option<u32> {
        if let Some(judged) = self.judged.get(&ptr::from_ref(function)) {
            return *judged;
        }
        let judged = match (operand, words) {
            (Operand::Accumulator, Some(as_words)) => {
                words_check::of_accumulators(self.spec, function, shift, as_words, self.sink)
            }
            (Operand::Accumulator, _) if self.joined == Element::F32 => {
                float::of_accumulators(function, shift, self.sink)
            }
            (Operand::Accumulator, _) => {
                quant::of_accumulators(self.spec, function, shift, self.sink)
            }
            (Operand::Sums { .. }, _) if self.floats => float::of_sums(function, shift, self.sink),
            (Operand::Sums { layer, .. }, _) => {
                quant::of_sums(function, shift, &self.layers[layer], self.sink)
            }
        };
        self.judged.insert(ptr::from_ref(function), judged);
        judged
    }

    fn read_accumulators(
        &mut self,
        activated: Activated<'a>,
        shift: Option<u32>,
        element: Element,
    ) -> Value<'a> {
        let Activated {
            function,
            name,
            len,
            ..
        } = activated;
        let Some(shift) = shift else {
            return Value::hidden(len);
        };
        let (activation, greatest) = self.resolve(&function.value);
        let is_whole = activation
            .operation()
            .is_none_or(|operation| operation.whole.is_some());
        if let (Element::F32, false, Some((pool, pairs))) = (element, is_whole, activation.pool()) {
            return self.pool_of_accumulators(pool, pairs, activated);
        }
        let node = self
            .nodes
            .activate_accumulator((activation, shift), greatest, element, name);
        Value::read(node, 0, len)
    }

    fn read_sums(
        &mut self,
        activated: Activated<'a>,
        shift: Option<u32>,
        layer: usize,
        start: u64,
    ) -> Value<'a> {
        let Activated {
            function,
            name,
            len,
            ..
        } = activated;
        let Some(shift) = shift else {
            return Value::hidden(len);
        };
        let (activation, greatest) = self.resolve(&function.value);
        let LayerFacts { node, outputs, .. } = self.layers[layer];
        // The name fits the node only if it means all of its values.
        let name = name.filter(|_| {
            start == 0 && len == Some(activation.values(outputs.value as usize) as u64)
        });
        let element = if self.floats {
            Element::F32
        } else {
            Element::U8
        };
        let node = self
            .nodes
            .activate_sums((activation, shift), node, greatest, element, name);
        Value::read(node, start, len)
    }

    /// The activation of the graph, and the declared maximum of a function of the program.
    fn resolve(&mut self, function: &Function) -> (Activation, u64) {
        match function {
            Function::Known(activation) => (*activation, BUFFER_MAX),
            Function::Custom(CustomFunction { path, max }) => (
                Activation::Custom(self.nodes.custom(path)),
                max.map_or(BUFFER_MAX, |max| max.value),
            ),
        }
    }

    /// A layer of 16-bit weights must have one output.
    fn check_direct(&mut self, outputs: Located<u64>, element: Located<ElementType>) {
        if outputs.value != 1 {
            let message = format!(
                "a layer of 16-bit weights has 1 output, not {}",
                outputs.value
            );
            let help = "layers of several outputs read what is kept in 16 bits, `pairwise(acc) as i16`, or have the type `i8` or `f32`; one \
                        output per number of pieces is `1x8`"
                .into();
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        }
    }

    /// A layer must read activated values.
    fn check_read(&mut self, input: &Expr, value: &Value<'_>) {
        let help = format!("activate it, for example `crelu({input})`");
        match value {
            Value::Accumulator => {
                let message =
                    format!("`{input}` is an accumulator, a layer reads activated values");
                self.error(Code::AffineOfAccumulator, input.loc(), message, help);
            }
            Value::Sums { .. } => {
                let message = format!(
                    "`{}` are sums of a layer, a layer reads activated values",
                    short(input)
                );
                self.error(Code::MissingActivation, input.loc(), message, help);
            }
            Value::Activated(_) | Value::Read { .. } | Value::Unknown => {}
        }
    }

    fn check_outputs(&mut self, outputs: Located<u64>) {
        if !(1..=MAX_OUTPUTS).contains(&outputs.value) {
            let message = format!(
                "a layer has 1 to {MAX_OUTPUTS} outputs, not {}",
                outputs.value
            );
            self.error(
                Code::LayerWidth,
                outputs.loc,
                message,
                "common are 16 and 32, and 1 for the output".into(),
            );
        }
    }

    /// Layers of 16-bit weights must read accumulators, or 16-bit values of accumulators.
    fn check_layer(
        &mut self,
        outputs: Located<u64>,
        element: Located<ElementType>,
        reads_words: bool,
    ) {
        self.check_outputs(outputs);
        if element.value == ElementType::I16 {
            if reads_words {
                return;
            }
            let message = "a layer of 16-bit weights reads the accumulators, and this one reads another layer".into();
            let help = "give it the type `i8` or `f32`, or let it be the only layer".into();
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        } else if element.value != ElementType::I8 {
            let message = format!(
                "weights of a layer are `i8`, `i16` or `f32`, not `{}`",
                element.value.name()
            );
            let help =
                "write the type that the network was trained for; without one it is `i8`".into();
            self.error(Code::UnsupportedWeightElement, element.loc, message, help);
        }
    }

    fn activate(
        &mut self,
        function: &'a Located<Function>,
        input: &Expr,
        value: &Value<'a>,
        (shift, words): (Option<Located<u64>>, Option<Loc>),
        name: Option<&'a str>,
    ) -> Value<'a> {
        let (operand, len) = match *value {
            Value::Unknown => return Value::hidden(None),
            Value::Read { ref runs, .. } if runs.is_empty() => return Value::hidden(None),
            Value::Accumulator if function.value.reads_activated() => {
                let word = Located::new(function.value.name(), function.loc);
                self.refuse_unwritten(word, input, value, None);
                return Value::hidden(self.accumulator_values(&function.value));
            }
            Value::Accumulator => (
                Operand::Accumulator,
                self.accumulator_values(&function.value),
            ),
            _ if function.value.pool().is_some() => {
                return self.pool_of_one(function, input, value.clone(), (shift, words), name);
            }
            Value::Sums { layer, .. }
                if self.refuse_integer_sums("layers of floats read", input, layer) =>
            {
                return Value::hidden(None);
            }
            Value::Sums { layer, start, len } => {
                self.refuse_words_of_sums(words);
                if function.value.is_gate() {
                    self.check_gated(function, input, len, self.layers[layer].outputs.value);
                }
                (
                    Operand::Sums { layer, start },
                    Some(function.value.values(len)),
                )
            }
            Value::Read { ref runs, .. } if self.nodes.are_of_expression(runs) => {
                let name = function.value.name();
                let (what, example) = match self.nodes.are_integers(runs) {
                    true => ("integers", "clamp(x >> 6, 0, 127)"),
                    false => ("floats", "clamp(x, 0.0, 1.0)"),
                };
                let message = format!(
                    "`{name}` activates sums of a layer, and `{}` are {what} of an expression",
                    short(input)
                );
                let help = format!("write what it computes, for example `{example}`");
                self.error(Code::Arithmetic, function.loc, message, help);
                return Value::hidden(None);
            }
            Value::Activated(_) | Value::Read { .. } => {
                let message = format!("`{}` is activated already", short(input));
                let help = format!("remove `{}`", function.value.name());
                self.error(Code::DoubleActivation, function.loc, message, help);
                return Value::hidden(None);
            }
        };
        Value::Activated(Activated {
            function,
            shift,
            words,
            name,
            operand,
            len,
        })
    }

    /// A gate needs the two halves of one layer.
    fn check_gated(&mut self, function: &Located<Function>, input: &Expr, len: u64, outputs: u64) {
        let (input, name) = (short(input), function.value.name());
        let message = if len != outputs {
            format!(
                "`{name}` multiplies the two halves of a layer, and `{input}` are {len} of its {outputs} sums"
            )
        } else if !len.is_multiple_of(2) {
            format!("`{name}` multiplies the two halves of a layer, and `{input}` has {len} sums")
        } else {
            return;
        };
        let help =
            format!("give the layer an even number of outputs, and write `{name}` of all of it");
        self.error(Code::FloatLayers, function.loc, message, help);
    }

    /// Number of activated accumulator values, unless their width or the perspectives are wrong.
    fn accumulator_values(&self, function: &Function) -> Option<u64> {
        let (width, perspectives) = (
            self.spec.accumulator.width.value,
            self.spec.accumulator.perspectives.value,
        );
        let valid = width > 0
            && width.is_multiple_of(32)
            && width <= super::MAX_WIDTH
            && (1..=2).contains(&perspectives);
        valid.then(|| function.values(width) * perspectives)
    }

    /// `fc0`, `fc1`, ... are reserved for the layers in files and parameters.
    fn check_generated_name(&mut self, binding: &Binding, value: &Value<'_>) {
        let name = binding.name.value.as_str();
        let number = name
            .strip_prefix("fc")
            .and_then(|number| number.parse::<usize>().ok());
        let layer = match (&binding.value, value) {
            (Expr::Affine { .. }, Value::Sums { layer, .. }) => Some(*layer),
            _ => None,
        };
        if name != "ft" && (number.is_none() || number == layer) {
            return;
        }
        let message = format!("`{name}` is the name of other parameters in the generated type");
        let help = match layer {
            Some(layer) => {
                format!("this layer is `fc{layer}` there; call it so, or for example `h{layer}`")
            }
            None => "choose another name, for example `h1`".to_string(),
        };
        self.error(Code::ReservedName, binding.name.loc, message, help);
    }
}

/// An expression for a message: long ones are shortened to their outermost word.
fn short(expr: &Expr) -> String {
    let text = expr.to_string();
    if text.len() <= 24 {
        return text;
    }
    match expr {
        Expr::Name(_) => text,
        Expr::Affine { outputs, .. } => format!("affine(.., {})", outputs.value),
        Expr::Activate { function, .. } => format!("{}(..)", function.value.name()),
        Expr::Pool { pool, .. } => format!("{}(..)", pool.value.definition().name),
        Expr::Reduce { reduce, size, .. } => format!("{}(..)", reduce.value.name(size.is_none())),
        Expr::Concat { .. } => "concat(..)".to_string(),
        Expr::Slice { input, .. } => format!("{}[..]", short(input)),
        Expr::Number(_) | Expr::Float(_) => text,
        Expr::Arithmetic {
            operation,
            operands,
        } => match (operation.value, &**operands) {
            (operation, [first, _]) if operation.is_infix() => {
                format!("{} {} ..", short(first), operation.word())
            }
            (cast, [first]) if cast.is_cast() => format!("{} {}", short(first), cast.word()),
            (Arithmetic::Select, [condition, ..]) => format!("if {} {{ .. }}", short(condition)),
            (operation, _) => format!("{}(..)", operation.word()),
        },
    }
}
