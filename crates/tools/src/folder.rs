//! A network as a folder with a file for each tensor: `ft_weight.npy`, an array of numpy, or `ft_weight.bin`, numbers only.
//!
//! ```text
//!   ft_weight.npy ─┐ its shape, turned if its axes are the other way round
//!   ft_bias.npy   ─┼─► bytes of a header-less file: tensor after tensor, in the order and the types of the declaration
//!   fc0_weight.bin ┘ its length
//! ```

use std::error::Error;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use nnue_spec::{ElementType, NetDesc, RawDesc, Section, TensorDesc, TensorRole};

use crate::npy::{Array, MAGIC, Numbers};

/// Most files of a folder that are read.
const MOST_FILES: usize = 1 << 10;

/// Names that a message lists.
const LISTED: usize = 12;

/// The files of a folder, in the order of their names.
#[derive(Clone, Debug)]
pub struct Folder {
    files: Vec<TensorFile>,
}

/// The file of a tensor.
#[derive(Clone, Debug)]
pub struct TensorFile {
    /// where it is
    pub path: PathBuf,
    /// its name without the ending
    pub name: String,
    /// its contents
    pub bytes: Vec<u8>,
}

/// Why a folder is no network.
#[derive(Debug)]
#[non_exhaustive]
pub enum FolderError {
    /// the folder or a file in it cannot be read
    Io {
        /// which
        path: PathBuf,
        /// why
        source: io::Error,
    },
    /// no file of the folder is a tensor
    Empty,
    /// more files than a network has tensors
    Many,
    /// the files have more bytes than this together
    Long(u64),
    /// two files have one name: `ft_bias.npy`, `ft_bias.bin`
    Twice(String),
    /// no file is that of a tensor of the declaration
    Missing {
        /// the tensor
        tensor: String,
        /// its other name
        other: String,
        /// the files that are there
        found: Vec<String>,
    },
    /// no tensor of the declaration has this name
    Unknown(String),
    /// the declaration has a file format with more than tensors
    Format,
    /// a file is not the tensor that is declared
    Tensor {
        /// the file
        path: PathBuf,
        /// what is wrong
        message: String,
    },
}

impl Folder {
    /// Reads the files `*.npy` and `*.bin` of a folder: at most `most` bytes.
    ///
    /// # Errors
    ///
    /// [`FolderError::Io`], [`FolderError::Empty`], [`FolderError::Many`], [`FolderError::Long`], [`FolderError::Twice`].
    pub fn read(folder: &Path, most: u64) -> Result<Self, FolderError> {
        let paths = paths(folder).map_err(|source| FolderError::Io {
            path: folder.to_owned(),
            source,
        })?;
        match paths.len() {
            0 => return Err(FolderError::Empty),
            count if count > MOST_FILES => return Err(FolderError::Many),
            _ => {}
        }
        let (mut files, mut left): (Vec<TensorFile>, _) = (Vec::new(), most);
        for path in paths {
            let bytes = contents(&path, left).map_err(|source| FolderError::Io {
                path: path.clone(),
                source,
            })?;
            left = (left.checked_sub(bytes.len() as u64)).ok_or(FolderError::Long(most))?;
            let name = path.file_stem().unwrap_or_default();
            let name = name.to_string_lossy().into_owned();
            if files.iter().any(|other| other.name == name) {
                return Err(FolderError::Twice(name));
            }
            files.push(TensorFile { path, name, bytes });
        }
        Ok(Self { files })
    }

    /// The files.
    pub fn files(&self) -> &[TensorFile] {
        &self.files
    }

    /// The file of a network whose file format is tensors only ([`is_tensors_only`]). Tensors have their names in the declaration, or
    /// those of the trainer bullet (`l0w`, `l0b`, `l1w`); other files are an error.
    ///
    /// # Errors
    ///
    /// [`FolderError::Missing`], [`FolderError::Unknown`], [`FolderError::Format`], [`FolderError::Tensor`].
    pub fn network(&self, net: &NetDesc<'_>) -> Result<Vec<u8>, FolderError> {
        let raw = net.raw.as_ref().filter(|raw| is_tensors_only(raw));
        let raw = raw.ok_or(FolderError::Format)?;
        let known = |file: &&TensorFile| net.tensors.iter().any(|tensor| file.is_of(tensor));
        if let Some(file) = self.files.iter().find(|file| !known(file)) {
            return Err(FolderError::Unknown(file.name.clone()));
        }
        let mut bytes = Vec::new();
        for index in raw.sections.iter().filter_map(Section::tensor) {
            let tensor = &net.tensors[index];
            let file = self.files.iter().find(|file| file.is_of(tensor));
            let file = file.ok_or_else(|| self.missing(tensor))?;
            let element = raw.element(net, index);
            let lengths = lengths(tensor, raw.axes[index]);
            let stored = file.numbers(element, &lengths);
            bytes.extend(stored.map_err(|message| FolderError::Tensor {
                path: file.path.clone(),
                message: format!("`{}`: {message}", tensor.name),
            })?);
        }
        Ok(bytes)
    }

    fn missing(&self, tensor: &TensorDesc<'_>) -> FolderError {
        let names = self.files.iter().map(|file| file.name.clone());
        FolderError::Missing {
            tensor: tensor.name.to_owned(),
            other: bullet_name(tensor.role),
            found: names.take(LISTED).collect(),
        }
    }
}

/// Whether a file of this format is its tensors, one after the other, and a padding.
pub fn is_tensors_only(raw: &RawDesc<'_>) -> bool {
    let is_tensor = |section: &Section<_>| matches!(section, Section::Tensor(_));
    !raw.leb128 && raw.sections.iter().all(is_tensor)
}

impl TensorFile {
    fn is_of(&self, tensor: &TensorDesc<'_>) -> bool {
        self.name == tensor.name || self.name == bullet_name(tensor.role)
    }

    /// The numbers as they stand in a file without a header.
    fn numbers(&self, element: ElementType, lengths: &[usize]) -> Result<Vec<u8>, String> {
        let count: usize = lengths.iter().product();
        if self.bytes.starts_with(MAGIC) {
            let array = Array::parse(&self.bytes).map_err(|error| error.to_string())?;
            let numbers = array.numbers().map_err(|error| error.to_string())?;
            let bytes = encoded(&numbers, element)?;
            return turned(bytes, array.shape(), lengths, element.bytes());
        }
        let expected = count * element.bytes();
        match self.bytes.len() == expected {
            true => Ok(self.bytes.clone()),
            false => Err(format!(
                "expected {expected} bytes, {count} numbers of the type {}, found {}",
                element.name(),
                self.bytes.len()
            )),
        }
    }
}

/// The lengths of the axes of a tensor in a file, without those of one element.
fn lengths(tensor: &TensorDesc<'_>, axes: nnue_spec::Axes<'_>) -> Vec<usize> {
    let long = tensor.long_axes(axes).into_iter();
    long.map(|part| tensor.part_length(part)).collect()
}

/// Numbers of an array in another type, little endian.
pub(crate) fn encoded(numbers: &Numbers, element: ElementType) -> Result<Vec<u8>, String> {
    let refuse = |found: &str| Err(format!("expected {}, found {found}", element.name()));
    let out_of_range = |number: i64| {
        format!(
            "{number} does not fit {}: declare the type that it has",
            element.name()
        )
    };
    match (numbers, element) {
        (Numbers::Floats(floats), ElementType::F32) => Ok(floats
            .iter()
            .flat_map(|float| float.to_le_bytes())
            .collect()),
        (Numbers::Floats(_), _) => {
            refuse("floats: `nnue quantize` makes a network of the floats of a trainer")
        }
        (Numbers::Bools(_), _) => refuse("truth values"),
        (Numbers::Integers(_), ElementType::F32) => refuse("integers"),
        (Numbers::Integers(integers), ElementType::I8) => {
            narrowed(integers, i8::to_le_bytes).map_err(out_of_range)
        }
        (Numbers::Integers(integers), ElementType::I16) => {
            narrowed(integers, i16::to_le_bytes).map_err(out_of_range)
        }
        (Numbers::Integers(integers), ElementType::I32) => {
            narrowed(integers, i32::to_le_bytes).map_err(out_of_range)
        }
    }
}

/// Integers in a narrower type, or the first that does not fit.
fn narrowed<T: TryFrom<i64>, const N: usize>(
    integers: &[i64],
    bytes: fn(T) -> [u8; N],
) -> Result<Vec<u8>, i64> {
    let mut all = Vec::with_capacity(N * integers.len());
    for &integer in integers {
        all.extend(bytes(T::try_from(integer).map_err(|_| integer)?));
    }
    Ok(all)
}

/// The numbers of an array of this shape in the order of `lengths`: as they are, or with two axes exchanged.
pub(crate) fn turned(
    bytes: Vec<u8>,
    shape: &[usize],
    lengths: &[usize],
    width: usize,
) -> Result<Vec<u8>, String> {
    let long: Vec<usize> = shape
        .iter()
        .copied()
        .filter(|&length| length != 1)
        .collect();
    let count: usize = lengths.iter().product();
    let is_list = long.len() <= 1 && shape.iter().product::<usize>() == count;
    if long == lengths || is_list {
        return Ok(bytes);
    }
    match (&long[..], lengths) {
        (&[rows, columns], &[outer, inner]) if [rows, columns] == [inner, outer] => {
            Ok(transposed(&bytes, columns, width))
        }
        _ => Err(format!(
            "the array has the shape {shape:?}, the tensor {lengths:?} in the file: declare its axes, `format raw {{ NAME: [..][..] }}`"
        )),
    }
}

/// A matrix with rows of `columns` elements of `width` bytes, transposed.
fn transposed(bytes: &[u8], columns: usize, width: usize) -> Vec<u8> {
    let row = columns * width;
    let column = |column: usize| {
        let rows = bytes.chunks_exact(row);
        rows.flat_map(move |row| &row[column * width..][..width])
    };
    (0..columns).flat_map(column).copied().collect()
}

/// At most one byte more than `most` of a file.
fn contents(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = nnue_format::open(path)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The files of tensors.
fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(OsStr::to_str);
        if matches!(ending, Some("npy" | "bin")) && paths.len() <= MOST_FILES {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// The name of a tensor in bullet's examples: `l0w` and `l0b` for the feature transformer, `l1w` for the next
/// layer. Separate weights of the side not to move are `l0nw` and `l0nb`.
pub fn bullet_name(role: TensorRole) -> String {
    match role {
        TensorRole::TransformerBias => "l0b".into(),
        TensorRole::TransformerWeight => "l0w".into(),
        TensorRole::SecondBias => "l0nb".into(),
        TensorRole::SecondWeight => "l0nw".into(),
        TensorRole::TransformerPsqt => "psqt".into(),
        TensorRole::ExtraWeight(set) => format!("l0w{set}"),
        TensorRole::SecondExtraWeight(set) => format!("l0nw{set}"),
        TensorRole::ExtraPsqt(set) => format!("psqt{set}"),
        TensorRole::LayerBias(layer) => format!("l{}b", layer + 1),
        TensorRole::LayerWeight(layer) => format!("l{}w", layer + 1),
        TensorRole::LayerScale(layer) => format!("l{}s", layer + 1),
    }
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Empty => {
                f.write_str("it is a folder without tensors, `NAME.npy` or `NAME.bin`")
            }
            Self::Many => write!(f, "it is a folder of more than {MOST_FILES} tensors, the limit"),
            Self::Long(most) => {
                write!(f, "the files of the folder have more than {most} bytes, the limit")
            }
            Self::Twice(name) => {
                write!(f, "it is a folder with two files of `{}`", name.escape_debug())
            }
            Self::Missing {
                tensor,
                other,
                found,
            } => write!(
                f,
                "the folder has no file `{tensor}` or `{other}` (`.npy`, `.bin`), it has `{}`",
                found.join("`, `").escape_debug()
            ),
            Self::Unknown(name) => write!(
                f,
                "`{}` is no tensor of the declaration: files have the names of its tensors (`ft_weight`, `fc0_bias`), or those of bullet (`l0w`, `l1b`)",
                name.escape_debug()
            ),
            Self::Format => f.write_str(
                "a folder has tensors only, the declared format has an `order`, kept bytes or LEB128 numbers: leave them out, and write such a file with \
                 --format",
            ),
            Self::Tensor { path, message } => write!(f, "{}: {message}", path.display()),
        }
    }
}

impl Error for FolderError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
