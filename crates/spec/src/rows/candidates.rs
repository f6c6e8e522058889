//! Small changes of one position, of which only the values are wanted.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use super::matrix::Unread;
use super::{MatrixError, RowLists, RowMatrix, RowSets, RowsError};

/// A small change of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate<'a> {
    /// the rows to add
    pub added: RowLists<'a>,
    /// the rows to remove
    pub removed: RowLists<'a>,
}

impl<'a> Candidate<'a> {
    /// The change that removes rows and adds others.
    pub fn new(added: impl Into<RowLists<'a>>, removed: impl Into<RowLists<'a>>) -> Self {
        Self {
            added: added.into(),
            removed: removed.into(),
        }
    }
}

/// Why a list of candidates is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CandidateError {
    /// the number of the candidate, from 0
    pub candidate: usize,
    /// what is wrong with it
    pub error: RowsError,
}

impl fmt::Display for CandidateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "candidate {}: {}", self.candidate, self.error)
    }
}

impl core::error::Error for CandidateError {}

/// Candidates in the form of sparse matrices: line `i` of each matrix is a list of rows of candidate `i`.
#[derive(Clone, Copy, Debug)]
pub struct CandidateBatch<'a> {
    first: Matrices<'a>,
    /// with two perspectives, those of the second list
    second: Option<Matrices<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Matrices<'a> {
    added: RowMatrix<'a>,
    removed: RowMatrix<'a>,
}

impl<'a> CandidateBatch<'a> {
    /// Changes of positions of one list: of a network with one perspective. [`RowMatrix::none`] stands for a
    /// matrix without rows.
    ///
    /// # Errors
    ///
    /// [`CandidateBatchError::Lengths`]: the matrices have different numbers of lists.
    pub fn one(added: RowMatrix<'a>, removed: RowMatrix<'a>) -> Result<Self, CandidateBatchError> {
        let batch = Self {
            first: Matrices { added, removed },
            second: None,
        };
        batch.with_equal_lengths()
    }

    /// Changes of positions of two lists: of White, the side that begins, and of Black.
    ///
    /// # Errors
    ///
    /// [`CandidateBatchError::Lengths`]: the matrices have different numbers of lists.
    pub fn two(
        added: [RowMatrix<'a>; 2],
        removed: [RowMatrix<'a>; 2],
    ) -> Result<Self, CandidateBatchError> {
        let matrices = |list: usize| Matrices {
            added: added[list],
            removed: removed[list],
        };
        let batch = Self {
            first: matrices(0),
            second: Some(matrices(1)),
        };
        batch.with_equal_lengths()
    }

    fn with_equal_lengths(self) -> Result<Self, CandidateBatchError> {
        let expected = self.len();
        for (list, matrices) in self.lists().enumerate() {
            for (part, matrix) in [("added", matrices.added), ("removed", matrices.removed)] {
                if matrix.len() != expected {
                    return Err(CandidateBatchError::Lengths {
                        part,
                        list: self.second.is_some().then_some(list),
                        found: matrix.len(),
                        expected,
                    });
                }
            }
        }
        Ok(self)
    }

    /// The number of candidates.
    pub fn len(&self) -> usize {
        self.first.added.len()
    }

    /// Whether there are no candidates.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lists(&self) -> impl Iterator<Item = Matrices<'a>> {
        [Some(self.first), self.second].into_iter().flatten()
    }

    /// Reads the candidates `which`, at most those below [`len`](Self::len), into `copies`. They are changes of
    /// `position`, by which no index is checked yet.
    ///
    /// # Errors
    ///
    /// [`CandidateBatchError::Candidate`]: an index is no row of any network; [`CandidateBatchError::Matrix`]:
    /// the bounds changed since the matrix was made.
    pub fn read(
        &self,
        which: Range<usize>,
        position: &RowSets,
        copies: &mut CandidateCopies,
    ) -> Result<(), CandidateBatchError> {
        copies.clear();
        copies.two = self.second.is_some();
        for candidate in which {
            for (list, Matrices { added, removed }) in self.lists().enumerate() {
                for matrix in [added, removed] {
                    matrix
                        .append(candidate, &mut copies.rows)
                        .map_err(|error| match error {
                            Unread::Matrix(error) => CandidateBatchError::Matrix(error),
                            Unread::Number(found) => CandidateError {
                                candidate,
                                error: position.no_row(list, found),
                            }
                            .into(),
                        })?;
                    copies.ends.push(copies.rows.len());
                }
            }
        }
        Ok(())
    }
}

/// Candidates that were read from a [`CandidateBatch`]; memory that is used again.
#[derive(Clone, Debug, Default)]
pub struct CandidateCopies {
    /// by candidate and list, the added rows, then the removed ones
    rows: Vec<u32>,
    /// where these end in `rows`
    ends: Vec<usize>,
    two: bool,
}

impl CandidateCopies {
    fn clear(&mut self) {
        self.rows.clear();
        self.ends.clear();
    }

    /// The candidates.
    pub fn candidates(&self) -> Vec<Candidate<'_>> {
        let mut start = 0;
        let lists: Vec<&[u32]> = self
            .ends
            .iter()
            .map(|&end| &self.rows[core::mem::replace(&mut start, end)..end])
            .collect();
        if self.two {
            let (lists, _) = lists.as_chunks();
            let changes = lists
                .iter()
                .map(|&[added, removed, of_second, from_second]| {
                    Candidate::new([added, of_second], [removed, from_second])
                });
            changes.collect()
        } else {
            let (lists, _) = lists.as_chunks();
            let changes = lists
                .iter()
                .map(|&[added, removed]| Candidate::new(added, removed));
            changes.collect()
        }
    }
}

/// Why a batch of candidates is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CandidateBatchError {
    /// two arrays are not lists
    Matrix(MatrixError),
    /// a matrix has another number of lists than the first one, of added rows
    Lengths {
        /// `added` or `removed`
        part: &'static str,
        /// the list: 0 or 1; `None` if a position has one list
        list: Option<usize>,
        /// the number of its lists
        found: usize,
        /// the number of candidates
        expected: usize,
    },
    /// a candidate is no change of the position
    Candidate(CandidateError),
}

impl fmt::Display for CandidateBatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Matrix(error) => error.fmt(f),
            Self::Lengths {
                part,
                list,
                found,
                expected,
            } => write!(
                f,
                "the matrix of {part} rows{} has {found} lists, expected {expected}, one for each candidate",
                super::error::of_list(*list)
            ),
            Self::Candidate(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for CandidateBatchError {}

impl From<CandidateError> for CandidateBatchError {
    fn from(error: CandidateError) -> Self {
        Self::Candidate(error)
    }
}
