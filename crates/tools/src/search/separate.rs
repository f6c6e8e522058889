//! Tensors in separate files: a folder is read as the file that has them one after the other.

use nnue_spec::ElementType;

use super::candidates::{Candidates, File};
use super::error::SearchError;
use super::found::Found;
use super::request::{MOST_BYTES, Search, Sizes};
use super::shape::Tail;
use crate::folder::{Folder, TensorFile, encoded, turned};
use crate::npy::{Array, MAGIC, Numbers};

const ASSUMED: &str = "A folder with a file for each tensor: `nnue convert FOLDER -o NET --declaration FILE` makes one file of it.";

const NAMES: &str = "files have the names of a declaration (`ft_weight`, `ft_bias`, `fc0_weight`, ..) or of the trainer bullet (`l0w`, `l0b`, `l1w`, ..)";

/// A tensor of a folder.
struct Tensor<'f> {
    file: &'f TensorFile,
    /// 0 is the accumulator
    layer: usize,
    is_bias: bool,
}

/// The numbers of a tensor.
struct Stored {
    bytes: Vec<u8>,
    /// `None` for numbers without a type
    element: Option<ElementType>,
    shape: Vec<usize>,
}

impl<'f> Tensor<'f> {
    fn of(file: &'f TensorFile) -> Option<Self> {
        let (layer, kind) = match file.name.strip_prefix("ft_") {
            Some(kind) => (0, kind),
            None => layer(&file.name)?,
        };
        let is_bias = match kind {
            "weight" | "w" => false,
            "bias" | "b" => true,
            _ => return None,
        };
        Some(Self {
            file,
            layer,
            is_bias,
        })
    }

    /// The place in a file of all tensors.
    const fn place(&self) -> (usize, bool) {
        (self.layer, self.is_bias)
    }

    fn stored(&self) -> Result<Stored, SearchError> {
        let refuse =
            |message: String| SearchError::File(format!("{}: {message}", self.file.path.display()));
        let bytes = &self.file.bytes;
        if !bytes.starts_with(MAGIC) {
            return Ok(Stored {
                bytes: bytes.clone(),
                element: None,
                shape: Vec::new(),
            });
        }
        let array = Array::parse(bytes).map_err(|error| refuse(error.to_string()))?;
        let numbers = array.numbers();
        let numbers = numbers.map_err(|error| refuse(error.to_string()))?;
        let element = element(&numbers, array.width());
        Ok(Stored {
            bytes: encoded(&numbers, element).map_err(refuse)?,
            element: Some(element),
            shape: array.shape().to_vec(),
        })
    }
}

/// The layer and the kind in `fc0_weight` or `l1w`.
fn layer(name: &str) -> Option<(usize, &str)> {
    let (rest, first) = match name.strip_prefix("fc") {
        Some(rest) => (rest, 1),
        None => (name.strip_prefix('l')?, 0),
    };
    let digits = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, kind) = rest.split_at(digits);
    let kind = kind.strip_prefix('_').unwrap_or(kind);
    Some((number.parse::<usize>().ok()?.checked_add(first)?, kind))
}

/// The type of numbers in a file of a network. Those of 64 bits have the narrowest that holds all.
fn element(numbers: &Numbers, width: usize) -> ElementType {
    let is_narrow = |integers: &[i64]| integers.iter().all(|&n| i16::try_from(n).is_ok());
    match (numbers, width) {
        (Numbers::Floats(_), _) => ElementType::F32,
        (Numbers::Integers(_), 1) => ElementType::I8,
        (Numbers::Integers(_), 2) => ElementType::I16,
        (Numbers::Integers(integers), 8) if is_narrow(integers) => ElementType::I16,
        _ => ElementType::I32,
    }
}

impl Stored {
    /// How many numbers there are; those without a type have 16 bits.
    fn count(&self) -> usize {
        self.bytes.len() / self.element.map_or(2, ElementType::bytes)
    }

    /// The weights of a layer with so many biases, in the order of the trainer's examples: neurons of the accumulator last, outputs of
    /// a layer first.
    fn weights(self, layer: usize, biases: usize) -> Result<Vec<u8>, String> {
        let (Some(element), Some(others)) = (self.element, self.count().checked_div(biases)) else {
            return Ok(self.bytes);
        };
        let long = self.shape.iter().filter(|&&length| length != 1).count();
        let lengths = match layer {
            0 => [others, biases],
            _ => [biases, others],
        };
        match long {
            2 => turned(self.bytes, &self.shape, &lengths, element.bytes()),
            _ => Ok(self.bytes),
        }
    }
}

impl Search<'_> {
    /// Guesses declarations of tensors in separate files.
    pub(super) fn folder(&self, folder: &Folder) -> Result<Found, SearchError> {
        self.check_name()?;
        let (tensors, width) = tensors(folder)?;
        let lengths: Vec<u64> = tensors.iter().map(|bytes| bytes.len() as u64).collect();
        let bytes = tensors.concat();
        let sizes = Sizes {
            width: self.sizes.width.or(Some(width as u64)),
            ..self.sizes
        };
        let search = Search { sizes, ..*self };
        let mut found = Candidates::new(&search)?.found(&File {
            size: bytes.len() as u64,
            tail: Tail::of(&bytes),
            contents: Some(&bytes),
        })?;
        let has_lengths = |text: &str| self.tensor_lengths(text).as_ref() == Some(&lengths);
        found
            .guesses
            .retain(|guess| has_lengths(&guess.declaration));
        if found.guesses.is_empty() {
            return Err(SearchError::Size(format!(
                "no network that was tried has tensors of {lengths:?} bytes, in the order of the layers, weights before biases: give the trainer's list \
                 with --save-format, or declare the network"
            )));
        }
        found.more = 0;
        found.assumed.insert(0, ASSUMED.to_owned());
        Ok(found)
    }

    /// The bytes of each tensor in a file of a declaration.
    fn tensor_lengths(&self, text: &str) -> Option<Vec<u64>> {
        let plan = (self.compile)(text)?;
        let tables = plan.tables();
        let net = tables.descriptor();
        let spans = net.raw?.spans(&net)?;
        Some(spans.iter().map(|span| span.bytes).collect())
    }
}

/// The bytes of the tensors of a folder, in the order of layers, and the number of neurons of the accumulator.
fn tensors(folder: &Folder) -> Result<(Vec<Vec<u8>>, usize), SearchError> {
    let refuse = |message: String| SearchError::File(message);
    let tensors = folder.files().iter().map(|file| {
        let unknown = || {
            let name = file.name.escape_debug();
            refuse(format!("`{name}` in the folder is no tensor: {NAMES}"))
        };
        Tensor::of(file).ok_or_else(unknown)
    });
    let mut tensors = tensors.collect::<Result<Vec<_>, _>>()?;
    tensors.sort_by_key(Tensor::place);
    let expected = (0..tensors.len()).map(|at| (at / 2, at % 2 == 1));
    if tensors.len() < 4 || !tensors.iter().map(Tensor::place).eq(expected) {
        let found: Vec<_> = tensors.iter().map(|tensor| &*tensor.file.name).collect();
        return Err(refuse(format!(
            "the folder has `{}`, and a network has weights and a bias of each layer: {NAMES}",
            found.join("`, `")
        )));
    }
    let stored = tensors.iter().map(Tensor::stored);
    let mut stored = stored.collect::<Result<Vec<_>, _>>()?.into_iter();
    let (mut all, mut width, mut are_floats) = (Vec::new(), 0, true);
    while let (Some(weights), Some(biases)) = (stored.next(), stored.next()) {
        let layer = all.len() / 2;
        if layer == 0 {
            width = biases.count();
        }
        let is_float = |stored: &Stored| stored.element == Some(ElementType::F32);
        are_floats &= is_float(&weights) && is_float(&biases);
        let weights = weights.weights(layer, biases.count());
        let path = tensors[2 * layer].file.path.display();
        all.push(weights.map_err(|message| refuse(format!("{path}: {message}")))?);
        all.push(biases.bytes);
    }
    match are_floats {
        true => Err(refuse(
            "these are floats of a trainer: `nnue quantize FOLDER --declaration FILE` reads them"
                .into(),
        )),
        false => Ok((all, width)),
    }
}

/// The folder at a path.
pub(super) fn open(path: &std::path::Path) -> Result<Folder, SearchError> {
    Folder::read(path, MOST_BYTES).map_err(|error| SearchError::File(error.to_string()))
}
