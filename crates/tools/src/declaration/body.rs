//! Layers, activations and outputs of a declaration.
//!
//! Hidden layers get names, and activations that are read several times. The compiler orders operations by
//! where they are written; if that differs from the order of layers and buffers in the descriptor, other
//! choices of names are tried: only shared values, then everything but what only outputs read, then
//! everything. A named activation is computed where it is first read; `crelu(h1)[0..16]`, a part even if it
//! covers all of it, where it is bound.

use nnue_spec::elementwise::fold;
use nnue_spec::layout::OUTPUT_BLOCK;
use nnue_spec::op::{Pairs, Shift};
use nnue_spec::{
    Activation, ElementType, HeadDesc, HeadKind, HeadSource, LayerDesc, LayerKind, MapDesc,
    MapOperand, MapSource, NetDesc, Pool, Ratio, Reduce, Scalar, Segment, Shards, SignOf, Source,
    StepDesc, Unit, ValueDesc, quant,
};

use super::Defaults;

pub(super) fn lines(net: &NetDesc<'_>, defaults: Defaults) -> Vec<String> {
    let mut written = [Names::Hidden, Names::Shared, Names::Read]
        .into_iter()
        .map(|names| Body::written(net, names, defaults));
    let in_order = written.find(|body| body.order.is_sorted());
    in_order
        .unwrap_or_else(|| Body::written(net, Names::All, defaults))
        .lines
}

/// The values that get names.
#[derive(Clone, Copy, PartialEq)]
enum Names {
    /// hidden layers and shared values
    Hidden,
    /// values that are read several times
    Shared,
    /// values that anything but an output reads
    Read,
    /// all values, each computed where it is bound
    All,
}

struct Body<'a> {
    net: &'a NetDesc<'a>,
    names: Names,
    defaults: Defaults,
    /// buffers and layers with names
    buffers: Vec<bool>,
    layers: Vec<bool>,
    /// indices of the steps in the order of the text
    order: Vec<usize>,
    lines: Vec<String>,
}

/// How often other operations, and outputs, read buffers and layers.
struct Uses {
    buffers: Vec<[usize; 2]>,
    layers: Vec<[usize; 2]>,
}

impl Uses {
    fn of(net: &NetDesc<'_>) -> Self {
        let mut uses = Self {
            buffers: vec![[0; 2]; net.buffers.len()],
            layers: vec![[0; 2]; net.layers.len()],
        };
        for segment in net.layers.iter().flat_map(|layer| layer.segments) {
            match net.buffers[segment.buffer].source {
                Source::Signs(SignOf::Accumulator) => {}
                Source::Signs(SignOf::Layer(layer)) => uses.layers[layer][0] += 1,
                Source::Signs(SignOf::Buffer(buffer)) => uses.buffers[buffer][0] += 1,
                _ => uses.buffers[segment.buffer][0] += 1,
            }
        }
        for step in net.steps {
            match *step {
                StepDesc::ActivateSums { layer, .. } | StepDesc::ActivateFloat { layer, .. } => {
                    uses.layers[layer][0] += 1;
                }
                StepDesc::Pool {
                    pool,
                    operands,
                    stride,
                    ..
                } => {
                    uses.buffers[operands[0].buffer][0] += 1;
                    if of_one(pool, operands, stride).is_none() {
                        uses.buffers[operands[1].buffer][0] += 1;
                    }
                }
                StepDesc::Reduce { operand, .. } => uses.buffers[operand.buffer][0] += 1,
                StepDesc::Map { map, .. } => uses.read_by(net, net.maps[map]),
                _ => {}
            }
        }
        net.output
            .terms
            .iter()
            .for_each(|term| uses.layers[term.layer][1] += 1);
        for head in net.heads {
            match head.source {
                HeadSource::Layer(layer) => uses.layers[layer][1] += 1,
                HeadSource::Buffer(buffer) => uses.buffers[buffer][1] += 1,
            }
        }
        uses
    }

    /// Adds the operands of an expression, as often as it reads them.
    fn read_by(&mut self, net: &NetDesc<'_>, MapDesc { operands, code, .. }: MapDesc<'_>) {
        for scalar in code {
            let Scalar::Operand(index) = *scalar else {
                continue;
            };
            match operands[index].source {
                MapSource::Accumulator => {}
                MapSource::Layer(layer) => self.layers[layer][0] += 1,
                // An expression in another would be a part of it, so it gets a name.
                MapSource::Buffer(buffer) if net.map_of(buffer).is_some() => {
                    self.buffers[buffer][0] += 2;
                }
                MapSource::Buffer(buffer) => self.buffers[buffer][0] += 1,
            }
        }
    }
}

fn activates(net: &NetDesc<'_>, step: &StepDesc, of: usize) -> bool {
    match *step {
        StepDesc::ActivateSums { layer, .. } | StepDesc::ActivateFloat { layer, .. } => layer == of,
        StepDesc::Map { map, .. } => net.maps[map]
            .operands
            .iter()
            .any(|operand| operand.source == MapSource::Layer(of)),
        _ => false,
    }
}

/// Whether anything but an output reads the result of a step.
fn is_read(step: &StepDesc, uses: &Uses) -> bool {
    step.made()
        .is_some_and(|buffer| uses.buffers[buffer][0] > 0)
}

impl<'a> Body<'a> {
    fn written(net: &'a NetDesc<'a>, names: Names, defaults: Defaults) -> Self {
        let uses = Uses::of(net);
        let is_named = |&[others, outputs]: &[usize; 2]| match names {
            Names::Hidden | Names::Shared => others + outputs > 1,
            Names::Read => others + outputs > 1 || others > 0,
            Names::All => true,
        };
        let buffers = uses.buffers.iter().map(is_named).collect();
        let is_hidden = |layer: usize| {
            net.steps
                .iter()
                .any(|step| activates(net, step, layer) && is_read(step, &uses))
        };
        let layers = uses
            .layers
            .iter()
            .enumerate()
            .map(|(layer, uses)| is_named(uses) || names == Names::Hidden && is_hidden(layer));
        let layers = layers.collect();
        let mut body = Self {
            net,
            names,
            defaults,
            buffers,
            layers,
            order: Vec::new(),
            lines: Vec::new(),
        };
        for step in net.steps {
            match *step {
                StepDesc::Affine { layer } | StepDesc::AffineDirect { layer, .. }
                    if body.layers[layer] =>
                {
                    let value = body.layer_value(layer);
                    body.lines.push(format!("let h{} = {value};", layer + 1));
                }
                _ => {
                    let is_named = |&buffer: &usize| {
                        body.buffers[buffer] && body.pools_perspective(buffer) != Some(1)
                    };
                    if let Some(buffer) = step.made().filter(is_named) {
                        let value = body.bound(buffer);
                        body.lines.push(format!("let x{} = {value};", buffer + 1));
                    }
                }
            }
        }
        if !net.output.terms.is_empty() {
            let value = body.value();
            body.lines.push(format!("output {value};"));
        }
        for head in net.heads {
            let value = body.head(head);
            body.lines.push(format!("output {} = {value};", head.name));
        }
        body
    }

    /// Records that a step was written. Its operands must come first.
    fn note(&mut self, is_it: impl Fn(&StepDesc) -> bool) -> Option<StepDesc> {
        let at = self.net.steps.iter().position(is_it)?;
        self.order.push(at);
        Some(self.net.steps[at])
    }

    fn buffer(&mut self, buffer: usize) -> String {
        if !self.buffers[buffer] {
            return self.made_value(buffer);
        }
        if self.is_activation(buffer)
            && !self
                .order
                .iter()
                .any(|&at| self.net.steps[at].made() == Some(buffer))
        {
            self.note(|step| step.made() == Some(buffer));
        }
        format!("x{}", buffer + 1)
    }

    /// The value that is bound to the name of a buffer.
    fn bound(&mut self, buffer: usize) -> String {
        if !self.is_activation(buffer) {
            return self.made_value(buffer);
        }
        let (text, desc) = (self.buffer_value(buffer), self.net.buffers[buffer]);
        let of_sums = matches!(desc.source, Source::Layer(_) | Source::Float(_));
        // A part of a shifted activation cannot be written.
        if self.names == Names::All && of_sums && !text.contains(" >> ") {
            format!("{text}[0..{}]", desc.len)
        } else {
            text
        }
    }

    /// Whether a buffer is an activation of accumulators or sums.
    fn is_activation(&self, buffer: usize) -> bool {
        let makes = |step: &&StepDesc| step.made() == Some(buffer);
        self.net.steps.iter().find(makes).is_some_and(|step| {
            matches!(
                step,
                StepDesc::ActivateAccumulator { .. }
                    | StepDesc::FloatAccumulator { .. }
                    | StepDesc::ActivateSums { .. }
                    | StepDesc::ActivateFloat { .. }
            )
        })
    }

    /// The value of a buffer at the place that computes it.
    fn made_value(&mut self, buffer: usize) -> String {
        let text = self.buffer_value(buffer);
        self.note(|step| step.made() == Some(buffer));
        text
    }

    fn layer(&mut self, layer: usize) -> String {
        if self.layers[layer] {
            format!("h{}", layer + 1)
        } else {
            self.layer_value(layer)
        }
    }

    fn buffer_value(&mut self, buffer: usize) -> String {
        let net = self.net;
        let step = net
            .steps
            .iter()
            .find(|step| step.made() == Some(buffer))
            .copied();
        match step {
            Some(StepDesc::ActivateAccumulator {
                activation, shift, ..
            }) => {
                let words = net.buffers[buffer].source == Source::Words;
                let of_bytes = activation
                    .operation()
                    .and_then(|operation| operation.accumulators);
                let default = match of_bytes.map(|formula| formula.shift) {
                    Some(Shift::Product) if !words => {
                        quant::product_shift(net.accumulator.one as u64)
                    }
                    _ => 0,
                };
                let text = net.activated_accumulator(activation) + &self.most(activation, buffer);
                self.shifted(text, shift, Some(default)) + if words { " as i16" } else { "" }
            }
            Some(StepDesc::FloatAccumulator { activation, .. }) => {
                net.activated_accumulator(activation)
            }
            Some(StepDesc::ActivateSums {
                activation,
                shift,
                layer,
                ..
            }) => {
                let text = format!("{}({})", net.activation_name(activation), self.layer(layer));
                self.shifted(
                    text + &self.most(activation, buffer),
                    shift,
                    self.default_shift(activation, layer),
                )
            }
            Some(StepDesc::ActivateFloat {
                activation, layer, ..
            }) => {
                format!("{}({})", net.activation_name(activation), self.layer(layer))
            }
            Some(StepDesc::Pool {
                pool,
                operands,
                stride,
                ..
            }) => self.pool(pool, operands, stride),
            Some(StepDesc::Map { map, .. }) => self.expression(map, net.buffers[buffer].len),
            Some(StepDesc::Reduce {
                reduce: Reduce::Mean,
                operand,
                size,
                ..
            }) if size == operand.len => {
                format!("{}({})", Reduce::Mean.name(true), self.part(operand))
            }
            Some(StepDesc::Reduce {
                reduce,
                operand,
                size,
                ..
            }) => {
                format!("{}({}, {size})", reduce.name(false), self.part(operand))
            }
            _ => String::new(),
        }
    }

    /// The expression of a map of `len` values. Operations that may wrap are written as such.
    fn expression(&mut self, map: usize, len: usize) -> String {
        let net = self.net;
        let MapDesc {
            operands,
            code,
            element,
            ..
        } = net.maps[map];
        let read: Vec<String> = operands
            .iter()
            .map(|&MapOperand { source, start }| {
                let values = match source {
                    MapSource::Accumulator => "acc".to_owned(),
                    MapSource::Layer(layer) => {
                        self.layer(layer) + &slice(start, len, net.layers[layer].outputs)
                    }
                    MapSource::Buffer(buffer) => self.part(Segment { buffer, start, len }),
                };
                match element == ElementType::F32 && !net.reads_floats(source) {
                    true => format!("({values} as f32)"),
                    false => values,
                }
            })
            .collect();
        let part = |scalar: Scalar, parts: &[String]| match scalar {
            Scalar::Operand(index) => read[index].clone(),
            scalar => {
                let form = scalar.form(element);
                form.map_or_else(String::new, |form| scalar.written(form.declared, parts))
            }
        };
        fold(code, part).unwrap_or_default()
    }

    /// ` max 100`, for custom functions that make bytes.
    fn most(&self, activation: Activation, buffer: usize) -> String {
        match activation {
            Activation::Custom(_) => format!(" max {}", self.net.buffers[buffer].max),
            _ => String::new(),
        }
    }

    /// Adds a shift, unless it is the default and defaults are omitted or it is none.
    fn shifted(&self, text: String, shift: u32, default: Option<u32>) -> String {
        if self.defaults.omit(Some(shift), default) || (shift == 0 && default == Some(0)) {
            text
        } else {
            format!("{text} >> {shift}")
        }
    }

    /// The default shift for the scale of a layer, if there is one.
    fn default_shift(&self, activation: Activation, layer: usize) -> Option<u32> {
        let scale = self.net.layers[layer].scale as u64;
        match activation
            .operation()
            .and_then(|operation| operation.sums)
            .map(|formula| formula.shift)
        {
            Some(Shift::Sum { default, .. }) => {
                (scale.is_power_of_two() && !self.net.reads_words(layer)).then(|| default(scale))
            }
            _ => Some(0),
        }
    }

    fn pool(&mut self, pool: Pool, operands: [Segment; 2], stride: usize) -> String {
        match of_one(pool, operands, stride) {
            // A declaration does not distinguish the perspectives.
            Some((name, read)) if self.net.buffers[read.buffer].source.is_accumulator() => {
                format!("{name}({})", self.buffer(read.buffer))
            }
            Some((name, read)) => format!("{name}({})", self.part(read)),
            None => {
                let [first, second] = operands.map(|operand| self.part(operand));
                format!("{}({first}, {second})", pool.definition().name)
            }
        }
    }

    /// The perspective of the accumulator that a buffer pools.
    fn pools_perspective(&self, buffer: usize) -> Option<usize> {
        let net = self.net;
        let (_, [first, _]) = net.pool_of(buffer)?;
        let is_second = first.start >= net.buffers[first.buffer].len / net.accumulator.perspectives;
        net.buffers[first.buffer]
            .source
            .is_accumulator()
            .then_some(usize::from(is_second))
    }

    /// A range of a buffer; for signs, of the operand of the signs.
    fn part(&mut self, Segment { buffer, start, len }: Segment) -> String {
        let text = match self.net.buffers[buffer].source {
            Source::Signs(SignOf::Accumulator) => "acc".to_owned(),
            Source::Signs(SignOf::Layer(layer)) => self.layer(layer),
            Source::Signs(SignOf::Buffer(buffer)) => self.buffer(buffer),
            _ => self.buffer(buffer),
        };
        text + &slice(start, len, self.net.buffers[buffer].len)
    }

    fn operands(&mut self, layer: usize) -> String {
        let net = self.net;
        if let Some(StepDesc::AffineDirect { activation, .. }) = net
            .steps
            .iter()
            .find(|step| matches!(step, StepDesc::AffineDirect { layer: one, .. } if *one == layer))
        {
            return net.activated_accumulator(*activation);
        }
        let (mut parts, mut segments) = (Vec::new(), net.layers[layer].segments.iter());
        while let Some(&segment) = segments.next() {
            parts.push(self.part(segment));
            if self.pools_perspective(segment.buffer) == Some(0)
                && net.accumulator.perspectives == 2
            {
                let second = segments.next();
                self.note(|step| step.made() == second.map(|second| second.buffer));
            }
        }
        if parts.len() == 1 {
            parts.concat()
        } else {
            format!("concat({})", parts.join(", "))
        }
    }

    fn layer_value(&mut self, layer: usize) -> String {
        let (operands, desc) = (self.operands(layer), &self.net.layers[layer]);
        let is_it = |step: &StepDesc| matches!(*step, StepDesc::Affine { layer: one } | StepDesc::AffineDirect { layer: one, .. } if one == layer);
        self.note(is_it);
        let word = if desc.kind == LayerKind::Rows {
            "rows"
        } else {
            "affine"
        };
        let mut text = format!("{word}({operands}, {}", desc.outputs);
        let (usual, element) = (
            desc.scale as u64 == quant::DEFAULT_SCALE,
            self.net.weights_of(layer),
        );
        let writes_scale = !usual
            || self.defaults == Defaults::Written
                && matches!(element, ElementType::I8 | ElementType::I16);
        match desc.kind {
            LayerKind::Float { partial, .. } => {
                text += ": f32";
                text += &if partial > 0 {
                    format!(" sums {partial}")
                } else {
                    String::new()
                };
            }
            LayerKind::Binary if self.defaults.omit(usual, true) => text += " binary",
            LayerKind::Binary => text += &format!(" @ {} binary", desc.scale),
            _ if writes_scale => text += &format!(": {} @ {}", element.name(), desc.scale),
            _ if element != ElementType::I8 => text += &format!(": {}", element.name()),
            _ => {}
        }
        text += &of_sums(self.net, layer);
        if let LayerKind::BlockSparse { reached } = desc.kind {
            text += &format!(", blocks {reached} of {OUTPUT_BLOCK}");
        }
        if let Some(Shards { count, width }) = desc.shards {
            text += &format!(", shards {count} of {width}");
        }
        text + ")"
    }

    fn value(&mut self) -> String {
        let output = self.net.output;
        if matches!(self.net.value, ValueDesc::Wdl { .. }) {
            return self.layer(output.terms[0].layer);
        }
        let mut text = String::new();
        for (index, term) in output.terms.iter().enumerate() {
            text += match (index, term.negative) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            text += &self.layer(term.layer);
            text += &slice(term.neuron, 1, self.net.layers[term.layer].outputs);
            text += &factor(term.ratio);
        }
        if output.ratio.is_some() {
            format!("({text}){}", factor(output.ratio))
        } else {
            text
        }
    }

    fn head(&mut self, head: &HeadDesc<'_>) -> String {
        let (text, all) = match head.source {
            HeadSource::Layer(layer) => (self.layer(layer), self.net.layers[layer].outputs),
            HeadSource::Buffer(buffer) => (self.buffer(buffer), self.net.buffers[buffer].len),
        };
        match head.kind {
            HeadKind::Rows => text,
            HeadKind::Wdl => format!("wdl({text}{})", slice(head.start, head.len, all)),
            HeadKind::Numbers => {
                text + &slice(head.start, head.len, all) + &times(head.unit, self.unit(head.source))
            }
        }
    }

    /// Unit of a layer or an activation.
    fn unit(&self, source: HeadSource) -> Unit {
        let net = self.net;
        let whole = Unit { num: 1, den: 1 };
        match source {
            HeadSource::Buffer(buffer) if net.buffers[buffer].source.is_float() => whole,
            HeadSource::Buffer(buffer) => net.unit_of(buffer),
            HeadSource::Layer(layer) if net.has_float_sums(layer) => whole,
            HeadSource::Layer(layer) => sums_unit(net, layer),
        }
    }
}

/// ` bias i32` or ` unit 1/16256`, where the sums of an integer layer need it in a network of floats.
fn of_sums(net: &NetDesc<'_>, layer: usize) -> String {
    let is_float = |desc: &LayerDesc<'_>| matches!(desc.kind, LayerKind::Float { .. });
    let becomes_floats = net.steps.iter().find_map(|step| match *step {
        StepDesc::FloatSums {
            layer: of, unit, ..
        } if of == layer => Some(unit),
        _ => None,
    });
    match becomes_floats {
        Some(unit) if unit != sums_unit(net, layer) => format!(" unit {}/{}", unit.num, unit.den),
        Some(_) => String::new(),
        None => {
            let desc = &net.layers[layer];
            let is_read = !is_float(desc) && desc.kind != LayerKind::Rows;
            match is_read && net.layers.iter().any(is_float) {
                true => " bias i32".into(),
                false => String::new(),
            }
        }
    }
}

/// Unit of the sums of an integer layer.
pub(super) fn sums_unit(net: &NetDesc<'_>, layer: usize) -> Unit {
    let desc = &net.layers[layer];
    let Unit { num, den } = match (desc.kind, desc.segments) {
        (LayerKind::Binary, _) | (_, []) => Unit {
            num: 1,
            den: quant::BUFFER_MAX,
        },
        (_, [first, ..]) => net.unit_of(first.buffer),
    };
    Unit {
        num,
        den: den.saturating_mul(desc.scale as u64),
    }
}

/// The pool as an activation of one value, and the range that this reads.
fn of_one(
    pool: Pool,
    [first, second]: [Segment; 2],
    stride: usize,
) -> Option<(&'static str, Segment)> {
    let (pairs, apart) = if stride == 2 {
        (Pairs::Neighbours, 1)
    } else {
        (Pairs::Halves, first.len)
    };
    let named = Activation::ALL
        .into_iter()
        .find(|known| known.pool() == Some((pool, pairs)))?;
    let is_one = first.buffer == second.buffer && second.start == first.start + apart;
    let name = named.operation()?.name;
    is_one.then_some((
        name,
        Segment {
            len: 2 * first.len,
            ..first
        },
    ))
}

/// `[3..8]`, `[15]`, or nothing for the whole value.
fn slice(start: usize, len: usize, all: usize) -> String {
    match len {
        _ if len == all => String::new(),
        1 => format!("[{start}]"),
        _ => format!("[{start}..{}]", start + len),
    }
}

/// ` as i64 * 9600 / 8128`
fn factor(ratio: Option<Ratio>) -> String {
    let Some(Ratio { num, den, wide }) = ratio else {
        return String::new();
    };
    let mut text = String::from(if wide { " as i64" } else { "" });
    text += &if num != 1 || den == 1 {
        format!(" * {num}")
    } else {
        String::new()
    };
    text += &if den != 1 {
        format!(" / {den}")
    } else {
        String::new()
    };
    text
}

/// The factor that converts a value from the unit `base` to `found`.
fn times(found: Unit, base: Unit) -> String {
    let [num, den] =
        [[found.num, base.den], [found.den, base.num]].map(|[a, b]| u128::from(a) * u128::from(b));
    let (mut common, mut rest) = (num, den);
    while rest > 0 {
        (common, rest) = (rest, common % rest);
    }
    let [num, den] = [num, den].map(|part| part / common.max(1));
    let mut text = if num == 1 {
        String::new()
    } else {
        format!(" * {num}")
    };
    text += &if den == 1 {
        String::new()
    } else {
        format!(" / {den}")
    };
    text
}
