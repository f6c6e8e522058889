//! Checkpoints: the state from which a run resumes with identical results.
//!
//! ```text
//!   "nnue-train checkpoint 3\n"
//!   u64 n | n bytes: the text of the run          u64 n | n bytes: the text of the declaration
//!   u64 files | files * (u64 length | u64 digest): the data
//!   u64 step | f64 the sum of the losses of this superbatch | u64 epoch | u64 offset in it
//!   u64 columns | columns * (u64 n | n bytes)     u64 n | n * f64: the rows of the history
//!   u64 tensors | tensors * (u64 n | n * f32): the parameters
//!   u64 n | n * u64: the steps of the optimiser   u64 n | n * as the parameters: its numbers
//!   u64 FNV-1a of all bytes before
//! ```
//!
//! Integers and floats are little endian. The file is replaced atomically.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::network::Parameters;
use crate::optimizer::Remembered;
use nnue_data::files::Digest;
use nnue_data::files::output::Output;

use super::epochs::Place;
use super::history::History;
use nnue_data::files::fnv::{START, add};

const MAGIC: &[u8] = b"nnue-train checkpoint 3\n";

/// Upper bound of the size of a checkpoint: an optimiser has up to five numbers for each of a network of 4
/// GiB.
pub(crate) const MOST: u64 = 32 << 30;

/// The state of a run, except that of the optimiser.
#[derive(Debug, PartialEq)]
pub(crate) struct Checkpoint {
    pub(crate) run: String,
    pub(crate) declaration: String,
    /// digests of the files that the run reads, in their order; `None` for pipes and devices
    pub(crate) data: Vec<Option<Digest>>,
    /// batches so far
    pub(crate) step: u64,
    /// sum of the losses of the unfinished superbatch
    pub(crate) loss: f64,
    pub(crate) place: Place,
    pub(crate) history: History,
    pub(crate) parameters: Parameters<f32>,
}

pub(crate) fn write(
    path: &Path,
    checkpoint: &Checkpoint,
    remembered: &Remembered<'_>,
) -> io::Result<()> {
    let mut to = Writer {
        to: BufWriter::with_capacity(1 << 20, Output::create(path)?),
        sum: START,
    };
    to.bytes(MAGIC)?;
    to.text(&checkpoint.run)?;
    to.text(&checkpoint.declaration)?;
    to.number(checkpoint.data.len() as u64)?;
    for digest in &checkpoint.data {
        let Digest { length, sum } = digest.unwrap_or(NO_FILE);
        to.number(length)?;
        to.number(sum)?;
    }
    let Place { epoch, offset } = checkpoint.place;
    for number in [checkpoint.step, checkpoint.loss.to_bits(), epoch, offset] {
        to.number(number)?;
    }
    let History { columns, numbers } = &checkpoint.history;
    to.number(columns.len() as u64)?;
    columns.iter().try_for_each(|column| to.text(column))?;
    to.number(numbers.len() as u64)?;
    numbers
        .iter()
        .try_for_each(|number| to.bytes(&number.to_le_bytes()))?;
    to.parameters(&checkpoint.parameters)?;
    to.number(remembered.steps.len() as u64)?;
    remembered
        .steps
        .iter()
        .try_for_each(|steps| to.number(**steps))?;
    to.number(remembered.numbers.len() as u64)?;
    remembered
        .numbers
        .iter()
        .try_for_each(|numbers| to.parameters(numbers))?;
    to.number(to.sum)?;
    to.to
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?
        .commit()
}

/// Whether the first bytes are those of a checkpoint.
pub(crate) fn is_checkpoint(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// The texts of the run and of its declaration, of a checkpoint of any network.
pub(crate) fn texts(bytes: &[u8]) -> Option<(String, String)> {
    let mut from = checked(bytes).ok()?;
    Some((from.text().ok()?, from.text().ok()?))
}

/// Checks the first bytes and the checksum; reads what is between.
fn checked(bytes: &[u8]) -> Result<Reader<'_>, &'static str> {
    let whole = bytes
        .split_last_chunk()
        .filter(|(body, _)| is_checkpoint(body));
    let (body, sum) = whole.ok_or("it is not a checkpoint of a training run")?;
    if add(START, body) != u64::from_le_bytes(*sum) {
        return Err("the checkpoint is damaged: its checksum is wrong");
    }
    Ok(Reader(&body[MAGIC.len()..]))
}

/// Reads a checkpoint whose tensors have the lengths of `shape`, and restores the optimiser state into
/// `remembered`, if given.
pub(crate) fn read(
    bytes: &[u8],
    shape: &Parameters<f32>,
    remembered: Option<Remembered<'_>>,
) -> Result<Checkpoint, String> {
    let mut from = checked(bytes)?;
    let (run, declaration) = (from.text()?, from.text()?);
    let data = from.array::<16>()?.iter().map(digest_of).collect();
    let (step, loss) = (from.number()?, f64::from_bits(from.number()?));
    let place = Place {
        epoch: from.number()?,
        offset: from.number()?,
    };
    let columns = (0..from.number()?)
        .map(|_| from.text())
        .collect::<Result<_, _>>()?;
    let numbers = from
        .array()?
        .iter()
        .map(|number| f64::from_le_bytes(*number))
        .collect();
    let mut parameters = shape.clone();
    from.parameters(&mut parameters)?;
    if let Some(remembered) = remembered {
        from.same_count(remembered.steps.len(), "counts of steps")?;
        for steps in remembered.steps {
            *steps = from.number()?;
        }
        from.same_count(remembered.numbers.len(), "numbers for each parameter")?;
        for numbers in remembered.numbers {
            from.parameters(numbers)?;
        }
    }
    Ok(Checkpoint {
        run,
        declaration,
        data,
        step,
        loss,
        place,
        history: History { columns, numbers },
        parameters,
    })
}

/// Replaces the digest of a pipe or a device.
const NO_FILE: Digest = Digest {
    length: u64::MAX,
    sum: u64::MAX,
};

fn digest_of(bytes: &[u8; 16]) -> Option<Digest> {
    let (numbers, _) = bytes.as_chunks();
    let [length, sum] = [0, 1].map(|index| u64::from_le_bytes(numbers[index]));
    Some(Digest { length, sum }).filter(|digest| *digest != NO_FILE)
}

/// Writes and updates the checksum.
struct Writer<W> {
    to: W,
    sum: u64,
}

impl<W: Write> Writer<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.sum = add(self.sum, bytes);
        self.to.write_all(bytes)
    }

    fn number(&mut self, number: u64) -> io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    fn parameters(&mut self, parameters: &Parameters<f32>) -> io::Result<()> {
        self.number(parameters.tensors.len() as u64)?;
        for tensor in &parameters.tensors {
            self.number(tensor.len() as u64)?;
            tensor
                .iter()
                .try_for_each(|number| self.bytes(&number.to_le_bytes()))?;
        }
        Ok(())
    }
}

/// Reads the rest of a file.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn bytes(&mut self, count: usize) -> Result<&'b [u8], String> {
        let (bytes, rest) = self
            .0
            .split_at_checked(count)
            .ok_or("the checkpoint is too short")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self) -> Result<u64, String> {
        let (bytes, rest) = self
            .0
            .split_first_chunk()
            .ok_or("the checkpoint is too short")?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    fn text(&mut self) -> Result<String, String> {
        let bytes = self.array::<1>()?;
        let text = std::str::from_utf8(bytes.as_flattened())
            .map_err(|_| "the checkpoint has a text that is not UTF-8")?;
        Ok(text.to_owned())
    }

    /// Reads a count and then that many elements of `SIZE` bytes.
    fn array<const SIZE: usize>(&mut self) -> Result<&'b [[u8; SIZE]], String> {
        let count = usize::try_from(self.number()?)
            .ok()
            .and_then(|count| count.checked_mul(SIZE));
        let (elements, _) = self
            .bytes(count.ok_or("the checkpoint is too short")?)?
            .as_chunks();
        Ok(elements)
    }

    fn same_count(&mut self, expected: usize, what: &str) -> Result<(), String> {
        match self.number()? {
            found if found == expected as u64 => Ok(()),
            found => Err(format!(
                "the checkpoint has {found} {what}, and this run {expected}: another network or optimiser"
            )),
        }
    }

    fn parameters(&mut self, parameters: &mut Parameters<f32>) -> Result<(), String> {
        self.same_count(parameters.tensors.len(), "tensors")?;
        for tensor in &mut parameters.tensors {
            let numbers = self.array()?;
            if numbers.len() != tensor.len() {
                return Err(format!(
                    "the checkpoint has a tensor of {} numbers, and this run one of {}: another network",
                    numbers.len(),
                    tensor.len()
                ));
            }
            tensor
                .iter_mut()
                .zip(numbers)
                .for_each(|(to, from)| *to = f32::from_le_bytes(*from));
        }
        Ok(())
    }
}
