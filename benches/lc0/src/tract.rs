//! `tract`: the graph, optimised once for each size of a batch.

use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;

use nnue_backend::lc0::PLANES;
use tract_onnx::pb::ModelProto;
use tract_onnx::prelude::*;

use crate::peer::{Outputs, Peer};

/// The graph, and what was made of it.
pub(crate) struct Tract {
    graph: ModelProto,
    prepared: HashMap<usize, Arc<TypedRunnableModel>>,
}

impl Tract {
    pub(crate) fn new(graph: ModelProto) -> Self {
        Self {
            graph,
            prepared: HashMap::new(),
        }
    }

    fn of_count(&mut self, count: usize) -> TractResult<Arc<TypedRunnableModel>> {
        if let Some(prepared) = self.prepared.get(&count) {
            return Ok(Arc::clone(prepared));
        }
        let model = tract_onnx::onnx()
            .with_ignore_output_shapes(true)
            .model_for_proto_model(&self.graph)?;
        let planes = InferenceFact::dt_shape(f32::datum_type(), [count, PLANES, 8, 8]);
        let prepared = model
            .with_input_fact(0, planes)?
            .into_optimized()?
            .into_runnable()?;
        self.prepared.insert(count, Arc::clone(&prepared));
        Ok(prepared)
    }
}

impl Peer for Tract {
    fn name(&self) -> &'static str {
        "tract 0.23.9"
    }

    fn run(&mut self, planes: &[f32], count: usize) -> Result<Outputs, Box<dyn Error>> {
        let planes = Tensor::from_shape(&[count, PLANES, 8, 8], planes)?;
        let outputs = self.of_count(count)?.run(tvec!(planes.into()))?;
        let numbers = |index: usize| -> TractResult<Vec<f32>> {
            Ok(outputs[index]
                .to_plain_array_view::<f32>()?
                .iter()
                .copied()
                .collect())
        };
        Ok(Outputs {
            value: numbers(0)?,
            policy: numbers(1)?,
        })
    }
}
