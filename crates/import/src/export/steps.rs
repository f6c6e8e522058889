//! The forward pass, step by step.

use nnue_spec::elementwise::{Onnx, fold};
use nnue_spec::{
    Activation, ElementType, LayerKind, MapDesc, MapOperand, MapSource, NetDesc, Scalar, StepDesc,
    TensorRole, Unit,
};

use super::activation::activation;
use super::clauses::clause;
use super::error::{ExportError, refuse};
use super::form::Form;
use super::model::{Kind, Value, Writer};
use super::pairs;
use super::weights::Network;

/// Largest byte that layers read.
const BYTE: i64 = 127;

/// State of the forward pass.
pub(super) struct Pass<'w, 'a> {
    pub(super) writer: &'w mut Writer,
    pub(super) network: Network<'a>,
    form: Form,
    pub(super) accumulators: Vec<Value>,
    /// the stack as one-hot
    pub(super) stack: Option<Value>,
    /// values by index; empty before they are computed
    pub(super) buffers: Vec<Value>,
    pub(super) sums: Vec<Value>,
    pub(super) floats: Vec<Value>,
}

impl<'w, 'a> Pass<'w, 'a> {
    pub(super) fn new(
        writer: &'w mut Writer,
        (network, form): (Network<'a>, Form),
        accumulators: Vec<Value>,
        stack: Option<Value>,
    ) -> Self {
        let [buffers, sums, floats] = [
            network.net.buffers.len(),
            network.net.layers.len(),
            network.net.layers.len(),
        ]
        .map(|len| vec![Value::new(); len]);
        Self {
            writer,
            network,
            form,
            accumulators,
            stack,
            buffers,
            sums,
            floats,
        }
    }

    pub(super) fn run(&mut self) -> Result<(), ExportError> {
        let net = self.network.net;
        for step in net.steps {
            self.writer.clause = clause(net, step);
            match *step {
                StepDesc::ActivateAccumulator {
                    activation,
                    shift,
                    buffer,
                } => {
                    self.buffers[buffer] = self.of_accumulators(activation, shift)?;
                }
                StepDesc::FloatAccumulator {
                    activation,
                    unit,
                    buffer,
                } => {
                    let whole = self.of_accumulators(activation, 0)?;
                    self.buffers[buffer] = self.scaled(&whole, unit);
                }
                StepDesc::Affine { layer } => self.affine(layer)?,
                StepDesc::AffineDirect { activation, layer } => self.direct(activation, layer)?,
                StepDesc::FloatSums { layer, unit, .. } => {
                    let sums = self.sums[layer].clone();
                    let scaled = self.scaled(&sums, unit);
                    let bias = self.bias(layer);
                    self.floats[layer] = self.writer.node("Add", &[&scaled, &bias]);
                }
                StepDesc::ActivateSums {
                    activation,
                    shift,
                    layer,
                    buffer,
                } => {
                    self.buffers[buffer] = self.of_sums(activation, shift, layer)?;
                }
                StepDesc::ActivateFloat {
                    activation,
                    layer,
                    buffer,
                } => {
                    self.buffers[buffer] = self.of_floats(activation, layer)?;
                }
                StepDesc::Map { map, buffer } => self.buffers[buffer] = self.map(map, buffer),
                StepDesc::Sign { of, buffer } => self.buffers[buffer] = self.sign(of),
                StepDesc::Reduce {
                    reduce,
                    operand,
                    size,
                    buffer,
                } => {
                    self.buffers[buffer] = self.reduce(reduce, operand, size);
                }
                StepDesc::Pool {
                    pool,
                    operands,
                    stride,
                    buffer,
                } => {
                    self.buffers[buffer] = self.pool(pool, operands, stride);
                }
            }
        }
        Ok(())
    }

    /// Activates accumulators, the first perspective first.
    fn of_accumulators(
        &mut self,
        activation: Activation,
        shift: u32,
    ) -> Result<Value, ExportError> {
        let (net, one) = (
            self.network.net,
            i64::from(self.network.net.accumulator.one),
        );
        let mut halves = Vec::new();
        for accumulator in self.accumulators.clone() {
            if activation == Activation::Quantmoid4 {
                halves.push(quantmoid(self.writer, &accumulator));
                continue;
            }
            let clipped = self.writer.clamp(&accumulator, 0, one);
            if let Some((pool, of)) = activation.pool() {
                let [a, b] = pairs::apart(self.writer, &clipped, of, net.accumulator.width);
                halves.push(pairs::whole(self.writer, pool, [&a, &b], shift));
                continue;
            }
            halves.push(match activation {
                Activation::Crelu => self.writer.shifted(clipped, shift),
                Activation::SqrCrelu | Activation::Screlu => {
                    let square = self.writer.node("Mul", &[&clipped, &clipped]);
                    self.writer.shifted(square, shift)
                }
                other => return Err(unwritten(net, other)),
            });
        }
        Ok(self.writer.joined(&halves))
    }

    /// Integers as floats.
    fn scaled(&mut self, x: &str, unit: Unit) -> Value {
        let x = self.writer.cast(x, Kind::Float);
        let factor = self.writer.float(unit.num as f32 / unit.den as f32);
        self.writer.node("Mul", &[&x, &factor])
    }

    /// An elementwise expression.
    fn map(&mut self, map: usize, buffer: usize) -> Value {
        let (net, len) = (self.network.net, self.network.net.buffers[buffer].len);
        let MapDesc { operands, code, .. } = net.maps[map];
        let element = net.maps[map].element;
        let part = |scalar, parts: &[Value]| match (scalar, element) {
            (Scalar::Operand(index), ElementType::F32) => self.float_operand(operands[index], len),
            (Scalar::Operand(index), _) => self.operand(operands[index], len),
            (scalar, element) => self.operation(scalar, element, parts),
        };
        fold(code, part).unwrap_or_default()
    }

    /// An operation of an expression: of floats, or of 64-bit integers brought back to 32 bits.
    fn operation(&mut self, scalar: Scalar, element: ElementType, parts: &[Value]) -> Value {
        let operands: Vec<&str> = parts.iter().map(Value::as_str).collect();
        match scalar.form(element).map(|form| form.onnx) {
            Some(Onnx::Node(name)) => self.writer.node(name, &operands),
            Some(Onnx::Wrapped(name)) => {
                let exact = self.writer.node(name, &operands);
                self.writer.wrapped(&exact, 32)
            }
            Some(Onnx::Saturated(name)) => {
                let exact = self.writer.node(name, &operands);
                self.writer.clamp(&exact, i32::MIN.into(), i32::MAX.into())
            }
            Some(Onnx::Compared { name, is_negated }) => {
                let mut is_true = self.writer.node(name, &operands);
                if is_negated {
                    is_true = self.writer.node("Not", &[&is_true]);
                }
                let kind = match element {
                    ElementType::F32 => Kind::Float,
                    _ => Kind::Int64,
                };
                self.writer.cast(&is_true, kind)
            }
            Some(Onnx::Where) => {
                let is_true = self.writer.cast(operands[0], Kind::Bool);
                let [chosen, other] = [operands[1], operands[2]];
                self.writer.node("Where", &[&is_true, chosen, other])
            }
            Some(Onnx::Composed) | None => self.composed(scalar, &operands),
        }
    }

    /// A constant, or an operation of several operators.
    fn composed(&mut self, scalar: Scalar, operands: &[&str]) -> Value {
        match (scalar, operands) {
            (Scalar::Constant(constant), _) => self.writer.number(constant.into()),
            (Scalar::Float(bits), _) => self.writer.float(f32::from_bits(bits)),
            (Scalar::ShiftLeft(bits), [first]) => {
                let shifted = self.writer.by("Mul", first, 1 << bits);
                self.writer.wrapped(&shifted, 32)
            }
            (Scalar::ShiftRight(bits), [first]) => {
                let rest = self.writer.by("Mod", first, 1 << bits);
                let whole = self.writer.node("Sub", &[first, &rest]);
                self.writer.shifted(whole, bits)
            }
            (Scalar::Divide(divisor), [first]) => self.writer.by("Div", first, divisor.into()),
            (Scalar::Low(bits), [first]) => self.writer.wrapped(first, bits),
            (Scalar::MultiplyAdd, [a, b, c]) => {
                let product = self.writer.node("Mul", &[a, b]);
                self.writer.node("Add", &[&product, c])
            }
            (other, _) => unreachable!("{other:?} is one operator, or has other operands"),
        }
    }

    /// `len` values that an expression reads.
    fn operand(&mut self, MapOperand { source, start }: MapOperand, len: usize) -> Value {
        let net = self.network.net;
        let (values, all) = match source {
            MapSource::Accumulator => {
                let all = self.accumulators.clone();
                return self.writer.joined(&all);
            }
            MapSource::Layer(layer) => (self.sums[layer].clone(), net.layers[layer].outputs),
            MapSource::Buffer(buffer) => (self.buffers[buffer].clone(), net.buffers[buffer].len),
        };
        if len == all {
            return values;
        }
        self.writer.columns(&values, start, len)
    }

    /// `len` values that an expression of floats reads; integers are converted.
    fn float_operand(&mut self, operand: MapOperand, len: usize) -> Value {
        let net = self.network.net;
        if !net.reads_floats(operand.source) {
            let integers = self.operand(operand, len);
            return self.writer.cast(&integers, Kind::Float);
        }
        let (values, all) = match operand.source {
            MapSource::Layer(layer) => (self.floats[layer].clone(), net.layers[layer].outputs),
            MapSource::Buffer(buffer) => (self.buffers[buffer].clone(), net.buffers[buffer].len),
            MapSource::Accumulator => unreachable!("accumulators are integers"),
        };
        if len == all {
            return values;
        }
        self.writer.columns(&values, operand.start, len)
    }

    /// Activates the sums of a layer.
    fn of_sums(
        &mut self,
        activation: Activation,
        shift: u32,
        layer: usize,
    ) -> Result<Value, ExportError> {
        let sums = self.sums[layer].clone();
        match activation {
            Activation::Crelu => {
                let positive = self.writer.by("Max", &sums, 0);
                let shifted = self.writer.shifted(positive, shift);
                Ok(self.writer.by("Min", &shifted, BYTE))
            }
            Activation::SqrCrelu => {
                let square = self.writer.node("Mul", &[&sums, &sums]);
                let shifted = self.writer.shifted(square, shift);
                Ok(self.writer.by("Min", &shifted, BYTE))
            }
            Activation::Quantmoid4 => {
                // Rounds down: subtract the remainder, which is never negative.
                let rest = self.writer.by("Mod", &sums, 1 << shift);
                let whole = self.writer.node("Sub", &[&sums, &rest]);
                let shifted = self.writer.shifted(whole, shift);
                Ok(quantmoid(self.writer, &shifted))
            }
            other => Err(unwritten(self.network.net, other)),
        }
    }

    /// Activates the sums of a float layer.
    fn of_floats(&mut self, function: Activation, layer: usize) -> Result<Value, ExportError> {
        let y = self.floats[layer].clone();
        if let Some(gated) = pairs::gated(
            self.writer,
            function,
            &y,
            self.network.net.layers[layer].outputs,
        ) {
            return Ok(gated);
        }
        activation(self.writer, function, &y).ok_or_else(|| unwritten(self.network.net, function))
    }

    /// The sums of a layer, of the chosen stack.
    fn affine(&mut self, layer: usize) -> Result<(), ExportError> {
        let net = self.network.net;
        let desc = &net.layers[layer];
        let parts: Vec<Value> = desc
            .segments
            .iter()
            .map(
                |segment| match segment.len == net.buffers[segment.buffer].len {
                    true => self.buffers[segment.buffer].clone(),
                    false => self.writer.columns(
                        &self.buffers[segment.buffer],
                        segment.start,
                        segment.len,
                    ),
                },
            )
            .collect();
        let x = self.writer.joined(&parts);
        if desc.kind == LayerKind::Binary {
            let sums = self.binary(&x, layer);
            self.sums[layer] = self.writer.wrapped(&sums, 32);
            return Ok(());
        }
        let products = match self.form {
            Form::Qdq if self.multiplies_bytes(layer) => {
                let all = self.product_of_bytes(&x, layer)?;
                self.of_stack(all, layer)
            }
            Form::Qdq | Form::WholeNumbers => {
                let weights = self.network.layer(self.writer, layer);
                self.products(&x, &weights, layer)
            }
        };
        match desc.kind {
            LayerKind::Float { .. } => {
                let bias = self.bias(layer);
                self.floats[layer] = self.writer.node("Add", &[&products, &bias]);
            }
            LayerKind::Sparse
            | LayerKind::BlockSparse { .. }
            | LayerKind::Dense
            | LayerKind::Row
            | LayerKind::Words
            | LayerKind::Integer
            | LayerKind::Rows => {
                let sums = self.with_bias(products, layer);
                self.sums[layer] = match net.reads_words(layer) {
                    true => self.writer.clamp(&sums, i32::MIN.into(), i32::MAX.into()),
                    false => self.writer.wrapped(&sums, 32),
                };
            }
            LayerKind::Binary | LayerKind::Direct => {
                unreachable!("such layers are written elsewhere")
            }
        }
        Ok(())
    }

    /// Adds the bias to integer sums, unless it is a float bias.
    pub(super) fn with_bias(&mut self, sums: Value, layer: usize) -> Value {
        if self.has_float_bias(layer) {
            return sums;
        }
        let bias = self.bias(layer);
        self.writer.node("Add", &[&sums, &bias])
    }

    /// The sum of a layer with 16-bit weights that reads accumulators.
    fn direct(&mut self, activation: Activation, layer: usize) -> Result<(), ExportError> {
        let x = self.of_accumulators(activation, 0)?;
        let weights = self.network.layer(self.writer, layer);
        let sum = self.products(&x, &weights, layer);
        let sum = match self.network.net.surplus_scale(activation) {
            1 => sum,
            scale => self.writer.by("Div", &sum, scale),
        };
        let bias = self.bias(layer);
        let sum = self.writer.node("Add", &[&sum, &bias]);
        self.sums[layer] = self.writer.clamp(&sum, i32::MIN.into(), i32::MAX.into());
        Ok(())
    }

    /// `x` times the weights of a layer, without bias.
    pub(super) fn products(&mut self, x: &str, weights: &str, layer: usize) -> Value {
        let all = self.writer.node("MatMul", &[x, weights]);
        self.of_stack(all, layer)
    }

    /// Selects the chosen stack from the sums of all stacks.
    fn of_stack(&mut self, all: Value, layer: usize) -> Value {
        let Some(stack) = self.stack.clone() else {
            return all;
        };
        let net = self.network.net;
        let shape = self.writer.list(&[
            -1,
            net.stacks.count as i64,
            net.layers[layer].outputs as i64,
        ]);
        let apart = self.writer.node("Reshape", &[&all, &shape]);
        let is_float = matches!(net.layers[layer].kind, LayerKind::Float { .. });
        let stack = if is_float {
            self.writer.cast(&stack, Kind::Float)
        } else {
            stack
        };
        let axes = self.writer.list(&[2]);
        let stack = self.writer.node("Unsqueeze", &[&stack, &axes]);
        let chosen = self.writer.node("Mul", &[&apart, &stack]);
        self.writer.sum(&chosen, 1)
    }

    /// The bias of a layer, of the chosen stack: `[n, outputs]`, or `[outputs]` with one stack.
    fn bias(&mut self, layer: usize) -> Value {
        self.of_outputs(TensorRole::LayerBias(layer), layer)
    }

    /// A tensor with one element per output of a layer, like its bias.
    pub(super) fn of_outputs(&mut self, role: TensorRole, layer: usize) -> Value {
        let list = self.network.list(self.writer, role);
        let Some(stack) = self.stack.clone() else {
            return list;
        };
        let net = self.network.net;
        let shape = self
            .writer
            .list(&[net.stacks.count as i64, net.layers[layer].outputs as i64]);
        let apart = self.writer.node("Reshape", &[&list, &shape]);
        let is_float = self
            .network
            .find(role)
            .is_some_and(|(desc, _)| desc.element == ElementType::F32);
        let stack = if is_float {
            self.writer.cast(&stack, Kind::Float)
        } else {
            stack
        };
        self.writer.node("MatMul", &[&stack, &apart])
    }

    fn has_float_bias(&self, layer: usize) -> bool {
        let bias = self.network.find(TensorRole::LayerBias(layer));
        bias.is_some_and(|(desc, _)| desc.element == ElementType::F32)
    }
}

fn unwritten(net: &NetDesc<'_>, activation: Activation) -> ExportError {
    refuse(
        net,
        format!("the activation `{}`", net.activation_name(activation)),
        "is not written to graphs",
    )
}

/// `q` below zero and `126 - q` above, with `q = (127 - min(|x|, 127))^2 >> 8`.
fn quantmoid(writer: &mut Writer, x: &str) -> Value {
    let size = writer.node("Abs", &[x]);
    let size = writer.by("Min", &size, BYTE);
    let most = writer.number(BYTE);
    let rest = writer.node("Sub", &[&most, &size]);
    let square = writer.node("Mul", &[&rest, &rest]);
    let below = writer.shifted(square, 8);
    let [zero, greatest] = [0, 126].map(|number| writer.number(number));
    let beyond = writer.node("Sub", &[&greatest, &below]);
    let above = writer.node("Greater", &[x, &zero]);
    writer.node("Where", &[&above, &beyond, &below])
}
