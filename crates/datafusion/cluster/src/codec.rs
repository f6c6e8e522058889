//! Reads plans of other machines as Ballista does. The error for a function that this machine does not have says why it is missing.

use std::sync::Arc;

use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference, plan_err};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{Extension, LogicalPlan, ScalarUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

use crate::NAMES;
use crate::refused::Refused;

/// The functions of a machine.
#[derive(Debug)]
struct Functions {
    /// what the machine is
    role: &'static str,
    names: Vec<String>,
}

impl Functions {
    /// Why there is no function `name`.
    fn missing(&self, name: &str) -> String {
        let Self { role, names } = self;
        let names = names.join(", ");
        let is_of_network = NAMES.iter().any(|known| {
            let digest = name.strip_prefix(known);
            digest.is_some_and(|digest| digest.starts_with('_'))
        });
        match is_of_network {
            true => format!(
                "the {role} has another network than the query: the query wants `{name}`, the {role} has {names}; give all of them the same file"
            ),
            false => format!("the {role} has no function `{name}`; of networks it has {names}"),
        }
    }
}

/// Plans before they are optimised.
#[derive(Debug)]
pub(crate) struct Logical {
    functions: Functions,
    ballista: BallistaLogicalExtensionCodec,
}

impl Logical {
    pub(crate) fn new(role: &'static str, names: Vec<String>) -> Self {
        Self {
            functions: Functions { role, names },
            ballista: BallistaLogicalExtensionCodec::default(),
        }
    }
}

impl LogicalExtensionCodec for Logical {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[LogicalPlan],
        ctx: &TaskContext,
    ) -> Result<Extension> {
        self.ballista.try_decode(buf, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        self.ballista.try_encode(node, buf)
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        self.ballista
            .try_decode_table_provider(buf, table, schema, ctx)
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        node: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        self.ballista.try_encode_table_provider(table, node, buf)
    }

    fn try_decode_file_format(
        &self,
        buf: &[u8],
        ctx: &TaskContext,
    ) -> Result<Arc<dyn FileFormatFactory>> {
        self.ballista.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(
        &self,
        buf: &mut Vec<u8>,
        node: Arc<dyn FileFormatFactory>,
    ) -> Result<()> {
        self.ballista.try_encode_file_format(buf, node)
    }

    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        plan_err!("{}", self.functions.missing(name))
    }
}

/// Plans as they are executed.
#[derive(Debug)]
pub(crate) struct Physical {
    functions: Functions,
    ballista: BallistaPhysicalExtensionCodec,
}

impl Physical {
    pub(crate) fn new(role: &'static str, names: Vec<String>) -> Self {
        Self {
            functions: Functions { role, names },
            ballista: BallistaPhysicalExtensionCodec::default(),
        }
    }
}

impl PhysicalExtensionCodec for Physical {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.ballista.try_decode(buf, inputs, ctx, converter)
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        self.ballista.try_encode(node, buf, converter)
    }

    /// A function that refuses to be called.
    fn try_decode_udf(&self, name: &str, _: &[u8]) -> Result<Arc<ScalarUDF>> {
        let refused = Refused::new(name, self.functions.missing(name));
        Ok(Arc::new(ScalarUDF::new_from_impl(refused)))
    }
}
