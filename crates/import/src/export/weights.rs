//! Weights of the exported graph.

use nnue_spec::{ElementType, NetDesc, TensorDesc, TensorRef, TensorRole};

use super::model::{Kind, Value, Writer};

/// Names of feature weights: of both perspectives or the first, of the second if it has its own, of PSQT
/// outputs.
pub(super) const TRANSFORMER: &str = "ft_weight";
pub(super) const SECOND: &str = "ft_second_weight";
pub(super) const PSQT: &str = "ft_psqt";

#[derive(Clone, Copy)]
pub(super) struct Network<'a> {
    pub(super) net: &'a NetDesc<'a>,
    pub(super) tensors: &'a [TensorRef<'a>],
}

impl<'a> Network<'a> {
    pub(super) fn find(&self, role: TensorRole) -> Option<(&'a TensorDesc<'a>, &'a TensorRef<'a>)> {
        self.net
            .tensors
            .iter()
            .zip(self.tensors)
            .find(|(tensor, _)| tensor.role == role)
    }

    fn tensor(&self, role: TensorRole) -> (&'a TensorDesc<'a>, &'a TensorRef<'a>) {
        self.find(role)
            .expect("a network has the tensors that its descriptor names")
    }

    /// A vector, as 64-bit integers or as floats.
    pub(super) fn list(&self, writer: &mut Writer, role: TensorRole) -> Value {
        let (desc, tensor) = self.tensor(role);
        let list = writer.weights(
            desc.name,
            kind(desc.element),
            &[tensor.len()],
            bytes(tensor, 0..tensor.len()),
        );
        if desc.element == ElementType::F32 {
            list
        } else {
            writer.cast(&list, Kind::Int64)
        }
    }

    /// The rows of all feature sets and a row of zeros: `[rows + 1][width]`.
    pub(super) fn rows(&self, writer: &mut Writer, name: &str, roles: &[TensorRole]) -> Value {
        let tensors: Vec<_> = roles.iter().map(|&role| self.tensor(role)).collect();
        let is = |element: ElementType| tensors.iter().all(|(desc, _)| desc.element == element);
        // 8-bit and 16-bit sets share a 16-bit table.
        let alike = [ElementType::I8, ElementType::I32, ElementType::F32]
            .into_iter()
            .any(is);
        let element = if alike {
            tensors[0].0.element
        } else {
            ElementType::I16
        };
        let (mut data, width) = (Vec::new(), tensors[0].0.cols);
        for (desc, tensor) in &tensors {
            match (desc.element, element) {
                (ElementType::I8, ElementType::I16) => {
                    data.extend(
                        (0..tensor.len()).flat_map(|at| (tensor.get(at) as i16).to_le_bytes()),
                    );
                }
                _ => data.extend(bytes(tensor, 0..tensor.len())),
            }
        }
        data.resize(data.len() + width * element.bytes(), 0);
        let count = tensors.iter().map(|(desc, _)| desc.rows).sum::<usize>();
        writer.weights(name, kind(element), &[count + 1, width], data)
    }

    /// The weights of a layer as 64-bit integers or as floats, stacks side by side:
    /// `[inputs][stack * output]`.
    pub(super) fn layer(&self, writer: &mut Writer, layer: usize) -> Value {
        let weights = self.stored_layer(writer, layer);
        let is_float = self.net.weights_of(layer) == ElementType::F32;
        if is_float {
            weights
        } else {
            writer.cast(&weights, Kind::Int64)
        }
    }

    /// As [`Self::layer`], in the stored type.
    pub(super) fn stored_layer(&self, writer: &mut Writer, layer: usize) -> Value {
        let (desc, tensor) = self.tensor(TensorRole::LayerWeight(layer));
        let inputs = self.net.layers[layer].inputs;
        let outputs = tensor.len() / desc.cols;
        let place = |input: usize| move |output: usize| output * desc.cols + input;
        let data = (0..inputs).flat_map(|input| {
            (0..outputs)
                .map(place(input))
                .flat_map(|at| bytes(tensor, at..at + 1))
        });
        writer.weights(
            desc.name,
            kind(desc.element),
            &[inputs, outputs],
            data.collect(),
        )
    }

    /// The signs of a binary layer as -1 and 1, stacks side by side: `[inputs][stack * output]`.
    pub(super) fn signs(&self, writer: &mut Writer, layer: usize) -> Value {
        let (desc, tensor) = self.tensor(TensorRole::LayerWeight(layer));
        let inputs = self.net.layers[layer].inputs;
        let outputs = tensor.len() / desc.cols;
        let mut data = Vec::with_capacity(inputs * outputs);
        for input in 0..inputs {
            let byte = |output: usize| tensor.get(output * desc.cols + input / 8);
            data.extend((0..outputs).map(|output| if byte(output) >> (input % 8) & 1 == 1 { 1_i8 } else { -1 } as u8));
        }
        let weights = writer.weights(desc.name, Kind::Int8, &[inputs, outputs], data);
        writer.cast(&weights, Kind::Int64)
    }
}

pub(super) fn kind(element: ElementType) -> Kind {
    match element {
        ElementType::I8 => Kind::Int8,
        ElementType::I16 => Kind::Int16,
        ElementType::I32 => Kind::Int32,
        ElementType::F32 => Kind::Float,
    }
}

/// Little-endian bytes of a range of a tensor.
fn bytes(tensor: &TensorRef<'_>, range: std::ops::Range<usize>) -> Vec<u8> {
    match tensor {
        TensorRef::I8(values) => values[range].iter().map(|value| *value as u8).collect(),
        TensorRef::I16(values) => values[range]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
        TensorRef::I32(values) => values[range]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
        TensorRef::F32(values) => values[range]
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
    }
}
