//! Networks: opened, evaluated, looked at.

use std::ffi::CString;
use std::io::{Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use nnue_format::LoadError;
use nnue_runtime::dynamic::{self, OpenError};
use nnue_spec::NetDesc;
use nnue_tools::compression::{Bounds, Decompressed};
use nnue_tools::declaration::{Defaults, declaration};
use nnue_tools::fits::explained;
use nnue_tools::named::Named;
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyDict, PyTuple};

use crate::arrow::{ArrowValues, Fens, Wrong};
use crate::board::{Board, Given};
use crate::contributions::Contributions;
use crate::evaluation::Evaluation;
use crate::intermediate::Intermediate;
use crate::known::{self, Known};
use crate::many::{self, Positions};
use crate::rows::{Arguments, Listed, Matrices};
use crate::rows_stack::RowsStack;
use crate::stack::Stack;
use crate::tensor::Tensor;
use crate::{declared, errors, inspect, rows};

/// A network that was opened. It never changes, and threads may share it.
#[pyclass(frozen, module = "nnue")]
pub(crate) struct Network {
    network: Arc<dynamic::Network>,
    /// the name of its architecture; none if it was declared
    arch: Option<&'static str>,
    /// other architectures that its file may have as well
    also: Vec<&'static str>,
    /// the cache of `evaluate` and `evaluate_listed`, always at its root
    root: Mutex<Root>,
}

/// What evaluates single positions.
enum Root {
    Boards(dynamic::Stack),
    Rows(Box<dynamic::RowsStack>),
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

    /// Reads a network, and how its content differs from the name of its file.
    fn read(
        self,
        mut source: impl Read + Seek,
        path: &Path,
    ) -> PyResult<(Network, Option<String>)> {
        let refuse = |error: LoadError| errors::load(&error);
        let cannot = |error| refuse(LoadError::io(0, error));
        let (candidates, spec) = match self {
            Self::Recognised => {
                let bounds = known::bounds();
                let mut looked = Decompressed::open(&mut source, bounds).map_err(cannot)?;
                let candidates = known::recognised(&mut looked).map_err(refuse)?;
                source.rewind().map_err(cannot)?;
                let spec = candidates[0].spec;
                (candidates, spec)
            }
            Self::Known(known) => (vec![known], known.spec),
            Self::Declared(spec) => (Vec::new(), spec),
        };
        let mut file = Decompressed::open(source, Bounds::of(spec)).map_err(cannot)?;
        let mut named = Named::new(path, &mut file);
        let network = dynamic::Network::read(spec, &mut named);
        let difference = named.difference().map_err(cannot);
        let network = network.map_err(|error| match error {
            OpenError::Load(error) if file.rewind().is_ok() => {
                errors::load(&explained(spec, error, &mut file))
            }
            error => errors::open(&error),
        })?;
        let mut names = candidates.into_iter().map(|known| known.name);
        let network = Network::new(network, names.next(), names.collect());
        Ok((network, difference?))
    }
}

impl Network {
    fn new(network: dynamic::Network, arch: Option<&'static str>, also: Vec<&'static str>) -> Self {
        let boards = || Root::Boards(dynamic::Stack::new());
        let rows = dynamic::RowsStack::new(&network).map(Box::new);
        let root = rows.map_or_else(boards, Root::Rows);
        Self {
            network: Arc::new(network),
            arch,
            also,
            root: Mutex::new(root),
        }
    }

    /// Calls `read` with the cache of `evaluate`, or of `evaluate_listed`.
    fn at_root<R>(&self, read: impl FnOnce(&mut Root) -> R) -> R {
        read(&mut self.root.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn is_over_rows(&self) -> bool {
        self.network.rows_shape().is_some()
    }

    /// Calls `read` with a board, and a stack at its root.
    fn at_board<R>(
        &self,
        position: &Bound<'_, PyAny>,
        read: impl FnOnce(&Board, &mut dynamic::Stack) -> R,
    ) -> PyResult<R> {
        rows::require_boards(&self.network)?;
        let Given(board) = position.extract()?;
        self.at_root(|root| match root {
            Root::Boards(stack) => {
                stack.reset();
                Ok(read(&board, stack))
            }
            Root::Rows(_) => Err(rows::not_boards(&self.network)),
        })
    }

    /// Calls `read` with a stack whose root has these rows.
    fn at_rows<R>(
        &self,
        given: &Bound<'_, PyAny>,
        black_to_move: bool,
        read: impl FnOnce(&mut dynamic::RowsStack) -> R,
    ) -> PyResult<R> {
        let listed = Listed::of(&rows::shape(&self.network)?, given)?;
        self.at_root(|root| match root {
            Root::Rows(stack) => {
                stack.set_black_to_move(black_to_move);
                listed.set(stack, black_to_move.then_some(true))?;
                Ok(read(stack))
            }
            Root::Boards(_) => Err(rows::not_rows(&self.network)),
        })
    }
}

#[pymethods]
impl Network {
    /// Opens a file. `arch` is one of `architectures()`, or a declaration as text, of which `name` chooses a network;
    /// without it the header of the file decides. The file may be compressed by gzip or zstd. If its name is `nn-` and 12 digits
    /// and its SHA-256 begins with other digits, there is a warning.
    #[staticmethod]
    #[pyo3(signature = (path, arch=None, *, name=None))]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        arch: Option<&str>,
        name: Option<&str>,
    ) -> PyResult<Self> {
        let (network, difference) = py.detach(|| {
            let wanted = Wanted::of(arch, name)?;
            let cannot = |error: std::io::Error| match error.raw_os_error() {
                Some(code) => PyOSError::new_err((
                    code,
                    error.kind().to_string(),
                    path.clone().into_os_string(),
                )),
                None => PyOSError::new_err(format!("{}: {error}", path.display())),
            };
            wanted.read(nnue_format::open(&path).map_err(cannot)?, &path)
        })?;
        if let Some(difference) = difference {
            let message = CString::new(format!("{}: {difference}", path.display()))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &message, 1)?;
        }
        Ok(network)
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
        let unnamed = Path::new("");
        py.detach(|| Wanted::of(arch, name)?.read(Cursor::new(data), unnamed))
            .map(|(network, _)| network)
    }

    /// The network that the package contains. Its unit is about a hundredth of a pawn.
    #[staticmethod]
    fn default(py: Python<'_>) -> PyResult<Self> {
        py.detach(|| {
            let file = Cursor::new(known::DEFAULT_FILE);
            Wanted::Known(known::by_name("default")?).read(file, Path::new(""))
        })
        .map(|(network, _)| network)
    }

    /// Evaluates a FEN, of which the first two fields count, or a `chess.Board`.
    fn evaluate(&self, position: &Bound<'_, PyAny>) -> PyResult<Evaluation> {
        self.at_board(position, |board, root| {
            self.network.evaluate_real(board, root)
        })
        .map(Evaluation::from)
    }

    /// Evaluates one position of a network over `rows[..]`: a list of integers (with two perspectives a pair of lists), or a
    /// text such as `3 17 40` or `3 17 | 8 9 b`.
    #[pyo3(signature = (rows, *, black_to_move=false))]
    fn evaluate_listed(
        &self,
        rows: &Bound<'_, PyAny>,
        black_to_move: bool,
    ) -> PyResult<Evaluation> {
        self.at_rows(rows, black_to_move, |stack| {
            stack.evaluate_real(&self.network)
        })
        .map(Evaluation::from)
    }

    /// The numbers of each output with a name of its own, for a position as `evaluate` or `evaluate_listed` takes it.
    fn outputs<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (_, outputs) = match self.is_over_rows() {
            true => self.at_rows(position, false, |stack| stack.evaluate_with(&self.network)),
            false => self.at_board(position, |board, root| {
                self.network.evaluate_with(board, root)
            }),
        }?;
        outputs.into_py_dict(py)
    }

    /// Evaluates many positions on all cores, or on `threads` threads: FENs and boards, or an array of uint64 in the shape
    /// (n, 9): pawns, knights, bishops, rooks, queens, kings, the pieces of White, of Black, and 1 if White moves.
    ///
    /// The result is an array with the fields `value`, `psqt`, `positional`, `bucket` and `real`.
    #[pyo3(signature = (positions, *, threads=None))]
    fn evaluate_many(
        &self,
        py: Python<'_>,
        positions: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Py<PyAny>> {
        let threads = many::threads(threads)?;
        rows::require_boards(&self.network)?;
        let positions = Positions::of(positions)?;
        let records = py.detach(|| positions.evaluate(&self.network, threads))?;
        many::array(py, &records)
    }

    /// Evaluates a column of FENs on all cores, or on `threads` threads: an Arrow array of strings, from any object with
    /// `__arrow_c_array__` or `__arrow_c_stream__`.
    ///
    /// A null has the value null. A text that is no position is an error, or with `wrong="null"` a null.
    #[pyo3(signature = (fens, *, threads=None, wrong="error"))]
    fn evaluate_arrow(
        &self,
        py: Python<'_>,
        fens: &Bound<'_, PyAny>,
        threads: Option<usize>,
        wrong: &str,
    ) -> PyResult<ArrowValues> {
        let (threads, wrong) = (many::threads(threads)?, Wrong::of(wrong)?);
        rows::require_boards(&self.network)?;
        let fens = Fens::of(fens)?;
        Ok(py.detach(|| fens.evaluate(&self.network, threads, wrong))?)
    }

    /// Evaluates many positions of a network over `rows[..]` on all cores, or on `threads` threads: a
    /// `scipy.sparse.csr_matrix`, or its arrays `indptr` and `indices`; with two perspectives a pair `(white, black)` of
    /// matrices or of pairs of arrays, and `black_to_move`, an array of bool.
    ///
    /// The result is an array with the fields `value`, `psqt`, `positional`, `bucket` and `real`.
    #[pyo3(signature = (lists, indices=None, /, *, black_to_move=None, threads=None))]
    fn evaluate_rows(
        &self,
        py: Python<'_>,
        lists: &Bound<'_, PyAny>,
        indices: Option<&Bound<'_, PyAny>>,
        black_to_move: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<Py<PyAny>> {
        let threads = many::threads(threads)?;
        let arguments = Arguments {
            lists,
            indices,
            black_to_move,
        };
        let matrices = Matrices::of(&rows::shape(&self.network)?, &arguments)?;
        let batch = matrices.batch()?;
        let records = py
            .detach(|| rows::evaluate(&self.network, &batch, threads))
            .map_err(rows::refused)?;
        many::array(py, &records)
    }

    /// A stack at a position (FEN or `chess.Board`); without one, at the start of a game.
    #[pyo3(signature = (position=None))]
    fn stack(&self, position: Option<&Bound<'_, PyAny>>) -> PyResult<Stack> {
        rows::require_boards(&self.network)?;
        Stack::new(self.network.clone(), position)
    }

    /// A stack of a network over `rows[..]` whose root has these rows; without them, no active rows.
    #[pyo3(signature = (rows=None, *, black_to_move=false))]
    fn rows_stack(
        &self,
        rows: Option<&Bound<'_, PyAny>>,
        black_to_move: bool,
    ) -> PyResult<RowsStack> {
        let stack = RowsStack::new(self.network.clone())?;
        stack.begin(rows, black_to_move)?;
        Ok(stack)
    }

    /// Everything that the network computes for a position as `evaluate` or `evaluate_listed` takes it: accumulators, what
    /// layers read, the sums of layers, the evaluation.
    fn intermediate<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let network = &*self.network;
        let found = if self.is_over_rows() {
            self.at_rows(position, false, |stack| {
                Intermediate::of_rows(network, stack)
            })?
        } else {
            let Given(board) = position.extract()?;
            py.detach(|| Intermediate::of_board(network, &board))
        };
        found.describe(py, network)
    }

    /// The evaluation by each layer stack of a position as `evaluate` or `evaluate_listed` takes it.
    fn trace(&self, position: &Bound<'_, PyAny>) -> PyResult<Vec<Evaluation>> {
        let network = &*self.network;
        let accumulators = if self.is_over_rows() {
            self.at_rows(position, false, |stack| {
                network.accumulate_listed(stack.rows())
            })?
        } else {
            let Given(board) = position.extract()?;
            network.accumulate(&board)
        };
        let evaluations = network.evaluate_stacks(&accumulators);
        Ok(evaluations.into_iter().map(Evaluation::from).collect())
    }

    /// The contribution of each piece, for White: the value of the position minus its value without that piece. An array of
    /// float64 by rank and file, `[0, 0]` is a1; NaN for empty squares and for kings, which every position needs.
    fn contributions<'py>(
        &self,
        py: Python<'py>,
        position: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::require_boards(&self.network)?;
        let Given(board) = position.extract()?;
        py.detach(|| Contributions::of(&self.network, &board))
            .array(py)
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
