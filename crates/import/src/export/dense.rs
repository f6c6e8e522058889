//! Exports networks over a dense input: floats, operation by operation.

use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, DenseRole, Shape};

use super::activation::activation;
use super::error::{ExportError, refuse_of};
use super::model::{Kind, Value, Writer};
use crate::onnx::proto::Entry;
use crate::onnx::{BITS, FLOATS, FUSED, INPUT};

/// An ONNX model (opset 17) of a network over a dense input, from `x` (rows of floats or of planes) to
/// `output`. Bits are floats 0 and 1.
///
/// # Errors
///
/// [`ExportError`]: the network pads signs, or has an activation that cannot be exported.
///
/// # Panics
///
/// If `tensors` are not those of the descriptor.
pub fn dense(net: &DenseDesc<'_>, tensors: &[Vec<f32>]) -> Result<Vec<u8>, ExportError> {
    let mut writer = Writer::default();
    let mut values = vec![writer.input("x", Kind::Float, &lengths(net.input()))];
    for (index, node) in net.nodes.iter().enumerate().skip(1) {
        let mut writing = Writing {
            writer: &mut writer,
            net,
            tensors,
            values: &values,
            index,
        };
        let value = writing.node(node)?;
        values.push(value);
    }
    let output = values.last().cloned().unwrap_or_default();
    writer.output("output", &output, Kind::Float, &lengths(net.output()));
    Ok(writer.finish(
        net.name,
        format!("{}: {}", net.name, net.notation()),
        metadata(net),
    ))
}

/// Facts that a graph cannot express.
fn metadata(net: &DenseDesc<'_>) -> Vec<Entry> {
    let bits = (net.nodes[0].op == DenseOp::Bits).then_some((INPUT, BITS));
    let fused = net.fused.then_some((FLOATS, FUSED));
    bits.into_iter()
        .chain(fused)
        .map(|(key, value)| Entry {
            key: key.into(),
            value: value.into(),
        })
        .collect()
}

fn lengths(shape: Shape) -> Vec<usize> {
    match shape {
        Shape::Flat(length) => vec![length],
        Shape::Planes(lengths) => lengths.to_vec(),
    }
}

struct Writing<'w, 'a> {
    writer: &'w mut Writer,
    net: &'a DenseDesc<'a>,
    tensors: &'a [Vec<f32>],
    /// values of the nodes before
    values: &'w [Value],
    index: usize,
}

impl Writing<'_, '_> {
    /// A tensor of the node: name, shape, elements.
    fn tensor(&self, role: DenseRole) -> (String, Vec<usize>, &[f32]) {
        let described = self.net.tensors();
        let found = described
            .iter()
            .position(|tensor| tensor.node == self.index && tensor.role == role);
        let found = found.expect("a layer has its tensors");
        (
            described[found].name.clone(),
            described[found].shape.clone(),
            &self.tensors[found],
        )
    }

    fn weights(&mut self, role: DenseRole) -> Value {
        let (name, shape, numbers) = self.tensor(role);
        let numbers = numbers.to_vec();
        self.writer.floats(&name, &shape, &numbers)
    }

    fn node(&mut self, node: &DenseNode) -> Result<Value, ExportError> {
        let x = self.values[node.operand].clone();
        Ok(match node.op {
            DenseOp::Input | DenseOp::Bits => x,
            DenseOp::Conv2d {
                padding: 1..,
                binary: Some(_),
                ..
            } => {
                return Err(refuse_of(
                    self.net.name,
                    "signs with padding".into(),
                    "has the sign -1 here, and is 0 in graphs",
                ));
            }
            DenseOp::Conv2d {
                binary: Some(binary),
                kernel,
                stride,
                ..
            } => self.signs(&x, node, binary, Some([kernel, stride])),
            DenseOp::Affine {
                binary: Some(binary),
            } => self.signs(&x, node, binary, None),
            DenseOp::Conv2d {
                kernel,
                stride,
                padding,
                binary: None,
            } => {
                let [weight, bias] =
                    [DenseRole::Weight, DenseRole::Bias].map(|role| self.weights(role));
                self.convolution(&[&x, &weight, &bias], [kernel, stride, padding])
            }
            DenseOp::Affine { binary: None } => {
                let [weight, bias] =
                    [DenseRole::Weight, DenseRole::Bias].map(|role| self.weights(role));
                self.writer
                    .with("Gemm", &[&x, &weight, &bias], &[("transB", 1)])
            }
            DenseOp::MaxPool2d { kernel, stride } => self.pool("MaxPool", &x, kernel, stride),
            DenseOp::AvgPool2d { kernel, stride } => self.pool("AveragePool", &x, kernel, stride),
            DenseOp::BatchNorm { eps } => {
                let roles = [
                    DenseRole::Weight,
                    DenseRole::Bias,
                    DenseRole::Mean,
                    DenseRole::Variance,
                ];
                let [weight, bias, mean, variance] = roles.map(|role| self.weights(role));
                let inputs = [x.as_str(), &weight, &bias, &mean, &variance];
                self.writer
                    .with_float("BatchNormalization", &inputs, ("epsilon", eps as f32))
            }
            DenseOp::Flatten => self.writer.with("Flatten", &[&x], &[("axis", 1)]),
            DenseOp::Reshape => {
                let [height, width] = node.shape.size();
                let shape = self.writer.list(&[
                    -1,
                    node.shape.channels() as i64,
                    height as i64,
                    width as i64,
                ]);
                self.writer.node("Reshape", &[&x, &shape])
            }
            DenseOp::Activate(function) => {
                activation(self.writer, function, &x).ok_or_else(|| {
                    let name = function
                        .operation()
                        .map_or("of a program", |operation| operation.name);
                    refuse_of(
                        self.net.name,
                        format!("the activation `{name}`"),
                        "is not written to graphs",
                    )
                })?
            }
            DenseOp::Add { other } => self.writer.node("Add", &[&x, &self.values[other]]),
            DenseOp::Concat { other } => self.writer.joined(&[x, self.values[other].clone()]),
        })
    }

    fn convolution(&mut self, inputs: &[&str], [kernel, stride, padding]: [usize; 3]) -> Value {
        let lists: [(&str, &[usize]); 3] = [
            ("kernel_shape", &[kernel; 2]),
            ("strides", &[stride; 2]),
            ("pads", &[padding; 4]),
        ];
        self.writer.windowed("Conv", inputs, &lists)
    }

    fn pool(&mut self, operation: &str, x: &str, kernel: usize, stride: usize) -> Value {
        self.writer.windowed(
            operation,
            &[x],
            &[("kernel_shape", &[kernel; 2]), ("strides", &[stride; 2])],
        )
    }

    /// A layer or convolution with weights of signs: `bias + scale * sum`, with the mean magnitude of `x` as
    /// another factor.
    fn signs(
        &mut self,
        x: &str,
        node: &DenseNode,
        binary: Binary,
        windows: Option<[usize; 2]>,
    ) -> Value {
        let (name, shape, weights) = self.tensor(DenseRole::Weight);
        let outputs = node.shape.channels();
        let scales = binary.scales(weights, outputs);
        let signs: Vec<f32> = weights
            .iter()
            .map(|weight| if *weight > 0.0 { 1.0 } else { -1.0 })
            .collect();
        let weight = self.writer.floats(&name, &shape, &signs);
        let [zero, one, minus] = [0.0, 1.0, -1.0].map(|number| self.writer.float(number));
        let above = self.writer.node("Greater", &[x, &zero]);
        let signs = self.writer.node("Where", &[&above, &one, &minus]);
        let sums = match windows {
            Some([kernel, stride]) => self.convolution(&[&signs, &weight], [kernel, stride, 0]),
            None => self
                .writer
                .with("Gemm", &[&signs, &weight], &[("transB", 1)]),
        };
        // One number per channel, broadcast over planes.
        let by_channels = if windows.is_some() {
            vec![outputs, 1, 1]
        } else {
            vec![outputs]
        };
        let scales = self
            .writer
            .floats(&format!("{name}_scale"), &by_channels, &scales);
        let mut sums = self.writer.node("Mul", &[&sums, &scales]);
        if binary.input_scale {
            let magnitude = self.writer.node("Abs", &[x]);
            let mean = self.mean(&magnitude, node);
            sums = self.writer.node("Mul", &[&sums, &mean]);
        }
        let (name, _, bias) = self.tensor(DenseRole::Bias);
        let bias = bias.to_vec();
        let bias = self.writer.floats(&name, &by_channels, &bias);
        self.writer.node("Add", &[&sums, &bias])
    }

    /// The mean of each row; reduced axes are kept.
    fn mean(&mut self, x: &str, node: &DenseNode) -> Value {
        let axes: &[usize] = match self.net.nodes[node.operand].shape {
            Shape::Flat(_) => &[1],
            Shape::Planes(_) => &[1, 2, 3],
        };
        self.writer.windowed("ReduceMean", &[x], &[("axes", axes)])
    }
}
