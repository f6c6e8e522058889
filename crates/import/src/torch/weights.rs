//! Weights and constants of an archive.

use serde_json::Value;

use super::archive::Archive;
use super::json;
use crate::error::ImportError;
use crate::graph::Dim;
use crate::name::shown;
use crate::onnx::half;
use crate::tensor::{Data, Tensor, elements};

/// Most bytes of a file of numbers: the most elements, of 8 bytes.
const MAX_BYTES: u64 = 1 << 31;

/// The configurations of both folders.
pub(super) struct Weights {
    /// the folder and its configuration
    folders: Vec<(&'static str, Value)>,
}

impl Weights {
    pub(super) fn new(archive: &mut Archive<'_>, model: &str) -> Result<Self, ImportError> {
        let mut folders = Vec::new();
        for kind in ["weights", "constants"] {
            let folder = if kind == "weights" {
                "data/weights/"
            } else {
                "data/constants/"
            };
            let path = format!("{folder}{model}_{kind}_config.json");
            if archive.has(&path) {
                folders.push((folder, json::parse(&archive.text(&path)?, &path)?));
            }
        }
        Ok(Self { folders })
    }

    /// The tensor of this name.
    pub(super) fn tensor(
        &self,
        archive: &mut Archive<'_>,
        name: &str,
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
        let bytes = archive.contents(&format!("{folder}{path}"), MAX_BYTES)?;
        tensor(meta, &bytes).map_err(|message| wrong(&message))
    }
}

/// The numbers of a file, in the shape and with the distances that are described.
fn tensor(meta: &Value, bytes: &[u8]) -> Result<Tensor, String> {
    let dims = meta
        .get("sizes")
        .and_then(json::dims)
        .ok_or("it has no shape")?;
    let fixed = |dim: &Dim| {
        if let Dim::Fixed(length) = dim {
            Some(*length)
        } else {
            None
        }
    };
    let lengths = dims
        .iter()
        .map(fixed)
        .collect::<Option<Vec<_>>>()
        .ok_or("its shape is open")?;
    let strides = meta
        .get("strides")
        .and_then(json::dims)
        .ok_or("it has no distances")?;
    let strides = strides
        .iter()
        .map(fixed)
        .collect::<Option<Vec<_>>>()
        .ok_or("its distances are open")?;
    let offset = meta
        .get("storage_offset")
        .and_then(|offset| offset.get("as_int"))
        .and_then(Value::as_u64)
        .unwrap_or(0);
    let kind = meta
        .get("dtype")
        .and_then(Value::as_i64)
        .ok_or("it has no type")?;
    let count = elements(&lengths).map_err(|error| error.to_string())?;
    let storage = numbers(bytes, kind).ok_or_else(|| {
        format!("numbers of the type {kind} are not read, or the file is cut off")
    })?;
    let reach = |(&length, &stride): (&usize, &usize)| length.saturating_sub(1).checked_mul(stride);
    let offset = usize::try_from(offset).map_err(|_| "its offset is too large")?;
    let last = (lengths.iter().zip(&strides).map(reach))
        .try_fold(offset, |sum, reach| sum.checked_add(reach?));
    if strides.len() != lengths.len() || count > 0 && last.is_none_or(|last| last >= storage.len())
    {
        return Err(format!(
            "the shape {lengths:?} does not fit into its file of {} numbers",
            storage.len()
        ));
    }
    let all = Tensor::new(vec![storage.len()], storage).map_err(|error| error.to_string())?;
    let own = crate::tensor::strides(&lengths);
    let place = |at: usize| {
        (0..lengths.len()).fold(offset, |sum, axis| {
            sum + at / own[axis] % lengths[axis] * strides[axis]
        })
    };
    all.picked(lengths.clone(), (0..count).map(place))
        .map_err(|error| error.to_string())
}

/// Little-endian numbers of PyTorch's type.
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
        6 => Data::F32(
            whole(bytes)?
                .iter()
                .map(|&bytes| half(u16::from_le_bytes(bytes)))
                .collect(),
        ),
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
