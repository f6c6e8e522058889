//! The function.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion_common::arrow::array::{ArrayRef, Int32Array};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use nnue_data::Position;
use nnue_data::rescore::{Scorer, Sorted};

use crate::texts::{TYPES, texts};

/// What becomes of a FEN that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Wrong {
    Error,
    Null,
}

/// A network as a function of FENs.
pub(crate) struct Eval {
    name: String,
    signature: Signature,
    network: Arc<dyn Scorer + Send + Sync>,
    /// tells the network from all others
    identity: u128,
    wrong: Wrong,
}

impl Eval {
    pub(crate) fn new(name: &str, network: Arc<dyn Scorer + Send + Sync>, wrong: Wrong) -> Self {
        let signature = Signature::uniform(1, TYPES.to_vec(), Volatility::Immutable);
        let identity = network.identity();
        Self {
            name: name.into(),
            signature,
            network,
            identity,
            wrong,
        }
    }

    /// What the planner compares functions by.
    const fn key(&self) -> (&String, u128, Wrong) {
        (&self.name, self.identity, self.wrong)
    }

    /// The value of each row.
    fn values(&self, fens: &ArrayRef) -> Result<Int32Array> {
        let Some(texts) = texts(fens) else {
            return exec_err!(
                "{}: a FEN is text, and this is {}",
                self.name,
                fens.data_type()
            );
        };
        let positions = texts
            .map(|fen| self.position(fen))
            .collect::<Result<Vec<Option<Position>>>>()?;
        let (rows, given): (Vec<usize>, Vec<&Position>) = positions
            .iter()
            .enumerate()
            .filter_map(|(row, position)| Some((row, position.as_ref()?)))
            .unzip();
        let mut values = vec![None; positions.len()];
        Sorted::default().evaluate(&mut *self.network.worker(), &given, |index, value| {
            values[rows[index]] = Some(value)
        });
        Ok(Int32Array::from(values))
    }

    fn position(&self, fen: Option<&str>) -> Result<Option<Position>> {
        let Some(fen) = fen else { return Ok(None) };
        match fen.parse() {
            Ok(position) => Ok(Some(position)),
            Err(_) if self.wrong == Wrong::Null => Ok(None),
            Err(error) => {
                let shown: String = fen.chars().take(100).collect();
                exec_err!(
                    "{}: `{}` is no position: {error}",
                    self.name,
                    shown.escape_debug()
                )
            }
        }
    }
}

impl ScalarUDFImpl for Eval {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        match &arguments.args[..] {
            [ColumnarValue::Array(fens)] => Ok(ColumnarValue::Array(Arc::new(self.values(fens)?))),
            [ColumnarValue::Scalar(fen)] => {
                let value = self.values(&fen.to_array()?)?;
                Ok(ColumnarValue::Scalar(ScalarValue::Int32(
                    value.iter().next().flatten(),
                )))
            }
            other => exec_err!("{} takes one FEN, not {} arguments", self.name, other.len()),
        }
    }
}

impl PartialEq for Eval {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Eval {}

impl Hash for Eval {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Debug for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            identity,
            wrong,
            ..
        } = self;
        write!(f, "{name}, network {identity:032x}, wrong FENs: {wrong:?}")
    }
}
