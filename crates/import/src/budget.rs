//! Limits for one graph: memory of its values, and work to compute them. A file of a hundred bytes can ask
//! for gibibytes (`Expand` of one number, a deflated entry of zeros), so every reader and every operation
//! checks the budget before it allocates.
//!
//! ```text
//!   most bytes = FLOOR + BYTES_PER_BYTE * (bytes of the file, and of the files beside it with its tensors)
//! ```

use crate::error::ImportError;
use crate::tensor::{Element, elements};

/// Memory that every graph may use, however small its file is.
pub const FLOOR: usize = 512 << 20;

/// Memory that a graph may use per byte of its files: 8-bit weights become 64-bit integers, twice where a
/// node transposes them.
pub const BYTES_PER_BYTE: usize = 16;

/// Most steps of an evaluation (products, or elements read): a few minutes.
pub const MAX_STEPS: usize = 1 << 38;

/// Limits of a graph, and what is used so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// bytes of the file and of external data
    file: usize,
    /// bytes of the values so far
    taken: usize,
    steps: usize,
}

impl Budget {
    /// The budget of a graph in a file of this size.
    pub fn of_file(bytes: usize) -> Self {
        Self {
            file: bytes,
            ..Self::default()
        }
    }

    /// Adds the size of an external file of tensors.
    pub(crate) fn add_file(&mut self, bytes: usize) {
        self.file = self.file.saturating_add(bytes);
    }

    /// The same limits with nothing used.
    pub(crate) fn unspent(&self) -> Self {
        Self::of_file(self.file)
    }

    /// Limit for the memory of values, in bytes.
    pub fn most(&self) -> usize {
        FLOOR.saturating_add(self.file.saturating_mul(BYTES_PER_BYTE))
    }

    /// Number of elements of a shape, if they fit. Does not reserve them.
    pub(crate) fn fits(&self, shape: &[usize], element: Element) -> Result<usize, ImportError> {
        let count = elements(shape)?;
        self.fits_bytes(count.saturating_mul(element.bytes()))?;
        Ok(count)
    }

    /// Checks that more bytes fit.
    pub(crate) fn fits_bytes(&self, bytes: usize) -> Result<(), ImportError> {
        let (needed, most) = (self.taken.saturating_add(bytes), self.most());
        match needed <= most {
            true => Ok(()),
            false => Err(ImportError::Memory {
                needed,
                most,
                file: self.file,
            }),
        }
    }

    /// Reserves the memory of values.
    pub(crate) fn take(&mut self, count: usize, element: Element) -> Result<(), ImportError> {
        let bytes = count.saturating_mul(element.bytes());
        self.fits_bytes(bytes)?;
        self.taken += bytes;
        Ok(())
    }

    /// Reserves steps.
    pub(crate) fn work(&mut self, count: usize) -> Result<(), ImportError> {
        self.steps = self.steps.saturating_add(count);
        match self.steps <= MAX_STEPS {
            true => Ok(()),
            false => Err(ImportError::Work {
                needed: self.steps,
                most: MAX_STEPS,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_numbers_are_told() {
        let mut budget = Budget::of_file(100);
        budget
            .take(FLOOR / 4, Element::F32)
            .expect("it is the floor");
        let error = budget
            .fits(&[2, 300], Element::I64)
            .expect_err("it is more");
        assert_eq!(
            error.to_string(),
            "the values of the graph need at least 536875712 bytes, and 536872512 are the limit for 100 bytes of file: export the model with fewer rows at a time, or with its weights in the file"
        );
        assert_eq!(budget.fits(&[400], Element::F32), Ok(400));
        budget.work(MAX_STEPS).expect("it is the limit");
        let error = budget.work(1).expect_err("it is more");
        assert_eq!(
            error.to_string(),
            "the graph takes at least 274877906945 steps to compute, and 274877906944 are the limit: export the model with fewer rows at a time"
        );
    }
}
