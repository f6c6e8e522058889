//! The function of FENs.

use std::sync::Arc;

use datafusion_common::arrow::array::{ArrayRef, Int32Array};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, TypeSignature};
use nnue_data::Position;
use nnue_data::rescore::{Scorer, Sorted};

use crate::function::{Function, Key, Wrong, quoted};
use crate::texts::{TYPES, texts};

/// A network as a function of FENs.
pub(crate) type Eval = Function<Arc<dyn Scorer + Send + Sync>>;

impl Eval {
    pub(crate) fn of_fens(
        name: &str,
        network: Arc<dyn Scorer + Send + Sync>,
        wrong: Wrong,
    ) -> Self {
        let key = Key {
            name: name.into(),
            identity: network.identity(),
            wrong,
            returns: DataType::Int32,
        };
        Self::new(key, TypeSignature::Uniform(1, TYPES.to_vec()), network)
    }

    /// The value of each row.
    fn values(&self, fens: &ArrayRef) -> Result<Int32Array> {
        let Some(texts) = texts(fens) else {
            return exec_err!(
                "{}: a FEN is text, and this is {}",
                self.key.name,
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
            Err(_) if self.key.wrong == Wrong::Null => Ok(None),
            Err(error) => {
                exec_err!("{}: {} is no position: {error}", self.key.name, quoted(fen))
            }
        }
    }
}

impl ScalarUDFImpl for Eval {
    fn name(&self) -> &str {
        &self.key.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.key.returns.clone())
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
            other => exec_err!(
                "{} takes one FEN, not {} arguments",
                self.key.name,
                other.len()
            ),
        }
    }
}
