//! What a network says about a position.

use std::hash::{Hash, Hasher};

use nnue_runtime::RealEvaluation;
use pyo3::prelude::*;

/// What a network says about a position.
#[pyclass(frozen, get_all, eq, hash, module = "nnue")]
#[derive(Clone, Copy)]
pub(crate) struct Evaluation {
    /// in the unit of the network, from the point of view of the side to move
    value: i32,
    /// the value before it was rounded to an integer
    real: f64,
    /// the PSQT part, raw; 0 if the network has none
    psqt: i32,
    /// the part of the layers, raw
    positional: i32,
    /// the layer stack that was used
    bucket: i32,
}

impl Evaluation {
    /// The bytes of a record of `evaluate_many`.
    pub(crate) fn record(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        let parts = [self.value, self.psqt, self.positional, self.bucket];
        let (integers, real) = bytes.split_at_mut(16);
        integers
            .as_chunks_mut()
            .0
            .iter_mut()
            .zip(parts)
            .for_each(|(to, part)| *to = part.to_le_bytes());
        real.copy_from_slice(&self.real.to_le_bytes());
        bytes
    }

    /// The numbers by which evaluations are compared: an evaluation equals itself, NaN or not.
    fn key(self) -> ([i32; 4], u64) {
        let Self {
            value,
            real,
            psqt,
            positional,
            bucket,
        } = self;
        ([value, psqt, positional, bucket], real.to_bits())
    }
}

impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Evaluation {}

impl Hash for Evaluation {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

/// The bytes of an array of evaluations.
pub(crate) fn records(values: &[RealEvaluation]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|&value| Evaluation::from(value).record())
        .collect()
}

/// The fields of [`Evaluation::record`], as numpy describes them.
pub(crate) const RECORD: [(&str, &str); 5] = [
    ("value", "<i4"),
    ("psqt", "<i4"),
    ("positional", "<i4"),
    ("bucket", "<i4"),
    ("real", "<f8"),
];

impl From<RealEvaluation> for Evaluation {
    fn from(said: RealEvaluation) -> Self {
        let RealEvaluation {
            evaluation: said,
            real,
        } = said;
        // a network has at most 64 stacks
        Self {
            value: said.value,
            real,
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

    fn __float__(&self) -> f64 {
        self.real
    }

    fn __repr__(&self) -> String {
        let Self {
            value,
            real,
            psqt,
            positional,
            bucket,
        } = self;
        format!(
            "Evaluation(value={value}, real={real:?}, psqt={psqt}, positional={positional}, bucket={bucket})"
        )
    }
}
