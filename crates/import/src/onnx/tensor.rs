//! ONNX tensors: raw bytes, lists, or external data.

use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use nnue_data::files::regular::{self, Accepted};
use nnue_tools::half::f16;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::name::shown;
use crate::tensor::{Data, Element, Tensor, elements};

use super::proto;

/// The folder with external tensors.
pub(super) struct Folder<'a>(pub(super) Option<&'a Path>);

/// The element type for an ONNX data type.
pub(super) fn element(data_type: i32) -> Option<Element> {
    match data_type {
        1 | 10 | 11 | 16 => Some(Element::F32),
        2..=7 | 12 | 13 => Some(Element::I64),
        9 => Some(Element::Bool),
        _ => None,
    }
}

fn width(data_type: i32) -> usize {
    match data_type {
        2 | 3 | 9 => 1,
        4 | 5 | 10 | 16 => 2,
        1 | 6 | 12 => 4,
        _ => 8,
    }
}

/// Reads a tensor. `name` may differ from that of the message.
pub(super) fn read(
    tensor: &proto::Tensor,
    name: &str,
    folder: &Folder<'_>,
    budget: &mut Budget,
) -> Result<Tensor, ImportError> {
    let wrong =
        |message: String| ImportError::Damaged(format!("tensor `{}`: {message}", shown(name)));
    let lengths = tensor
        .dims
        .iter()
        .map(|&length| usize::try_from(length).ok())
        .collect::<Option<Vec<_>>>();
    let lengths = lengths.ok_or_else(|| wrong(format!("the shape {:?} is none", tensor.dims)))?;
    let count = elements(&lengths).map_err(|error| wrong(error.to_string()))?;
    let kind = tensor.data_type;
    let element =
        element(kind).ok_or_else(|| wrong(format!("numbers of the type {kind} are not read")))?;
    let outside = match tensor.data_location {
        1 => {
            let bytes = count * width(kind);
            let (part, refuse) = external(tensor, name, bytes, folder)?;
            budget.add_file(bytes);
            budget.fits_bytes(bytes)?;
            Some(part.read().map_err(|error| refuse(&error.to_string()))?)
        }
        _ => None,
    };
    let raw = outside.as_deref().unwrap_or(&tensor.raw_data);
    let found = match raw {
        [] => listed_len(tensor),
        raw => raw.len() / width(kind),
    };
    let others = || {
        wrong(format!(
            "the shape {lengths:?} has {count} numbers, the data have {found}"
        ))
    };
    if found != count {
        return Err(others());
    }
    budget.fits(&lengths, element)?;
    let data = if raw.is_empty() {
        listed(tensor, element)
    } else {
        of_bytes(raw, kind)
    };
    let data = data.filter(|data| data.len() == count).ok_or_else(others)?;
    Tensor::new(lengths, data)
}

/// Number of elements in the lists of a message, of which only one is used.
fn listed_len(tensor: &proto::Tensor) -> usize {
    [
        tensor.float_data.len(),
        tensor.double_data.len(),
        tensor.int32_data.len(),
        tensor.int64_data.len(),
    ]
    .into_iter()
    .max()
    .unwrap_or(0)
}

/// Elements of the lists of a message.
fn listed(tensor: &proto::Tensor, element: Element) -> Option<Data> {
    let small = || tensor.int32_data.iter();
    Some(match (tensor.data_type, element) {
        (1, _) => Data::F32(tensor.float_data.clone()),
        (11, _) => Data::F32(
            tensor
                .double_data
                .iter()
                .map(|&number| number as f32)
                .collect(),
        ),
        (10, _) => Data::F32(
            small()
                .map(|&bits| f16((bits as u16).to_le_bytes()))
                .collect(),
        ),
        (16, _) => Data::F32(
            small()
                .map(|&bits| f32::from_bits(u32::from(bits as u16) << 16))
                .collect(),
        ),
        (7, _) => Data::I64(tensor.int64_data.clone()),
        (_, Element::I64) => Data::I64(small().map(|&number| i64::from(number)).collect()),
        (_, Element::Bool) => Data::Bool(small().map(|&number| number != 0).collect()),
        _ => return None,
    })
}

/// Decodes little-endian elements.
fn of_bytes(raw: &[u8], data_type: i32) -> Option<Data> {
    let integers = |width: usize, signed: bool| {
        let value = |bytes: &[u8]| {
            let value = bytes
                .iter()
                .rev()
                .fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
            let unused = 64 - 8 * width as u32;
            if signed {
                ((value << unused) as i64) >> unused
            } else {
                value as i64
            }
        };
        raw.len()
            .is_multiple_of(width)
            .then(|| Data::I64(raw.chunks_exact(width).map(value).collect()))
    };
    match data_type {
        1 => whole(raw).map(|bytes: &[[u8; 4]]| {
            Data::F32(
                bytes
                    .iter()
                    .map(|&bytes| f32::from_le_bytes(bytes))
                    .collect(),
            )
        }),
        11 => whole(raw).map(|bytes: &[[u8; 8]]| {
            Data::F32(
                bytes
                    .iter()
                    .map(|&bytes| f64::from_le_bytes(bytes) as f32)
                    .collect(),
            )
        }),
        10 => {
            whole(raw).map(|bytes: &[[u8; 2]]| Data::F32(bytes.iter().copied().map(f16).collect()))
        }
        16 => whole(raw).map(|bytes: &[[u8; 2]]| {
            Data::F32(
                bytes
                    .iter()
                    .map(|&[low, high]| f32::from_le_bytes([0, 0, low, high]))
                    .collect(),
            )
        }),
        9 => Some(Data::Bool(raw.iter().map(|&byte| byte != 0).collect())),
        2 | 4 | 12 | 13 => integers(width(data_type), false),
        3 | 5..=7 => integers(width(data_type), true),
        _ => None,
    }
}

fn whole<const N: usize>(raw: &[u8]) -> Option<&[[u8; N]]> {
    let (whole, rest) = raw.as_chunks();
    rest.is_empty().then_some(whole)
}

/// The location of external data, or why it cannot be read.
fn external(
    tensor: &proto::Tensor,
    name: &str,
    bytes: usize,
    folder: &Folder<'_>,
) -> Result<(Part, impl Fn(&str) -> ImportError), ImportError> {
    let entry = |key: &str| {
        tensor
            .external_data
            .iter()
            .find(|entry| entry.key == key)
            .map(|entry| entry.value.as_str())
    };
    let location = entry("location").unwrap_or_default();
    let (tensor, shown_path) = (shown(name), shown(location));
    let refuse = move |why: &str| ImportError::External {
        tensor: tensor.clone(),
        path: shown_path.clone(),
        why: why.to_owned(),
    };
    let path = Path::new(location);
    let stays = !location.is_empty()
        && path
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
    if !stays {
        return Err(refuse("only files in the folder of the model are read"));
    }
    let folder = folder
        .0
        .ok_or_else(|| refuse("the model was not read from a folder"))?;
    let number = |key: &str| {
        entry(key)
            .map(str::parse)
            .transpose()
            .map_err(|_| refuse(&format!("its {key} is no number")))
    };
    let (offset, length): (Option<u64>, Option<usize>) = (
        number("offset")?,
        entry("length").and_then(|text| text.parse().ok()),
    );
    if length.is_some_and(|length| length != bytes) {
        return Err(refuse("its length is not that of the shape"));
    }
    // Symbolic links must not lead out of the folder.
    let inside = folder
        .canonicalize()
        .ok()
        .zip(folder.join(path).canonicalize().ok());
    let (_, found) = inside
        .filter(|(folder, found)| found.starts_with(folder))
        .ok_or_else(|| refuse("no such file in the folder of the model"))?;
    let part = Part {
        path: found,
        offset: offset.unwrap_or(0),
        bytes,
    };
    part.check().map_err(|why| refuse(&why))?;
    Ok((part, refuse))
}

/// A range of a file.
struct Part {
    path: PathBuf,
    offset: u64,
    bytes: usize,
}

impl Part {
    /// Checks that it is a regular file with these bytes: opening a pipe would block.
    fn check(&self) -> Result<(), String> {
        let found = Accepted::File
            .check(&self.path)
            .map_err(|error| match error.kind() {
                ErrorKind::InvalidInput => "it is no regular file".into(),
                _ => error.to_string(),
            })?;
        let end = self.offset.saturating_add(self.bytes as u64);
        match found.len() >= end {
            true => Ok(()),
            false => Err(format!(
                "the file is too short: it has {} bytes, {end} are needed",
                found.len()
            )),
        }
    }

    fn read(&self) -> std::io::Result<Vec<u8>> {
        let mut file = regular::read(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut contents = vec![0; self.bytes];
        file.read_exact(&mut contents)?;
        Ok(contents)
    }
}
