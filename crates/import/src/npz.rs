//! `.npz` files of NumPy: the named inputs and outputs of a network.
//!
//! ```text
//!   an archive of NAME.npy:   0x93 "NUMPY" version  u16 or u32 n   n bytes {'descr': '<f4', 'fortran_order': False, 'shape': (128, 768), }   numbers
//! ```

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::budget::Budget;
use crate::error::ImportError;
use crate::name::shown;
use crate::tensor::{Data, Element, Tensor, elements};

const MAX_ARRAYS: usize = 1 << 10;

/// Reads a file written by `numpy.savez`.
///
/// # Errors
///
/// [`ImportError`]: the file is not such an archive, or an array is truncated, in Fortran order, or of
/// another type than f4, f8, i1 to i8, u1 to u4 or bool.
pub fn read(file: &[u8]) -> Result<Vec<(String, Tensor)>, ImportError> {
    let wrong = |why: &dyn std::fmt::Display| {
        ImportError::Damaged(format!("no `.npz` file: {}", shown(&why.to_string())))
    };
    let mut zip = ZipArchive::new(Cursor::new(file)).map_err(|error| wrong(&error))?;
    if zip.len() > MAX_ARRAYS {
        return Err(ImportError::Limit {
            what: "arrays",
            most: MAX_ARRAYS,
        });
    }
    let mut budget = Budget::of_file(file.len());
    let mut arrays = Vec::new();
    for index in 0..zip.len() {
        let entry = zip.by_index(index).map_err(|error| wrong(&error))?;
        let path = entry.name().map_err(|error| wrong(&error))?.into_owned();
        let name = path.strip_suffix(".npy").unwrap_or(&path).to_owned();
        let size = usize::try_from(entry.size()).unwrap_or(usize::MAX);
        budget.fits_bytes(size)?;
        let mut bytes = Vec::new();
        entry
            .take(size as u64)
            .read_to_end(&mut bytes)
            .map_err(|error| wrong(&error))?;
        let tensor = array(&bytes, &budget)
            .map_err(|why| ImportError::Damaged(format!("array `{}`: {why}", shown(&name))))?;
        budget.take(tensor.len(), tensor.element())?;
        arrays.push((name, tensor));
    }
    Ok(arrays)
}

/// Writes arrays as `numpy.load` reads them.
pub fn write(arrays: &[(&str, &Tensor)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, tensor) in arrays {
        let header = header(tensor);
        let length = u16::try_from(header.len()).expect("a tensor has few axes");
        let begins = zip.start_file(format!("{name}.npy"), options);
        let parts = [
            b"\x93NUMPY\x01\0",
            &length.to_le_bytes()[..],
            header.as_bytes(),
            &bytes(tensor.data()),
        ];
        begins
            .map_err(std::io::Error::from)
            .and_then(|()| zip.write_all(&parts.concat()))
            .expect("a vector takes everything");
    }
    zip.finish()
        .expect("a vector takes everything")
        .into_inner()
}

/// The header of an array, padded for NumPy's alignment.
fn header(tensor: &Tensor) -> String {
    let kind = match tensor.data() {
        Data::Bool(_) => "|b1",
        Data::I64(_) => "<i8",
        Data::F32(_) => "<f4",
    };
    let shape: String = tensor
        .shape()
        .iter()
        .map(|length| format!("{length}, "))
        .collect();
    let header = format!(
        "{{'descr': '{kind}', 'fortran_order': False, 'shape': ({}), }}",
        shape.trim_end()
    );
    // 10 bytes before the header, a line break at its end.
    let width = (header.len() + 11).next_multiple_of(64) - 11;
    format!("{header:<width$}\n")
}

fn bytes(data: &Data) -> Vec<u8> {
    match data {
        Data::Bool(values) => values.iter().map(|&value| u8::from(value)).collect(),
        Data::I64(values) => values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
        Data::F32(values) => values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect(),
    }
}

fn array(bytes: &[u8], budget: &Budget) -> Result<Tensor, String> {
    let cut = || "it is no array of numpy, or cut off".to_owned();
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(cut)?;
    let (length, rest) = match rest {
        [1, _, low, high, rest @ ..] => (usize::from(u16::from_le_bytes([*low, *high])), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]) as usize, rest),
        _ => return Err(cut()),
    };
    let (header, data) = rest.split_at_checked(length).ok_or_else(cut)?;
    let header = std::str::from_utf8(header).map_err(|_| cut())?;
    let field = |name: &str| {
        header
            .split_once(&format!("'{name}':"))
            .map(|(_, rest)| rest.trim_start())
    };
    let text = |name: &str| field(name)?.strip_prefix('\'')?.split('\'').next();
    if field("fortran_order").is_some_and(|order| order.starts_with("True")) {
        return Err("it is in Fortran's order: save it with `numpy.ascontiguousarray`".into());
    }
    let shape = field("shape")
        .and_then(|rest| rest.strip_prefix('(')?.split(')').next())
        .ok_or_else(cut)?;
    let lengths = shape
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty());
    let lengths = lengths
        .map(str::parse)
        .collect::<Result<Vec<usize>, _>>()
        .map_err(|_| cut())?;
    let kind = text("descr").ok_or_else(cut)?;
    let count = elements(&lengths).map_err(|error| error.to_string())?;
    // Memory of the raw bytes and of the elements: one-byte integers become eight bytes.
    let floats = kind.starts_with("<f");
    let each = if floats { Element::F32 } else { Element::I64 }.bytes();
    let width = kind.bytes().last().filter(u8::is_ascii_digit);
    let width = usize::from(width.map_or(1, |digit| digit - b'0')).max(1);
    let here = (data.len() / width).saturating_mul(each);
    budget
        .fits_bytes(bytes.len().saturating_add(here))
        .map_err(|error| error.to_string())?;
    let data = numbers(data, kind)
        .ok_or_else(|| format!("numbers of the type `{}` are not read", shown(kind)))?;
    if data.len() != count {
        return Err(format!(
            "the shape {lengths:?} has {count} numbers, found {}",
            data.len()
        ));
    }
    Tensor::new(lengths, data).map_err(|error| error.to_string())
}

/// Elements of a NumPy type; incomplete trailing elements are ignored.
fn numbers(bytes: &[u8], kind: &str) -> Option<Data> {
    Some(match kind {
        "<f4" => Data::F32(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f32::from_le_bytes(bytes))
                .collect(),
        ),
        "<f8" => Data::F32(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| f64::from_le_bytes(bytes) as f32)
                .collect(),
        ),
        "<i8" => Data::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from_le_bytes(bytes))
                .collect(),
        ),
        "<i4" => Data::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from(i32::from_le_bytes(bytes)))
                .collect(),
        ),
        "<i2" => Data::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from(i16::from_le_bytes(bytes)))
                .collect(),
        ),
        "<u4" => Data::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from(u32::from_le_bytes(bytes)))
                .collect(),
        ),
        "<u2" => Data::I64(
            bytes
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i64::from(u16::from_le_bytes(bytes)))
                .collect(),
        ),
        "|i1" => Data::I64(bytes.iter().map(|&byte| i64::from(byte as i8)).collect()),
        "|u1" => Data::I64(bytes.iter().map(|&byte| i64::from(byte)).collect()),
        "|b1" => Data::Bool(bytes.iter().map(|&byte| byte != 0).collect()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `.npy` file of version 1.
    fn npy(header: &str, data: &[u8]) -> Vec<u8> {
        [
            b"\x93NUMPY\x01\0",
            &(header.len() as u16).to_le_bytes()[..],
            header.as_bytes(),
            data,
        ]
        .concat()
    }

    #[test]
    fn arrays_have_types_and_shapes() {
        let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 1), }\n";
        let tensor = array(
            &npy(header, &[1, 0, 0, 0, 255, 255, 255, 255]),
            &Budget::default(),
        )
        .expect("it is right");
        assert_eq!(
            (tensor.shape(), tensor.data()),
            (&[2, 1][..], &Data::I64(vec![1, -1]))
        );
        let scalar = array(
            &npy(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (), }",
                &1.5_f32.to_le_bytes(),
            ),
            &Budget::default(),
        );
        assert_eq!(scalar.expect("it is right").as_number(), Some(1.5));
    }

    #[test]
    fn what_is_written_is_read() {
        let arrays = [
            (
                "us",
                Tensor::new(vec![2, 3], Data::I64(vec![1, -2, 3, 4, 5, i64::MAX]))
                    .expect("it fits"),
            ),
            (
                "expected",
                Tensor::new(vec![2], Data::F32(vec![0.5, -1.0])).expect("it fits"),
            ),
            ("one", Tensor::scalar(Data::Bool(vec![true]))),
        ];
        let file = write(&arrays.each_ref().map(|(name, tensor)| (*name, tensor)));
        let found = read(&file).expect("it is right");
        assert!(
            found
                .iter()
                .map(|(name, tensor)| (name.as_str(), tensor))
                .eq(arrays.iter().map(|(name, tensor)| (*name, tensor)))
        );
        assert_eq!(
            header(&arrays[0].1),
            format!(
                "{:<117}\n",
                "{'descr': '<i8', 'fortran_order': False, 'shape': (2, 3,), }"
            )
        );
    }

    #[test]
    fn wrong_arrays_are_refused() {
        let error = |header: &str| {
            array(&npy(header, &[0; 8]), &Budget::default()).expect_err("it is wrong")
        };
        assert_eq!(
            error("{'descr': '<f4', 'shape': (3,)}"),
            "the shape [3] has 3 numbers, found 2"
        );
        assert_eq!(
            error("{'descr': '<c8', 'shape': (1,)}"),
            "numbers of the type `<c8` are not read"
        );
        assert!(
            error("{'descr': '<f4', 'fortran_order': True, 'shape': (2,)}").contains("Fortran")
        );
        assert!(error("{'descr': '<f4', 'shape': (1099511627776,)}").contains("the limit"));
        for bytes in [
            &b""[..],
            b"\x93NUMPY",
            b"\x93NUMPY\x01\0\xff\xff{",
            b"\x93NUMPY\x09\0\0\0",
        ] {
            assert_eq!(
                array(bytes, &Budget::default()).expect_err("it is cut"),
                "it is no array of numpy, or cut off"
            );
        }
        assert!(
            read(b"PK")
                .expect_err("it is no archive")
                .to_string()
                .starts_with("no `.npz` file: ")
        );
    }
}
