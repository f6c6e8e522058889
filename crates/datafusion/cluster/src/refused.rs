//! A function that a machine does not have. Ballista does not carry why a plan cannot be read to the client, but what a function says when it is called.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

/// The function `name`, which says `fault` when it is called.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Refused {
    name: String,
    fault: String,
    signature: Signature,
}

impl Refused {
    pub(crate) fn new(name: &str, fault: String) -> Self {
        Self {
            name: name.to_owned(),
            fault,
            signature: Signature::variadic_any(Volatility::Volatile),
        }
    }
}

impl ScalarUDFImpl for Refused {
    fn name(&self) -> &str {
        &self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int32)
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        plan_err!("{}", self.fault)
    }
}
