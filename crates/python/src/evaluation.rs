//! What a network says about a position.

use pyo3::prelude::*;

/// What a network says about a position.
#[pyclass(frozen, get_all, eq, hash, module = "nnue")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Evaluation {
    /// in the unit of the network, from the point of view of the side to move
    value: i32,
    /// the PSQT part, raw; 0 if the network has none
    psqt: i32,
    /// the part of the layers, raw
    positional: i32,
    /// the layer stack that was used
    bucket: i32,
}

impl Evaluation {
    /// The bytes of a record of `evaluate_many`.
    pub(crate) fn record(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let parts = [self.value, self.psqt, self.positional, self.bucket];
        bytes
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(parts)
            .for_each(|(to, part)| *to = part.to_le_bytes());
        bytes
    }
}

/// The fields of [`Evaluation::record`], as numpy describes them.
pub(crate) const RECORD: [(&str, &str); 4] = [
    ("value", "<i4"),
    ("psqt", "<i4"),
    ("positional", "<i4"),
    ("bucket", "<i4"),
];

impl From<nnue_runtime::Evaluation> for Evaluation {
    fn from(said: nnue_runtime::Evaluation) -> Self {
        // a network has at most 64 stacks
        Self {
            value: said.value,
            psqt: said.psqt,
            positional: said.positional,
            bucket: said.bucket as i32,
        }
    }
}

#[pymethods]
impl Evaluation {
    fn __int__(&self) -> i32 {
        self.value
    }

    fn __repr__(&self) -> String {
        let Self {
            value,
            psqt,
            positional,
            bucket,
        } = self;
        format!("Evaluation(value={value}, psqt={psqt}, positional={positional}, bucket={bucket})")
    }
}
