//! `.npz` files of NumPy, archives of [`NAME.npy`](nnue_tools::npy): the named inputs and outputs of a network.

use std::io::{Cursor, Read, Write};

use nnue_tools::npy::{Array, MAGIC, NpyError, Numbers};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::budget::Budget;
use crate::error::ImportError;
use crate::name::shown;
use crate::tensor::{Data, Tensor, elements};

const MAX_ARRAYS: usize = 1 << 10;

/// What to do with a checkpoint.
const CHECKPOINT: &str = "save its tensors with Python: `safetensors.torch.save_file(model.state_dict(), \"net.safetensors\")`";

/// Reads a file written by `numpy.savez`.
///
/// # Errors
///
/// [`ImportError`]: the file is not such an archive, or an array is truncated, or of another type than f2, f4, f8,
/// bfloat16, i1 to i8, u1 to u4 or bool.
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
        if path.ends_with("data.pkl") {
            return Err(ImportError::Kind {
                found: "this is a checkpoint of PyTorch, objects of Python".into(),
                advice: CHECKPOINT.into(),
            });
        }
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
            MAGIC,
            &[1, 0],
            &length.to_le_bytes(),
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

fn array(bytes: &[u8], budget: &Budget) -> Result<Tensor, ImportError> {
    let wrong = |error: NpyError| ImportError::Damaged(error.to_string());
    let array = Array::parse(bytes).map_err(wrong)?;
    elements(array.shape())?;
    // Memory of the raw bytes and of the elements: one-byte integers become eight bytes.
    budget.fits_bytes(bytes.len().saturating_add(array.bytes()))?;
    let data = match array.numbers().map_err(wrong)? {
        Numbers::Bools(values) => Data::Bool(values),
        Numbers::Integers(values) => Data::I64(values),
        Numbers::Floats(values) => Data::F32(values),
    };
    Tensor::new(array.shape().to_vec(), data)
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
            let error = array(&npy(header, &[0; 8]), &Budget::default());
            error.expect_err("it is wrong").to_string()
        };
        assert_eq!(
            error("{'descr': '<f4', 'shape': (3,)}"),
            "the shape [3] has 3 numbers, found 2"
        );
        assert_eq!(
            error("{'descr': '<c8', 'shape': (1,)}"),
            "numbers of the type `<c8` are not read: save them as floats, `array.astype(\"float32\")`"
        );
        assert!(error("{'descr': '<f4', 'shape': (1099511627776,)}").contains("the limit"));
        for bytes in [
            &b""[..],
            b"\x93NUMPY",
            b"\x93NUMPY\x01\0\xff\xff{",
            b"\x93NUMPY\x09\0\0\0",
        ] {
            assert_eq!(
                array(bytes, &Budget::default())
                    .expect_err("it is cut")
                    .to_string(),
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
