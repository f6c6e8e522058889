//! The architectures that have names: the project's own network, and Stockfish's.
//!
//! Their declarations are those that the crate `nnue` and its command compile, read as text.

use std::io::{Read, Seek, SeekFrom};
use std::sync::OnceLock;

use nnue_codegen::plan_text;
use nnue_format::LoadError;
use nnue_spec::NetDesc;
use nnue_spec::plan::Plan;
use nnue_tools::compression::Bounds;
use nnue_tools::recognise;
use pyo3::prelude::*;

use crate::errors::DeclarationError;

const STOCKFISH: &str = include_str!("../../../src/stockfish.rs");
const DEFAULT: &str = include_str!("../../cli/src/network/default.rs");

/// The weights of the network `default`.
pub(crate) const DEFAULT_FILE: &[u8] = include_bytes!("../../cli/nets/default.nnue");

/// An architecture.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// as the command `nnue archs` lists it
    pub(crate) name: &'static str,
    /// everything about it but weights
    pub(crate) spec: &'static NetDesc<'static>,
}

/// All of them, `default` first.
pub(crate) fn all() -> &'static [Known] {
    static ALL: OnceLock<Vec<Known>> = OnceLock::new();
    ALL.get_or_init(|| {
        let default = plans(DEFAULT).into_iter().map(|plan| Known {
            name: "default",
            spec: plan.leak(),
        });
        let mut stockfish = plans(STOCKFISH);
        let named = names().map(|(name, declared)| {
            let at = stockfish
                .iter()
                .position(|plan| plan.name == declared)
                .expect("every name is declared");
            Known {
                name,
                spec: stockfish.swap_remove(at).leak(),
            }
        });
        default.chain(named).collect()
    })
}

fn plans(text: &str) -> Vec<Plan> {
    plan_text(text).expect("declarations that the project compiles are right")
}

/// The names of Stockfish's networks and of their types: in the list of the source, lines such as `"sfnnv1" Sfnnv1,`.
fn names() -> impl Iterator<Item = (&'static str, &'static str)> {
    STOCKFISH.lines().filter_map(|line| {
        let (name, rest) = line.trim_start().strip_prefix('"')?.split_once('"')?;
        Some((name, rest.strip_suffix(',')?.rsplit(' ').next()?))
    })
}

/// The architecture of this name. `v5` stands for `sfnnv5`, and a dot or a hyphen for the underscore.
pub(crate) fn by_name(name: &str) -> PyResult<Known> {
    let wanted = name.to_ascii_lowercase().replace(['.', '-'], "_");
    let fits =
        |known: &&Known| known.name == wanted || known.name.strip_prefix("sfnn") == Some(&wanted);
    all().iter().find(fits).copied().ok_or_else(|| {
        let names = architectures().join(", ");
        DeclarationError::new_err(format!(
            "unknown architecture `{}`; known: {names}",
            name.escape_debug()
        ))
    })
}

/// Bounds of the files of all architectures.
pub(crate) fn bounds() -> Bounds {
    let specs: Vec<_> = all().iter().map(|known| known.spec).collect();
    Bounds::of_any(&specs)
}

/// The architectures that a file may have, the likeliest first; never none. The source is at its start again.
pub(crate) fn recognised<F: Read + Seek>(file: &mut F) -> Result<Vec<Known>, LoadError> {
    let specs: Vec<_> = all().iter().map(|known| known.spec).collect();
    let found = recognise(&mut *file, &specs)?;
    file.seek(SeekFrom::Start(0))
        .map_err(|error| LoadError::io(0, error))?;
    Ok(found.candidates.into_iter().map(|at| all()[at]).collect())
}

/// The names of the architectures whose files are recognised.
#[pyfunction]
pub(crate) fn architectures() -> Vec<&'static str> {
    all().iter().map(|known| known.name).collect()
}
