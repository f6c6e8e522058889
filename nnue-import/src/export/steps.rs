//! The forward pass, step by step.

use nnue_spec::{Activation, ElementType, LayerKind, NetDesc, SignOf, StepDesc, TensorRole, Unit};

use super::activation::activation;
use super::error::{ExportError, refuse};
use super::model::{Kind, Value, Writer};
use super::weights::Network;

/// Greatest value of bytes that layers read.
const BYTE: i64 = 127;

/// What is computed so far.
pub(super) struct Pass<'w, 'a> {
    pub(super) writer: &'w mut Writer,
    pub(super) network: Network<'a>,
    accumulators: Vec<Value>,
    /// 1 at the number of the stack
    pub(super) stack: Option<Value>,
    /// by their index; empty before they are made
    buffers: Vec<Value>,
    pub(super) sums: Vec<Value>,
    pub(super) floats: Vec<Value>,
}

impl<'w, 'a> Pass<'w, 'a> {
    pub(super) fn new(
        writer: &'w mut Writer,
        network: Network<'a>,
        accumulators: Vec<Value>,
        stack: Option<Value>,
    ) -> Self {
        let [buffers, sums, floats] = [network.net.buffers.len(), network.net.layers.len(), network.net.layers.len()]
            .map(|len| vec![Value::new(); len]);
        Self { writer, network, accumulators, stack, buffers, sums, floats }
    }

    /// Writes all steps.
    pub(super) fn run(&mut self) -> Result<(), ExportError> {
        let net = self.network.net;
        for step in net.steps {
            match *step {
                StepDesc::ActivateAccumulator { activation, shift, buffer } => {
                    self.buffers[buffer] = self.of_accumulators(activation, shift)?;
                }
                StepDesc::FloatAccumulator { activation, unit, buffer } => {
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
                StepDesc::ActivateSums { activation, shift, layer, buffer } => {
                    self.buffers[buffer] = self.of_sums(activation, shift, layer)?;
                }
                StepDesc::ActivateFloat { activation, layer, buffer } => {
                    self.buffers[buffer] = self.of_floats(activation, layer)?;
                }
                StepDesc::Sign { of, .. } => return Err(signs(net, of)),
                StepDesc::Pool { .. } | StepDesc::Mean { .. } => {
                    return Err(refuse(net, "a pool".into(), "is not written to graphs"));
                }
            }
        }
        Ok(())
    }

    /// Activated accumulators, the first perspective first.
    fn of_accumulators(&mut self, activation: Activation, shift: u32) -> Result<Value, ExportError> {
        let (net, one) = (self.network.net, i64::from(self.network.net.accumulator.one));
        let mut halves = Vec::new();
        for accumulator in self.accumulators.clone() {
            let clipped = self.writer.clamp(&accumulator, 0, one);
            halves.push(match activation {
                Activation::Crelu => clipped,
                Activation::SqrCrelu | Activation::Screlu => {
                    let square = self.writer.node("Mul", &[&clipped, &clipped]);
                    self.shifted(square, shift)
                }
                Activation::Pairwise => {
                    let half = net.accumulator.width / 2;
                    let [a, b] = [0, half].map(|start| self.writer.columns(&clipped, start, half));
                    let product = self.writer.node("Mul", &[&a, &b]);
                    self.shifted(product, shift)
                }
                other => return Err(unwritten(net, other)),
            });
        }
        Ok(self.writer.joined(&halves))
    }

    /// `x >> shift` of a number that is not negative.
    fn shifted(&mut self, x: Value, shift: u32) -> Value {
        if shift == 0 { x } else { self.writer.by("Div", &x, 1 << shift) }
    }

    /// Whole numbers as floats.
    fn scaled(&mut self, x: &str, unit: Unit) -> Value {
        let x = self.writer.cast(x, Kind::Float);
        let factor = self.writer.float(unit.num as f32 / unit.den as f32);
        self.writer.node("Mul", &[&x, &factor])
    }

    /// Activated sums of a layer.
    fn of_sums(&mut self, activation: Activation, shift: u32, layer: usize) -> Result<Value, ExportError> {
        let sums = self.sums[layer].clone();
        match activation {
            Activation::Crelu => {
                let positive = self.writer.by("Max", &sums, 0);
                let shifted = self.shifted(positive, shift);
                Ok(self.writer.by("Min", &shifted, BYTE))
            }
            Activation::SqrCrelu => {
                let square = self.writer.node("Mul", &[&sums, &sums]);
                let shifted = self.shifted(square, shift);
                Ok(self.writer.by("Min", &shifted, BYTE))
            }
            other => Err(unwritten(self.network.net, other)),
        }
    }

    /// Activated sums of a layer of floats.
    fn of_floats(&mut self, function: Activation, layer: usize) -> Result<Value, ExportError> {
        let y = self.floats[layer].clone();
        activation(self.writer, function, &y).ok_or_else(|| unwritten(self.network.net, function))
    }

    /// The sums of a layer, of the stack that counts.
    fn affine(&mut self, layer: usize) -> Result<(), ExportError> {
        let net = self.network.net;
        let desc = &net.layers[layer];
        let parts: Vec<Value> = desc
            .segments
            .iter()
            .map(|segment| match segment.len == net.buffers[segment.buffer].len {
                true => self.buffers[segment.buffer].clone(),
                false => self.writer.columns(&self.buffers[segment.buffer], segment.start, segment.len),
            })
            .collect();
        let x = self.writer.joined(&parts);
        let products = self.products(&x, layer);
        match desc.kind {
            LayerKind::Float { .. } => {
                let bias = self.bias(layer);
                self.floats[layer] = self.writer.node("Add", &[&products, &bias]);
            }
            LayerKind::Sparse
            | LayerKind::BlockSparse { .. }
            | LayerKind::Dense
            | LayerKind::Row
            | LayerKind::Words => {
                let sums = match self.has_float_bias(layer) {
                    true => products,
                    false => {
                        let bias = self.bias(layer);
                        self.writer.node("Add", &[&products, &bias])
                    }
                };
                self.sums[layer] = match desc.kind {
                    LayerKind::Words => self.writer.clamp(&sums, i32::MIN.into(), i32::MAX.into()),
                    _ => self.writer.wrapped(&sums, 32),
                };
            }
            LayerKind::Rows => return Err(refuse(net, "rows on demand".into(), "graphs do not choose")),
            LayerKind::Binary => {
                return Err(refuse(net, format!("the binary layer `{}`", desc.name), "is not written to graphs"));
            }
            LayerKind::Direct => unreachable!("such a layer has a step of its own"),
        }
        Ok(())
    }

    /// The sum of a layer of 16-bit weights that reads accumulators.
    fn direct(&mut self, activation: Activation, layer: usize) -> Result<(), ExportError> {
        let x = self.of_accumulators(activation, 0)?;
        let sum = self.products(&x, layer);
        let sum = match self.network.net.surplus_scale(activation) {
            1 => sum,
            scale => self.writer.by("Div", &sum, scale),
        };
        let bias = self.bias(layer);
        let sum = self.writer.node("Add", &[&sum, &bias]);
        self.sums[layer] = self.writer.clamp(&sum, i32::MIN.into(), i32::MAX.into());
        Ok(())
    }

    /// `x` times the weights of a layer, without its bias.
    fn products(&mut self, x: &str, layer: usize) -> Value {
        let weights = self.network.layer(self.writer, layer);
        let all = self.writer.node("MatMul", &[x, &weights]);
        let Some(stack) = self.stack.clone() else { return all };
        let net = self.network.net;
        let shape = self.writer.list(&[-1, net.stacks.count as i64, net.layers[layer].outputs as i64]);
        let apart = self.writer.node("Reshape", &[&all, &shape]);
        let is_float = matches!(net.layers[layer].kind, LayerKind::Float { .. });
        let stack = if is_float { self.writer.cast(&stack, Kind::Float) } else { stack };
        let axes = self.writer.list(&[2]);
        let stack = self.writer.node("Unsqueeze", &[&stack, &axes]);
        let chosen = self.writer.node("Mul", &[&apart, &stack]);
        self.writer.sum(&chosen, 1)
    }

    /// The bias of a layer, of the stack that counts: `[n, outputs]`, or `[outputs]` where there is one stack.
    fn bias(&mut self, layer: usize) -> Value {
        let bias = self.network.list(self.writer, TensorRole::LayerBias(layer));
        let Some(stack) = self.stack.clone() else { return bias };
        let net = self.network.net;
        let shape = self.writer.list(&[net.stacks.count as i64, net.layers[layer].outputs as i64]);
        let apart = self.writer.node("Reshape", &[&bias, &shape]);
        let stack = if self.has_float_bias(layer) { self.writer.cast(&stack, Kind::Float) } else { stack };
        self.writer.node("MatMul", &[&stack, &apart])
    }

    fn has_float_bias(&self, layer: usize) -> bool {
        let bias = self.network.find(TensorRole::LayerBias(layer));
        bias.is_some_and(|(desc, _)| desc.element == ElementType::F32)
    }
}

fn unwritten(net: &NetDesc<'_>, activation: Activation) -> ExportError {
    refuse(net, format!("the activation `{}`", net.activation_name(activation)), "is not written to graphs")
}

fn signs(net: &NetDesc<'_>, of: SignOf) -> ExportError {
    let what = match of {
        SignOf::Accumulator => "signs of accumulators",
        SignOf::Layer(_) | SignOf::Buffer(_) => "signs of layers",
    };
    refuse(net, what.into(), "are not written to graphs")
}
