//! Reads the tensors of a network from an exported graph; the inverse of `weights`.

use nnue_spec::{ElementType, LayerKind, NetDesc, TensorDesc, TensorMut, TensorRole};

use super::weights::{PSQT, SECOND, TRANSFORMER, kind};
use crate::error::ImportError;
use crate::onnx::proto;

/// A tensor of the network within a weight of the graph.
pub(super) struct Stored<'a> {
    bytes: &'a [u8],
    element: ElementType,
    place: Place,
}

/// Layout of a tensor within a weight of the graph.
#[derive(Clone, Copy)]
enum Place {
    /// contiguous, from this index on
    From(usize),
    /// transposed: `[input][stack * output]`; columns after the inputs are padding
    Turned {
        columns: usize,
        inputs: usize,
        outputs: usize,
    },
    /// the same for signs, packed eight to a byte
    Signs {
        columns: usize,
        inputs: usize,
        outputs: usize,
    },
}

impl Place {
    /// The index of element `at`; `None` for padding.
    fn of(self, at: usize) -> Option<usize> {
        match self {
            Self::From(first) => Some(first + at),
            Self::Turned {
                columns,
                inputs,
                outputs,
            } => {
                let (output, input) = (at / columns, at % columns);
                (input < inputs).then_some(input * outputs + output)
            }
            Self::Signs { .. } => None,
        }
    }
}

/// Finds a tensor with the length in the descriptor.
pub(super) fn stored<'a>(
    graph: &'a proto::Graph,
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
) -> Result<Stored<'a>, ImportError> {
    let rows = |sets: usize| {
        net.features[..sets]
            .iter()
            .map(|set| set.rows)
            .sum::<usize>()
    };
    // The rows of all sets are concatenated, with one row of zeros at the end.
    let of_set = |name, set| {
        (
            name,
            (rows(net.features.len()) + 1) * desc.cols,
            Place::From(rows(set) * desc.cols),
        )
    };
    let (name, count, place) = match desc.role {
        TensorRole::TransformerWeight => of_set(TRANSFORMER, 0),
        TensorRole::ExtraWeight(set) => of_set(TRANSFORMER, set),
        TensorRole::SecondWeight => of_set(SECOND, 0),
        TensorRole::SecondExtraWeight(set) => of_set(SECOND, set),
        TensorRole::TransformerPsqt => of_set(PSQT, 0),
        TensorRole::ExtraPsqt(set) => of_set(PSQT, set),
        TensorRole::LayerWeight(layer) => {
            let (inputs, outputs) = (net.layers[layer].inputs, desc.rows * desc.copies);
            let place = match net.layers[layer].kind {
                LayerKind::Binary => Place::Signs {
                    columns: desc.cols,
                    inputs,
                    outputs,
                },
                _ => Place::Turned {
                    columns: desc.cols,
                    inputs,
                    outputs,
                },
            };
            (desc.name, inputs * outputs, place)
        }
        _ => (desc.name, desc.len(), Place::From(0)),
    };
    let wrong = |what: &str| ImportError::Exported(format!("`{name}` {what}"));
    let tensor = graph
        .initializer
        .iter()
        .find(|tensor| tensor.name == name)
        .ok_or_else(|| wrong("is missing"))?;
    let elements = [
        ElementType::I8,
        ElementType::I16,
        ElementType::I32,
        ElementType::F32,
    ];
    let element = elements
        .into_iter()
        .find(|element| kind(*element) as i32 == tensor.data_type);
    let element = element.ok_or_else(|| wrong("has another type"))?;
    match count.checked_mul(element.bytes()) {
        Some(bytes) if bytes == tensor.raw_data.len() => Ok(Stored {
            bytes: &tensor.raw_data,
            element,
            place,
        }),
        _ => Err(wrong("has another length")),
    }
}

impl Stored<'_> {
    /// Fills a tensor; padding becomes 0.
    pub(super) fn fill(
        &self,
        desc: &TensorDesc<'_>,
        tensor: &mut TensorMut<'_>,
    ) -> Result<(), ImportError> {
        let word = |at: usize| i16::from_le_bytes([self.bytes[2 * at], self.bytes[2 * at + 1]]);
        let four = |at: usize| [0, 1, 2, 3].map(|byte| self.bytes[4 * at + byte]);
        let filled = match (tensor, self.element) {
            (TensorMut::I8(values), ElementType::I8)
                if matches!(self.place, Place::Signs { .. }) =>
            {
                self.signs(values)
            }
            (TensorMut::I8(values), ElementType::I8) => {
                self.put(values, |at| Some(self.bytes[at] as i8))
            }
            (TensorMut::I8(values), ElementType::I16) => {
                self.put(values, |at| i8::try_from(word(at)).ok())
            }
            (TensorMut::I16(values), ElementType::I16) => self.put(values, |at| Some(word(at))),
            (TensorMut::I32(values), ElementType::I32) => {
                self.put(values, |at| Some(i32::from_le_bytes(four(at))))
            }
            (TensorMut::F32(values), ElementType::F32) => {
                self.put(values, |at| Some(f32::from_le_bytes(four(at))))
            }
            _ => None,
        };
        filled.ok_or_else(|| {
            ImportError::Exported(format!("`{}` is no {}", desc.name, desc.element.name()))
        })
    }

    /// Packs the signs of eight inputs into each byte, if all of them are 1 or -1.
    fn signs(&self, values: &mut [i8]) -> Option<()> {
        let Place::Signs {
            columns,
            inputs,
            outputs,
        } = self.place
        else {
            return None;
        };
        for (at, value) in values.iter_mut().enumerate() {
            let (output, first) = (at / columns, at % columns * 8);
            let mut byte = 0_u8;
            for input in first..inputs.min(first + 8) {
                match self.bytes[input * outputs + output] as i8 {
                    1 => byte |= 1 << (input - first),
                    -1 => {}
                    _ => return None,
                }
            }
            *value = byte as i8;
        }
        Some(())
    }

    /// Fills all values, if each has an element.
    fn put<T: Default>(&self, values: &mut [T], number: impl Fn(usize) -> Option<T>) -> Option<()> {
        for (at, value) in values.iter_mut().enumerate() {
            *value = self
                .place
                .of(at)
                .map_or_else(|| Some(T::default()), &number)?;
        }
        Some(())
    }
}
