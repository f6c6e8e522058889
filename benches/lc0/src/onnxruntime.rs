//! onnxruntime, by the library that `ORT_DYLIB_PATH` names: that of the Python package `onnxruntime`, for example.

use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;

use nnue_backend::lc0::PLANES;
use ort::environment::Environment;
use ort::session::Session;
use ort::session::builder::GraphOptimizationLevel;
use ort::value::TensorRef;
use prost::Message;
use tract_onnx::pb::ModelProto;

use crate::graph::{INPUT, POLICY, VALUE};
use crate::peer::{Outputs, Peer};

/// The variable that names the library.
pub(crate) const LIBRARY: &str = "ORT_DYLIB_PATH";

/// The graph in a session with one thread.
pub(crate) struct OnnxRuntime {
    session: Session,
    _environment: Environment,
}

impl OnnxRuntime {
    pub(crate) fn new(library: &OsStr, graph: &ModelProto) -> Result<Self, Box<dyn Error>> {
        let environment = ort::init_from(Path::new(library))?.build()?;
        let builder =
            Session::builder(&environment)?.with_optimization_level(GraphOptimizationLevel::Level3);
        let builder = builder
            .map_err(|error| error.to_string())?
            .with_intra_threads(1);
        let session = builder
            .map_err(|error| error.to_string())?
            .commit_from_memory(&graph.encode_to_vec())?;
        Ok(Self {
            session,
            _environment: environment,
        })
    }
}

impl Peer for OnnxRuntime {
    fn name(&self) -> &'static str {
        "onnxruntime"
    }

    fn run(&mut self, planes: &[f32], count: usize) -> Result<Outputs, Box<dyn Error>> {
        let planes = TensorRef::from_array_view(([count, PLANES, 8, 8], planes))?;
        let outputs = self.session.run(ort::inputs![INPUT => planes])?;
        let numbers = |name: &str| -> Result<Vec<f32>, Box<dyn Error>> {
            Ok(outputs[name].try_extract_tensor::<f32>()?.1.to_vec())
        };
        Ok(Outputs {
            value: numbers(VALUE)?,
            policy: numbers(POLICY)?,
        })
    }
}
