//! Declarations as text.

use nnue_codegen::described_text;
use nnue_spec::NetDesc;
use pyo3::PyResult;

use crate::errors::DeclarationError;

/// The networks of a text, each with its name.
pub(crate) type Descriptors = Vec<&'static NetDesc<'static>>;

/// The networks that a text declares. Descriptions live as long as the program, those of equal networks once.
pub(crate) fn read(text: &str) -> PyResult<Descriptors> {
    described_text(text).map_err(|errors| {
        let shown: Vec<String> = errors
            .iter()
            .map(|error| error.shown_in("declaration", text))
            .collect();
        DeclarationError::new_err(shown.join("\n\n"))
    })
}

/// The network of this name, or the only one.
pub(crate) fn choose(
    declared: &[&'static NetDesc<'static>],
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
