//! Which declaration reads a file.

use std::path::PathBuf;

use nnue_codegen::{single_plan, single_subnets};
use nnue_tools::search::{Search, SearchError, Sizes, Source};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

use crate::errors::LoadError;
use crate::known;

/// A declaration that reads a file.
#[pyclass(frozen, get_all, eq, module = "nnue")]
#[derive(Clone, PartialEq)]
pub(crate) struct Guess {
    /// the declaration
    declaration: String,
    /// its sizes as options of the command `nnue import net`
    shape: String,
    /// what speaks against it in the numbers of the file
    doubt: Option<String>,
    /// what an output of 1.0 is worth, also if it is a guess
    scale: Option<f64>,
    /// what the file does not tell, and what would
    unknown: Vec<String>,
}

#[pymethods]
impl Guess {
    fn __repr__(&self) -> String {
        let doubt = self.doubt.as_ref().map_or("", |_| ", doubtful");
        format!("<Guess {}{doubt}>", self.shape)
    }
}

/// The declarations that read a file, the likeliest first.
#[pyfunction]
#[pyo3(signature = (path, *, program=None, name="Network", width=None, king_buckets=None, output_buckets=None, hidden=Vec::new()))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn declarations(
    py: Python<'_>,
    path: PathBuf,
    program: Option<&str>,
    name: &str,
    width: Option<u64>,
    king_buckets: Option<u64>,
    output_buckets: Option<u64>,
    hidden: Vec<u64>,
) -> PyResult<Vec<Guess>> {
    let known: Vec<_> = known::all()
        .iter()
        .map(|known| (known.name, known.spec))
        .collect();
    let search = Search {
        name,
        program: program.map(|text| Source {
            name: "the program",
            text,
        }),
        sizes: Sizes {
            width,
            king_buckets,
            output_buckets,
            hidden: &hidden,
        },
        heads: &[],
        known: &known,
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    let found = py.detach(|| search.file(&path));
    let found = found.map_err(|error| refused(&path.display().to_string(), error))?;
    let guess = |guess: nnue_tools::search::Guess| Guess {
        declaration: guess.declaration,
        shape: guess.shape,
        doubt: guess.doubt,
        scale: guess.scale,
        unknown: guess.unknown,
    };
    Ok(found.guesses.into_iter().map(guess).collect())
}

fn refused(path: &str, error: SearchError) -> PyErr {
    let message = format!("{path}: {error}");
    match error {
        SearchError::Io(source) => match source.raw_os_error() {
            Some(code) => PyOSError::new_err((code, source.to_string(), path.to_owned())),
            None => PyOSError::new_err(message),
        },
        SearchError::File(_) | SearchError::Size(_) => LoadError::new_err(message),
        error => PyValueError::new_err(error.to_string()),
    }
}
