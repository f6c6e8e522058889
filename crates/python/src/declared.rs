//! Declarations as text.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use nnue_codegen::plan_text;
use nnue_spec::NetDesc;
use pyo3::PyResult;

use crate::errors::DeclarationError;

/// The networks of a text, each with its name.
pub(crate) type Descriptors = &'static [&'static NetDesc<'static>];

/// The networks that a text declares.
///
/// Descriptions live as long as the program, so that those of a text are made once.
pub(crate) fn read(text: &str) -> PyResult<Descriptors> {
    static READ: Mutex<BTreeMap<String, Descriptors>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = read.get(text) {
        return Ok(found);
    }
    let plans = plan_text(text).map_err(|errors| {
        let shown: Vec<String> = errors
            .iter()
            .map(|error| error.shown_in("declaration", text))
            .collect();
        DeclarationError::new_err(shown.join("\n\n"))
    })?;
    let found: Descriptors = plans
        .into_iter()
        .map(|plan| plan.leak())
        .collect::<Vec<_>>()
        .leak();
    read.insert(text.to_owned(), found);
    Ok(found)
}

/// The network of this name, or the only one.
pub(crate) fn choose(
    declared: Descriptors,
    name: Option<&str>,
) -> PyResult<&'static NetDesc<'static>> {
    let names = || {
        declared
            .iter()
            .map(|net| format!("`{}`", net.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let found: Vec<_> = declared
        .iter()
        .filter(|net| name.is_none_or(|name| net.name == name))
        .collect();
    let message = match (found.as_slice(), name) {
        ([net], _) => return Ok(net),
        ([], _) if declared.is_empty() => {
            "the text declares no network over a board (networks with dense inputs or of subnets are not evaluated here)"
                .to_owned()
        }
        ([], Some(name)) => format!("the text does not declare `{}`; there are {}", name.escape_debug(), names()),
        (_, Some(name)) => format!("the text declares `{}` more than once", name.escape_debug()),
        (_, None) => format!("the text declares {}: say which one by `name=`", names()),
    };
    Err(DeclarationError::new_err(message))
}
