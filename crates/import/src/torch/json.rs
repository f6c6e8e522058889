//! Arguments of calls in `model.json`: objects with one field, whose name is the type of the argument.
//!
//! ```text
//!   {"as_tensor": {"name": "linear"}}   {"as_ints": [-1, 8, 16]}   {"as_sym_int": {"as_name": "sym_size"}}   {"as_none": true}
//! ```

use serde_json::Value;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::Dim;
use crate::name::shown;
use crate::tensor::Element;

/// Upper bounds of memory: an object of a few fields, a list of a few items, one more item.
const OBJECT: usize = 768;
const LIST: usize = 192;
const ITEM: usize = 96;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument<'a> {
    Tensor(&'a str),
    Tensors(Vec<Option<&'a str>>),
    Integer(i64),
    Integers(Vec<Number<'a>>),
    Float(f64),
    Bool(bool),
    Text(&'a str),
    /// a number of PyTorch's scalar types
    Type(i64),
    /// a computed integer, by name
    Symbol(&'a str),
    None,
    /// anything else
    Other,
}

/// An integer, or the name of a computed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number<'a> {
    Known(i64),
    Symbol(&'a str),
}

pub(super) fn argument(value: &Value) -> Argument<'_> {
    let Some((kind, value)) = value.as_object().and_then(|object| object.iter().next()) else {
        return Argument::Other;
    };
    let found = match kind.as_str() {
        "as_tensor" => name(value).map(Argument::Tensor),
        "as_tensors" => list(value, |value| name(value).map(Some)).map(Argument::Tensors),
        "as_optional_tensors" => list(value, optional).map(Argument::Tensors),
        "as_optional_tensor" => {
            optional(value).map(|name| name.map_or(Argument::None, Argument::Tensor))
        }
        "as_int" => value.as_i64().map(Argument::Integer),
        "as_ints" => list(value, |value| value.as_i64().map(Number::Known)).map(Argument::Integers),
        "as_sym_int" => number(value).map(|number| match number {
            Number::Known(number) => Argument::Integer(number),
            Number::Symbol(name) => Argument::Symbol(name),
        }),
        "as_sym_ints" => list(value, number).map(Argument::Integers),
        "as_float" => float(value).map(Argument::Float),
        "as_sym_float" => value.get("as_float").and_then(float).map(Argument::Float),
        "as_bool" => value.as_bool().map(Argument::Bool),
        "as_string" => value.as_str().map(Argument::Text),
        "as_scalar_type" => value.as_i64().map(Argument::Type),
        "as_none" => Some(Argument::None),
        _ => None,
    };
    found.unwrap_or(Argument::Other)
}

fn name(value: &Value) -> Option<&str> {
    value.get("name")?.as_str()
}

fn list<'a, T>(value: &'a Value, each: impl Fn(&'a Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(each).collect()
}

fn optional(value: &Value) -> Option<Option<&str>> {
    match argument(value) {
        Argument::Tensor(name) => Some(Some(name)),
        Argument::None => Some(None),
        _ => None,
    }
}

fn number(value: &Value) -> Option<Number<'_>> {
    let known = value
        .get("as_int")
        .and_then(Value::as_i64)
        .map(Number::Known);
    known.or_else(|| {
        value
            .get("as_name")
            .and_then(Value::as_str)
            .map(Number::Symbol)
    })
}

/// A float; JSON stores infinities as strings.
fn float(value: &Value) -> Option<f64> {
    match value.as_str() {
        Some("Infinity") => Some(f64::INFINITY),
        Some("-Infinity") => Some(f64::NEG_INFINITY),
        _ => value.as_f64(),
    }
}

/// The element type for a number of PyTorch's scalar types.
pub(super) fn element(number: i64) -> Option<Element> {
    match number {
        6..=8 | 13 => Some(Element::F32),
        1..=5 => Some(Element::I64),
        12 => Some(Element::Bool),
        _ => None,
    }
}

pub(super) fn dims(sizes: &Value) -> Option<Vec<Dim>> {
    let dim = |value: &Value| match value.get("as_int").and_then(Value::as_i64) {
        Some(length) => usize::try_from(length).ok().map(Dim::Fixed),
        None => {
            let symbol = value.get("as_expr")?.get("expr_str")?.as_str()?;
            let name = symbol.split('\'').nth(1).unwrap_or(symbol);
            Some(Dim::Free(name.to_owned()))
        }
    };
    sizes.as_array()?.iter().map(dim).collect()
}

/// Parses JSON if the tree fits in memory: the seven bytes `{"":{}}` take more than a thousand.
pub(super) fn parse(text: &[u8], path: &str, budget: &Budget) -> Result<Value, ImportError> {
    let bytes = text.iter().map(|byte| match byte {
        b'{' => OBJECT,
        b'[' => LIST,
        b',' => ITEM,
        _ => 1,
    });
    budget.fits_bytes(bytes.sum())?;
    let wrong = |error: serde_json::Error| {
        ImportError::Damaged(format!(
            "the archive's file `{}` is no JSON: {}",
            shown(path),
            shown(&error.to_string())
        ))
    };
    serde_json::from_slice(text).map_err(wrong)
}
