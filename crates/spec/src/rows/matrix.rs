//! Many lists in the form of a sparse matrix (CSR), as SciPy's `csr_matrix` and Arrow's list arrays hold them.
//!
//! ```text
//!   indptr    0  2  2  5          list 0 is indices[0..2], list 1 is empty, list 2 is indices[2..5]
//!   indices   3 17  1  4  9
//! ```

use alloc::vec::Vec;
use core::fmt;

use super::{RowLists, RowSets, RowsError};

/// Integers of a caller, read in place.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Integers<'a> {
    /// of 32 bits with a sign
    I32(&'a [i32]),
    /// of 64 bits with a sign
    I64(&'a [i64]),
    /// of 32 bits
    U32(&'a [u32]),
    /// of 64 bits
    U64(&'a [u64]),
}

impl Integers<'_> {
    /// The number of integers.
    pub fn len(&self) -> usize {
        match self {
            Self::I32(values) => values.len(),
            Self::I64(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::U64(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The integer at `at`, if there is one.
    fn get(&self, at: usize) -> Option<i128> {
        Some(match self {
            Self::I32(values) => (*values.get(at)?).into(),
            Self::I64(values) => (*values.get(at)?).into(),
            Self::U32(values) => (*values.get(at)?).into(),
            Self::U64(values) => (*values.get(at)?).into(),
        })
    }
}

/// Lists of rows: list `i` is `indices[indptr[i]..indptr[i + 1]]`.
#[derive(Clone, Copy, Debug)]
pub struct RowMatrix<'a> {
    indptr: Bounds<'a>,
    indices: Integers<'a>,
}

/// Where lists begin and end.
#[derive(Clone, Copy, Debug)]
enum Bounds<'a> {
    Given(Integers<'a>),
    /// so many lists, all of them empty
    Empty(usize),
}

impl<'a> RowMatrix<'a> {
    /// Lists that share the memory of the caller.
    ///
    /// # Errors
    ///
    /// [`MatrixError`]: `indptr` is empty, does not ascend, or leaves `indices`. Indices are checked when a list
    /// is read.
    pub fn new(indptr: Integers<'a>, indices: Integers<'a>) -> Result<Self, MatrixError> {
        let matrix = Self {
            indptr: Bounds::Given(indptr),
            indices,
        };
        let mut least = 0;
        for at in 0..indptr.len().max(1) {
            least = matrix.bound(at, least)?;
        }
        Ok(matrix)
    }

    /// So many lists without rows.
    pub fn none(lists: usize) -> Self {
        Self {
            indptr: Bounds::Empty(lists),
            indices: Integers::U32(&[]),
        }
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        match self.indptr {
            Bounds::Given(indptr) => indptr.len().saturating_sub(1),
            Bounds::Empty(lists) => lists,
        }
    }

    /// Whether there are no lists.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bound at `at`, if it is not below `least` and not above the number of indices.
    fn bound(&self, at: usize, least: usize) -> Result<usize, MatrixError> {
        let found = match self.indptr {
            Bounds::Given(indptr) => indptr.get(at).ok_or(MatrixError::Empty)?,
            Bounds::Empty(_) => 0,
        };
        let most = self.indices.len();
        usize::try_from(found)
            .ok()
            .filter(|bound| (least..=most).contains(bound))
            .ok_or(MatrixError::Bound {
                at,
                found,
                least,
                most,
            })
    }

    /// Appends list `list` to `rows`. An error is the number that is no row of any network, or the integers
    /// changed since they were checked.
    pub(super) fn append(&self, list: usize, rows: &mut Vec<u32>) -> Result<(), Unread> {
        let start = self.bound(list, 0).map_err(Unread::Matrix)?;
        let end = self.bound(list + 1, start).map_err(Unread::Matrix)?;
        match self.indices {
            Integers::I32(values) => convert(&values[start..end], rows),
            Integers::I64(values) => convert(&values[start..end], rows),
            Integers::U64(values) => convert(&values[start..end], rows),
            Integers::U32(values) => {
                rows.extend_from_slice(&values[start..end]);
                Ok(())
            }
        }
        .map_err(Unread::Number)
    }
}

/// Appends integers as rows. The error is the first that is none.
fn convert<T: Copy + TryInto<u32> + Into<i128>>(
    values: &[T],
    rows: &mut Vec<u32>,
) -> Result<(), i128> {
    rows.reserve(values.len());
    for &value in values {
        rows.push(value.try_into().map_err(|_| value.into())?);
    }
    Ok(())
}

/// Why a list cannot be read.
pub(super) enum Unread {
    Matrix(MatrixError),
    Number(i128),
}

/// Why two arrays are not lists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MatrixError {
    /// there is no first bound
    Empty,
    /// a bound is below the one before it, or there are not as many indices
    Bound {
        /// its place in `indptr`
        at: usize,
        /// the bound
        found: i128,
        /// the bound before it
        least: usize,
        /// the number of indices
        most: usize,
    },
}

impl fmt::Display for MatrixError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str(
                "`indptr` is empty: it has one number more than there are lists, the first is 0",
            ),
            Self::Bound {
                at,
                found,
                least,
                most,
            } => write!(
                f,
                "`indptr[{at}]` is {found}, expected {least} (the number before it) to {most} (the number of indices)"
            ),
        }
    }
}

impl core::error::Error for MatrixError {}

/// Positions of a network over rows: a matrix for each perspective, and whose turn it is.
#[derive(Clone, Copy, Debug)]
pub struct RowBatch<'a> {
    first: RowMatrix<'a>,
    second: Option<RowMatrix<'a>>,
    /// by position, 1 if Black is to move; empty if White always is
    black_to_move: &'a [u8],
}

impl<'a> RowBatch<'a> {
    /// Positions of one list each: of a network with one perspective.
    pub fn one(lists: RowMatrix<'a>) -> Self {
        Self {
            first: lists,
            second: None,
            black_to_move: &[],
        }
    }

    /// Positions of two lists each: of White, the side that begins, and of Black. White is to move.
    ///
    /// # Errors
    ///
    /// [`BatchError::Lengths`]: the matrices have different numbers of lists.
    pub fn two(white: RowMatrix<'a>, black: RowMatrix<'a>) -> Result<Self, BatchError> {
        if white.len() != black.len() {
            return Err(BatchError::Lengths {
                what: "lists in the second matrix",
                found: black.len(),
                expected: white.len(),
            });
        }
        Ok(Self {
            second: Some(black),
            ..Self::one(white)
        })
    }

    /// The same positions, with a side to move for each: 0 is White, 1 is Black.
    ///
    /// # Errors
    ///
    /// [`BatchError::Lengths`]: there is another number of positions. [`BatchError::Side`]: another number than
    /// 0 and 1.
    pub fn with_black_to_move(self, black_to_move: &'a [u8]) -> Result<Self, BatchError> {
        if black_to_move.len() != self.len() {
            return Err(BatchError::Lengths {
                what: "sides to move",
                found: black_to_move.len(),
                expected: self.len(),
            });
        }
        if let Some(position) = black_to_move.iter().position(|&side| side > 1) {
            return Err(BatchError::Side {
                position,
                found: black_to_move[position],
            });
        }
        Ok(Self {
            black_to_move,
            ..self
        })
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a position below [`len`](Self::len) into `rows`. `lists` is scratch memory.
    ///
    /// # Errors
    ///
    /// [`BatchError::Rows`]: a list is refused; [`BatchError::Matrix`]: the bounds changed since the matrix was
    /// made. Then `rows` is as it was.
    pub fn read(
        &self,
        position: usize,
        rows: &mut RowSets,
        lists: &mut [Vec<u32>; 2],
    ) -> Result<(), BatchError> {
        let named = |error| BatchError::Rows { position, error };
        let [first, second] = lists;
        let matrices = [(Some(self.first), &mut *first), (self.second, &mut *second)];
        for (list, (matrix, to)) in matrices.into_iter().enumerate() {
            let Some(matrix) = matrix else { continue };
            to.clear();
            matrix.append(position, to).map_err(|error| match error {
                Unread::Matrix(error) => BatchError::Matrix(error),
                Unread::Number(found) => named(rows.no_row(list, found)),
            })?;
        }
        let lists = match self.second {
            Some(_) => RowLists::Two([first, second]),
            None => RowLists::One(first),
        };
        rows.set(lists).map_err(named)?;
        rows.set_black_to_move(self.black_to_move.get(position) == Some(&1));
        Ok(())
    }
}

/// Why a batch of positions is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// two arrays are not lists
    Matrix(MatrixError),
    /// parts of the batch have different lengths
    Lengths {
        /// what there is another number of
        what: &'static str,
        /// its number
        found: usize,
        /// the number of positions
        expected: usize,
    },
    /// a side to move is neither 0 nor 1
    Side {
        /// the number of the position, from 0
        position: usize,
        /// the side
        found: u8,
    },
    /// the rows of a position are refused
    Rows {
        /// the number of the position, from 0
        position: usize,
        /// what is wrong with it
        error: RowsError,
    },
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Matrix(error) => error.fmt(f),
            Self::Lengths {
                what,
                found,
                expected,
            } => write!(f, "{found} {what} for {expected} positions"),
            Self::Side { position, found } => write!(
                f,
                "position {position}: the side to move is {found}, expected 0 (White) or 1 (Black)"
            ),
            Self::Rows { position, error } => write!(f, "position {position}: {error}"),
        }
    }
}

impl core::error::Error for BatchError {}

impl From<MatrixError> for BatchError {
    fn from(error: MatrixError) -> Self {
        Self::Matrix(error)
    }
}
