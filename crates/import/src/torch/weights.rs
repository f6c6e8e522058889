//! Weights and constants of an archive.

use std::collections::BTreeSet;

use nnue_tools::half::f16;
use serde_json::Value;

use super::archive::Archive;
use super::json;
use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::Dim;
use crate::name::shown;
use crate::tensor::{Data, Element, Tensor, elements};

/// Kinds of inputs that are weights, and the fields with their names.
pub(super) const STORED: [(&str, &str); 3] = [
    ("parameter", "parameter_name"),
    ("buffer", "buffer_name"),
    ("tensor_constant", "tensor_constant_name"),
];

/// The configurations of both folders.
pub(super) struct Weights {
    folders: Vec<(&'static str, Value)>,
}

impl Weights {
    pub(super) fn new(
        archive: &mut Archive<'_>,
        model: &str,
        budget: &Budget,
    ) -> Result<Self, ImportError> {
        let mut folders = Vec::new();
        for kind in ["weights", "constants"] {
            let folder = if kind == "weights" {
                "data/weights/"
            } else {
                "data/constants/"
            };
            let path = format!("{folder}{model}_{kind}_config.json");
            if archive.has(&path) {
                folders.push((folder, json::parse(&archive.text(&path)?, &path, budget)?));
            }
        }
        Ok(Self { folders })
    }

    /// The float tensors that no input of the program refers to.
    pub(super) fn unnamed(&self, inputs: &[Value]) -> Vec<String> {
        let name = |spec: &Value| {
            STORED
                .iter()
                .find_map(|(kind, field)| spec.get(kind)?.get(field)?.as_str().map(str::to_owned))
        };
        let named: BTreeSet<String> = inputs.iter().filter_map(name).collect();
        let is_float = |entry: &Value| {
            let kind = entry.pointer("/tensor_meta/dtype").and_then(Value::as_i64);
            kind.and_then(json::element) == Some(Element::F32)
        };
        let entries = self
            .folders
            .iter()
            .filter_map(|(_, config)| config.get("config")?.as_object())
            .flatten();
        entries
            .filter(|(name, entry)| !named.contains(*name) && is_float(entry))
            .map(|(name, _)| name.clone())
            .collect()
    }

    pub(super) fn tensor(
        &self,
        archive: &mut Archive<'_>,
        name: &str,
        budget: &Budget,
    ) -> Result<Tensor, ImportError> {
        let wrong =
            |message: &str| ImportError::Damaged(format!("tensor `{}`: {message}", shown(name)));
        let entry = |(folder, config): &'_ (&'static str, Value)| {
            config
                .get("config")
                .and_then(|config| config.get(name))
                .map(|entry| (*folder, entry.clone()))
        };
        let (folder, entry) = self
            .folders
            .iter()
            .find_map(entry)
            .ok_or_else(|| wrong("is not in the archive"))?;
        if entry.get("use_pickle").and_then(Value::as_bool) != Some(false) {
            let found = format!(
                "tensor `{}` is a pickle, which is a program and is not run",
                shown(name)
            );
            let advice = "save the program with plain tensors as its parameters".into();
            return Err(ImportError::Kind { found, advice });
        }
        let path = entry
            .get("path_name")
            .and_then(Value::as_str)
            .ok_or_else(|| wrong("has no file"))?;
        let meta = entry
            .get("tensor_meta")
            .ok_or_else(|| wrong("has no shape"))?;
        let file = format!("{folder}{path}");
        let form = Form::of(meta).map_err(|message| wrong(&message))?;
        // The raw bytes, the elements, and the picked elements are in memory at once.
        let size = usize::try_from(archive.size(&file)?).unwrap_or(usize::MAX);
        let (count, each) = (form.count, form.element.bytes());
        let numbers = (size / form.width)
            .saturating_add(count)
            .saturating_mul(each);
        budget.fits_bytes(size.saturating_add(numbers))?;
        let bytes = archive.contents(&file, size as u64)?;
        form.tensor(&bytes).map_err(|message| wrong(&message))
    }
}

/// Layout of a tensor in its file.
struct Form {
    lengths: Vec<usize>,
    strides: Vec<usize>,
    offset: usize,
    /// PyTorch's scalar type
    kind: i64,
    element: Element,
    /// bytes per element in the file
    width: usize,
    count: usize,
}

impl Form {
    /// Shape and strides from the metadata.
    fn of(meta: &Value) -> Result<Self, String> {
        let fixed = |name: &str| -> Option<Result<Vec<usize>, ()>> {
            let dims = meta.get(name).and_then(json::dims)?;
            let length = |dim: &Dim| match dim {
                Dim::Fixed(length) => Ok(*length),
                Dim::Free(_) => Err(()),
            };
            Some(dims.iter().map(length).collect())
        };
        let lengths = fixed("sizes")
            .ok_or("it has no shape")?
            .map_err(|()| "its shape is open")?;
        let strides = fixed("strides")
            .ok_or("it has no distances")?
            .map_err(|()| "its distances are open")?;
        let offset = meta
            .get("storage_offset")
            .and_then(|offset| offset.get("as_int"))
            .and_then(Value::as_u64)
            .unwrap_or(0);
        let kind = meta
            .get("dtype")
            .and_then(Value::as_i64)
            .ok_or("it has no type")?;
        let element = json::element(kind);
        let (element, width) = element
            .zip(width(kind))
            .ok_or_else(|| format!("numbers of the type {kind} are not read"))?;
        let count = elements(&lengths).map_err(|error| error.to_string())?;
        Ok(Self {
            lengths,
            strides,
            offset: usize::try_from(offset).map_err(|_| "its offset is too large")?,
            kind,
            element,
            width,
            count,
        })
    }

    /// The elements of a file.
    fn tensor(&self, bytes: &[u8]) -> Result<Tensor, String> {
        let Self {
            lengths,
            strides,
            offset,
            kind,
            count,
            ..
        } = self;
        let storage = numbers(bytes, *kind)
            .ok_or_else(|| format!("its file of {} bytes is cut off", bytes.len()))?;
        let reach =
            |(&length, &stride): (&usize, &usize)| length.saturating_sub(1).checked_mul(stride);
        let last = (lengths.iter().zip(strides).map(reach))
            .try_fold(*offset, |sum, reach| sum.checked_add(reach?));
        if strides.len() != lengths.len()
            || *count > 0 && last.is_none_or(|last| last >= storage.len())
        {
            return Err(format!(
                "the shape {lengths:?} does not fit into its file of {} numbers",
                storage.len()
            ));
        }
        let all = Tensor::new(vec![storage.len()], storage).map_err(|error| error.to_string())?;
        let own = crate::tensor::strides(lengths);
        let place = |at: usize| {
            (0..lengths.len()).fold(*offset, |sum, axis| {
                sum + at / own[axis] % lengths[axis] * strides[axis]
            })
        };
        all.picked(lengths.clone(), (0..*count).map(place))
            .map_err(|error| error.to_string())
    }
}

/// Bytes per element of a PyTorch scalar type.
fn width(kind: i64) -> Option<usize> {
    Some(match kind {
        1 | 2 | 12 => 1,
        3 | 6 | 13 => 2,
        4 | 7 => 4,
        5 | 8 => 8,
        _ => return None,
    })
}

/// Decodes little-endian elements of a PyTorch scalar type.
fn numbers(bytes: &[u8], kind: i64) -> Option<Data> {
    Some(match kind {
        1 => Data::I64(bytes.iter().map(|&byte| i64::from(byte)).collect()),
        2 => Data::I64(bytes.iter().map(|&byte| i64::from(byte as i8)).collect()),
        3 => Data::I64(
            whole(bytes)?
                .iter()
                .map(|&bytes| i64::from(i16::from_le_bytes(bytes)))
                .collect(),
        ),
        4 => Data::I64(
            whole(bytes)?
                .iter()
                .map(|&bytes| i64::from(i32::from_le_bytes(bytes)))
                .collect(),
        ),
        5 => Data::I64(
            whole(bytes)?
                .iter()
                .map(|&bytes| i64::from_le_bytes(bytes))
                .collect(),
        ),
        6 => Data::F32(whole(bytes)?.iter().copied().map(f16).collect()),
        7 => Data::F32(
            whole(bytes)?
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect(),
        ),
        8 => Data::F32(
            whole(bytes)?
                .iter()
                .map(|&bytes| f64::from_le_bytes(bytes) as f32)
                .collect(),
        ),
        12 => Data::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
        13 => Data::F32(
            whole(bytes)?
                .iter()
                .map(|&[low, high]| f32::from_le_bytes([0, 0, low, high]))
                .collect(),
        ),
        _ => return None,
    })
}

fn whole<const N: usize>(bytes: &[u8]) -> Option<&[[u8; N]]> {
    let (whole, rest) = bytes.as_chunks();
    rest.is_empty().then_some(whole)
}
