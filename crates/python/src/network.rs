//! Networks: opened, evaluated, looked at.

use std::io::{Cursor, Read, Seek};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use nnue_format::LoadError;
use nnue_runtime::dynamic::{self, OpenError};
use nnue_spec::NetDesc;
use nnue_tools::declaration::{Defaults, declaration};
use nnue_tools::fits::explained;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyTuple};

use crate::board::Given;
use crate::evaluation::Evaluation;
use crate::known::{self, Known};
use crate::many::{self, Positions};
use crate::stack::Stack;
use crate::tensor::Tensor;
use crate::{declared, errors, inspect, intermediate};

/// A network that was opened. It never changes, and threads may share it.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct Network {
    network: Arc<dynamic::Network>,
    /// the name of its architecture; none if it was declared
    arch: Option<&'static str>,
    /// other architectures that its file may have as well
    also: Vec<&'static str>,
    /// the cache of `evaluate`, always at its root
    root: Mutex<dynamic::Stack>,
}

/// How a file is to be read.
enum Wanted {
    /// as the file says
    Recognised,
    Known(Known),
    Declared(&'static NetDesc<'static>),
}

impl Wanted {
    /// `arch` is a name if it looks like one, otherwise a declaration.
    fn of(arch: Option<&str>, name: Option<&str>) -> PyResult<Self> {
        let Some(arch) = arch else {
            return Ok(Self::Recognised);
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        match arch.chars().all(is_name) {
            true => known::by_name(arch).map(Self::Known),
            false => declared::choose(&declared::read(arch)?, name).map(Self::Declared),
        }
    }

    fn read(self, mut file: impl Read + Seek) -> PyResult<Network> {
        let refuse = |error: LoadError| errors::load(&error);
        let (candidates, spec) = match self {
            Self::Recognised => {
                let candidates = known::recognised(&mut file).map_err(refuse)?;
                let spec = candidates[0].spec;
                (candidates, spec)
            }
            Self::Known(known) => (vec![known], known.spec),
            Self::Declared(spec) => (Vec::new(), spec),
        };
        if spec.has_listed_rows() {
            return Err(errors::DeclarationError::new_err(format!(
                "positions of `{}` are lists of rows, and this package reads positions of chess",
                spec.name
            )));
        }
        let network = dynamic::Network::read(spec, &mut file).map_err(|error| match error {
            OpenError::Load(error) if file.rewind().is_ok() => {
                errors::load(&explained(spec, error, &mut file))
            }
            error => errors::open(&error),
        })?;
        let mut names = candidates.into_iter().map(|known| known.name);
        Ok(Network::new(network, names.next(), names.collect()))
    }
}

impl Network {
    fn new(network: dynamic::Network, arch: Option<&'static str>, also: Vec<&'static str>) -> Self {
        Self {
            network: Arc::new(network),
            arch,
            also,
            root: Mutex::new(dynamic::Stack::new()),
        }
    }

    /// Calls `read` with the cache of `evaluate`.
    fn at_root<R>(&self, read: impl FnOnce(&mut dynamic::Stack) -> R) -> R {
        let mut root = self.root.lock().unwrap_or_else(PoisonError::into_inner);
        root.reset();
        read(&mut root)
    }
}

#[pymethods]
impl Network {
    /// Opens a file. `arch` is one of `architectures()`, or a declaration as text, of which `name` chooses a network;
    /// without it the file says what it is.
    #[staticmethod]
    #[pyo3(signature = (path, arch=None, *, name=None))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        arch: Option<&str>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        py.detach(|| {
            let wanted = Wanted::of(arch, name)?;
            let cannot = |error: std::io::Error| match error.raw_os_error() {
                Some(code) => PyOSError::new_err((
                    code,
                    error.kind().to_string(),
                    path.clone().into_os_string(),
                )),
                None => PyOSError::new_err(format!("{}: {error}", path.display())),
            };
            wanted.read(nnue_format::open(&path).map_err(cannot)?)
        })
    }

    /// As `open`, from the bytes of a file.
    #[staticmethod]
    #[pyo3(signature = (data, arch=None, *, name=None))]
    fn from_bytes(
        py: Python<'_>,
        data: &[u8],
        arch: Option<&str>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        py.detach(|| Wanted::of(arch, name)?.read(Cursor::new(data)))
    }

    /// The network that the package contains. Its unit is about a hundredth of a pawn.
    #[staticmethod]
    fn default(py: Python<'_>) -> PyResult<Self> {
        py.detach(|| {
            Wanted::Known(known::by_name("default")?).read(Cursor::new(known::DEFAULT_FILE))
        })
    }

    /// Evaluates a FEN, of which the first two fields count, or a `chess.Board`.
    fn evaluate(&self, position: Given) -> Evaluation {
        self.at_root(|root| self.network.evaluate(&position.0, root))
            .into()
    }

    /// The numbers of each output with a name of its own, for a FEN or a `chess.Board`.
    fn outputs<'py>(&self, py: Python<'py>, position: Given) -> PyResult<Bound<'py, PyDict>> {
        let (_, outputs) = self.at_root(|root| self.network.evaluate_with(&position.0, root));
        outputs.into_py_dict(py)
    }

    /// Evaluates many positions on all cores, or on `threads` threads: FENs and boards, or an array of uint64 in the shape
    /// (n, 9): pawns, knights, bishops, rooks, queens, kings, the pieces of White, of Black, and 1 if White moves.
    ///
    /// The result is an array with the fields `value`, `psqt`, `positional` and `bucket`.
    #[pyo3(signature = (positions, *, threads=None))]
    fn evaluate_many(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Py<PyAny>> {
        let threads = many::threads(threads)?;
        let positions = Positions::of(positions)?;
        let records = py.detach(|| positions.evaluate(&self.network, threads))?;
        many::array(py, &records)
    }

    /// A stack at a position (FEN or `chess.Board`); without one, at the start of a game.
    #[pyo3(signature = (position=None))]
    fn stack(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Stack> {
        Stack::new(self.network.clone(), position)
    }

    /// Everything that the network computes for a FEN or a `chess.Board`: accumulators, what layers read, the sums of
    /// layers, the evaluation.
    fn intermediate<'py>(&self, py: Python<'py>, position: Given) -> PyResult<Bound<'py, PyDict>> {
        intermediate::describe(py, &self.network, &position.0)
    }

    /// The evaluation of a FEN or a `chess.Board` by each layer stack.
    fn trace(&self, position: Given) -> Vec<Evaluation> {
        let trace = self.network.trace(&position.0);
        trace.buckets.into_iter().map(Evaluation::from).collect()
    }

    /// The bytes of the file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.network.to_bytes());
        let refuse = |error: nnue_format::WriteError| PyValueError::new_err(error.to_string());
        Ok(PyBytes::new(py, &bytes.map_err(refuse)?))
    }

    /// The network as a declaration.
    fn declaration(&self) -> String {
        declaration(self.network.spec(), Defaults::Omitted)
    }

    /// Copies and pickles are read from the bytes of the file.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let (py, network) = (slf.py(), slf.get());
        let declared = || network.declaration();
        let arch = network.arch.map_or_else(declared, str::to_owned);
        let read = slf.get_type().getattr("from_bytes")?;
        (read, (network.to_bytes(py)?, arch)).into_pyobject(py)
    }

    /// What is in the network: its file, features, accumulator, layers, tensors with their ranges, and what can overflow.
    fn inspect(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let about = inspect::describe(py, &self.network)?;
        about.set_item("arch", self.arch)?;
        about.set_item("also_fits", &self.also)?;
        Ok(about.unbind())
    }

    /// The weights by name: arrays that read the memory of the network, without a copy.
    fn tensors(&self, py: Python<'_>) -> PyResult<Py<PyDict>> {
        let numpy = py.import("numpy")?;
        let tensors = PyDict::new(py);
        for (index, desc) in self.network.spec().tensors.iter().enumerate() {
            let tensor = Bound::new(py, Tensor::new(self.network.clone(), index))?;
            tensors.set_item(desc.name, numpy.call_method1("asarray", (tensor,))?)?;
        }
        Ok(tensors.unbind())
    }

    /// The declared name.
    #[getter]
    fn name(&self) -> &'static str {
        self.network.spec().name
    }

    /// One of `architectures()`, `None` for a declaration of one's own.
    #[getter]
    fn arch(&self) -> Option<&'static str> {
        self.arch
    }

    /// The network as a chain.
    #[getter]
    fn notation(&self) -> &'static str {
        self.network.spec().notation
    }

    /// The instructions of the processor that evaluate.
    #[getter]
    fn level(&self) -> String {
        self.network.level().to_string()
    }

    fn __repr__(&self) -> String {
        let spec = self.network.spec();
        format!(
            "<nnue.Network {}: {}>",
            self.arch.unwrap_or(spec.name),
            spec.notation
        )
    }
}
