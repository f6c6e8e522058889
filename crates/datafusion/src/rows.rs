//! The function of lists of rows.

use std::sync::Arc;

use datafusion_common::arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int32Array};
use datafusion_common::arrow::datatypes::DataType;
use datafusion_common::{Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, TypeSignature};
use nnue_runtime::RealEvaluation;
use nnue_runtime::dynamic::{Network, RowsStack};
use nnue_runtime::rows::{BatchError, RowBatch, RowMatrix};

use crate::function::{Function, Key, Wrong, quoted};
use crate::lists::{Lists, read_as};

/// A network over lists of rows.
pub(crate) struct Rows {
    network: Arc<Network>,
    /// lists of a position: 1 or 2
    lists: usize,
}

/// A network over lists of rows as a function of its lists.
pub(crate) type EvalRows = Function<Rows>;

impl EvalRows {
    /// `returns` is `Int32` or `Float64`.
    pub(crate) fn of_rows(
        name: &str,
        network: Arc<Network>,
        wrong: Wrong,
        returns: DataType,
    ) -> Result<Self> {
        let Some(shape) = network.rows_shape() else {
            return plan_err!(
                "{name}: positions of `{}` are no lists of rows: `eval` and `try_eval` are for networks of chess",
                network.spec().name
            );
        };
        let key = Key {
            name: name.into(),
            identity: nnue_backend::nnue::identity(network.spec(), &network.tensors()),
            wrong,
            returns,
        };
        let rows = Rows {
            network,
            lists: shape.lists,
        };
        Ok(Self::new(key, TypeSignature::UserDefined, rows))
    }

    /// What the function takes, for messages.
    const fn takes(&self) -> &'static str {
        match self.network.lists {
            1 => "one list of rows",
            _ => "the list of White, the list of Black and whether Black is to move",
        }
    }

    /// The value of each row of the table, in the type that the function returns.
    fn values(&self, columns: &[ArrayRef]) -> Result<ArrayRef> {
        let said = self.evaluations(columns)?;
        let said = said.into_iter();
        Ok(match self.key.returns {
            DataType::Float64 => {
                let reals = said.map(|said| said.map(|said| said.real));
                Arc::new(reals.collect::<Float64Array>())
            }
            _ => {
                let values = said.map(|said| said.map(|said| said.evaluation.value));
                Arc::new(values.collect::<Int32Array>())
            }
        })
    }

    fn evaluations(&self, columns: &[ArrayRef]) -> Result<Vec<Option<RealEvaluation>>> {
        let (lists, sides) = columns.split_at(self.network.lists.min(columns.len()));
        let lists = lists
            .iter()
            .map(|column| Lists::of(column).ok_or_else(|| column.data_type()))
            .collect::<Result<Vec<_>, _>>();
        let lists = match lists {
            Ok(lists) if columns.len() == self.arguments() => lists,
            Ok(_) => return exec_err!("{} takes {}", self.key.name, self.takes()),
            Err(kind) => return exec_err!("{}", self.no_lists(kind)),
        };
        let mut matrices = Vec::new();
        for (lists, column) in lists.iter().zip(columns) {
            match lists.matrix() {
                Some(Ok(matrix)) => matrices.push(matrix),
                Some(Err(error)) => return exec_err!("{}: {error}", self.key.name),
                None => return exec_err!("{}", self.no_lists(column.data_type())),
            }
        }
        let sides = sides.first().map(|sides| sides.as_boolean());
        let black: Vec<u8> = match sides {
            Some(sides) => sides
                .iter()
                .map(|side| u8::from(side == Some(true)))
                .collect(),
            None => vec![0; lists.first().map_or(0, Lists::len)],
        };
        let batch = self.batch(&matrices, &black)?;
        let (mut stack, mut scratch) = (RowsStack::new(&self.network.network), Default::default());
        let mut evaluate = |row: usize| -> Result<Option<RealEvaluation>> {
            let is_null = sides.is_some_and(|sides| sides.is_null(row))
                || lists.iter().any(|lists| lists.is_null(row));
            let Some(stack) = stack.as_mut().filter(|_| !is_null) else {
                return Ok(None);
            };
            let set = match lists.iter().any(|lists| lists.has_null(row)) {
                true => Err("the number of a row is NULL".to_owned()),
                false => stack
                    .set_position(&batch, row, &mut scratch)
                    .map_err(reason),
            };
            match set {
                Ok(()) => Ok(Some(stack.evaluate_real(&self.network.network))),
                Err(_) if self.key.wrong == Wrong::Null => Ok(None),
                Err(reason) => {
                    exec_err!(
                        "{}: {} is no position: {reason}",
                        self.key.name,
                        shown(columns, row)
                    )
                }
            }
        };
        (0..batch.len()).map(&mut evaluate).collect()
    }

    const fn arguments(&self) -> usize {
        if self.network.lists == 1 { 1 } else { 3 }
    }

    fn batch<'a>(&self, matrices: &[RowMatrix<'a>], black: &'a [u8]) -> Result<RowBatch<'a>> {
        let batch = match *matrices {
            [white, black] => RowBatch::two(white, black),
            [lists, ..] => Ok(RowBatch::one(lists)),
            [] => return exec_err!("{} takes {}", self.key.name, self.takes()),
        };
        match batch.and_then(|batch| batch.with_black_to_move(black)) {
            Ok(batch) => Ok(batch),
            Err(error) => exec_err!("{}: {error}", self.key.name),
        }
    }

    fn no_lists(&self, found: &DataType) -> String {
        format!(
            "{}: rows are a list of integers, and this is {found}",
            self.key.name
        )
    }
}

/// Why a position is refused, without its number: a batch has some rows of the table only.
fn reason(error: BatchError) -> String {
    match error {
        BatchError::Rows { error, .. } => error.to_string(),
        error => error.to_string(),
    }
}

/// The arguments of a row of the table as a message shows them.
fn shown(columns: &[ArrayRef], row: usize) -> String {
    let values = columns.iter().map(|column| {
        ScalarValue::try_from_array(column, row)
            .map_or_else(|_| "?".into(), |value| value.to_string())
    });
    quoted(&values.collect::<Vec<_>>().join(", "))
}

impl ScalarUDFImpl for EvalRows {
    fn name(&self) -> &str {
        &self.key.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.key.returns.clone())
    }

    fn coerce_types(&self, given: &[DataType]) -> Result<Vec<DataType>> {
        if given.len() != self.arguments() {
            return plan_err!(
                "{} takes {}, not {} arguments",
                self.key.name,
                self.takes(),
                given.len()
            );
        }
        let (lists, sides) = given.split_at(self.network.lists);
        let mut types = Vec::new();
        for kind in lists {
            match read_as(kind) {
                Some(read_as) => types.push(read_as),
                None => return plan_err!("{}", self.no_lists(kind)),
            }
        }
        for kind in sides {
            if !matches!(kind, DataType::Boolean | DataType::Null) {
                return plan_err!(
                    "{}: the side to move is a BOOLEAN, and this is {kind}",
                    self.key.name
                );
            }
            types.push(DataType::Boolean);
        }
        Ok(types)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let is_scalar = |value: &ColumnarValue| matches!(value, ColumnarValue::Scalar(_));
        let rows = match arguments.args.iter().all(is_scalar) {
            true => 1,
            false => arguments.number_rows,
        };
        let columns = arguments
            .args
            .iter()
            .map(|value| value.to_array(rows))
            .collect::<Result<Vec<_>>>()?;
        let values = self.values(&columns)?;
        Ok(match arguments.args.iter().all(is_scalar) {
            true => ColumnarValue::Scalar(ScalarValue::try_from_array(&values, 0)?),
            false => ColumnarValue::Array(values),
        })
    }
}
