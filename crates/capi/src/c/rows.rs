//! Networks over lists of rows: open by a declaration, ask for a value, free.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use nnue::RealEvaluation;
use nnue::dynamic;
use nnue::rows::{RowLists, RowSets, RowsError};

use super::pointer::{free, give, list, optional_text, place, shared, text};
use super::position::Evaluation;
use crate::declared::{self, Source};
use crate::described;
use crate::failure::{Failure, Status, at_border};
use crate::rows;

/// A loaded network over lists of rows. Any number of threads may use it at once.
pub struct Rows {
    pub(super) network: Arc<dynamic::Network>,
    level: CString,
}

/// The sizes of the positions of a network over lists of rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowsSizes {
    /// rows are numbered from 0 to one less
    pub rows: u32,
    /// at most so many are active in a list
    pub most_active: u32,
    /// the lists of a position, one for each perspective: 1 or 2
    pub lists: usize,
}

/// What a network says about rows, in the unit of the network.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RowsEvaluation {
    /// the value, of the side to move if there are two lists
    pub value: i32,
    /// the PSQT part, raw; 0 if the network has none
    pub psqt: i32,
    /// the part of the layers, raw
    pub positional: i32,
    /// the layer stack that was used
    pub bucket: u32,
    /// the value before it was rounded to an integer; NaN if the output of floats is
    pub real: f64,
}

impl From<RealEvaluation> for RowsEvaluation {
    fn from(said: RealEvaluation) -> Self {
        let Evaluation {
            value,
            psqt,
            positional,
            bucket,
        } = said.evaluation.into();
        Self {
            value,
            psqt,
            positional,
            bucket,
            real: said.real,
        }
    }
}

/// The rows of a position, or those that a change adds or removes: one list, or of a network with two perspectives the lists of White, the side that
/// begins, and of Black. Rows are in any order, each once.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Lists {
    /// the rows of each list; null if it has none
    pub rows: [*const u32; 2],
    /// the numbers of rows
    pub counts: [usize; 2],
    /// 1 or 2
    pub lists: usize,
}

impl Lists {
    /// The lists.
    ///
    /// # Safety
    ///
    /// Each pointer below the number of lists is null or valid for its number of rows, which are not written to
    /// while the lists are used.
    pub(super) unsafe fn read<'a>(&self, name: &str) -> Result<RowLists<'a>, Failure> {
        let Self {
            rows: [first, second],
            counts: [first_count, second_count],
            lists,
        } = *self;
        let read = |rows, count, at| {
            // SAFETY: the caller's obligation.
            unsafe { list(rows, count, &format!("{name}.rows[{at}]")) }
        };
        match lists {
            1 => Ok(RowLists::One(read(first, first_count, 0)?)),
            2 => Ok(RowLists::Two([
                read(first, first_count, 0)?,
                read(second, second_count, 1)?,
            ])),
            _ => {
                let message = format!("`{name}.lists` is {lists}, and must be 1 or 2");
                Err(Failure::new(Status::BadArgument, message))
            }
        }
    }
}

/// The lists at `pointer`.
///
/// # Safety
///
/// It is null, or points to [`Lists`] that are valid for [`Lists::read`].
pub(super) unsafe fn lists<'a>(pointer: *const Lists, name: &str) -> Result<RowLists<'a>, Failure> {
    // SAFETY: the caller's obligation.
    let lists = unsafe { shared(pointer, name) }?;
    // SAFETY: the caller's obligation.
    unsafe { lists.read(name) }
}

/// Whether Black is to move.
pub(super) fn side(black_to_move: u8) -> Result<bool, Failure> {
    match black_to_move {
        0 | 1 => Ok(black_to_move == 1),
        _ => {
            let message = format!("`black_to_move` is {black_to_move}, and must be 0 or 1");
            Err(Failure::new(Status::BadArgument, message))
        }
    }
}

pub(super) fn refused(error: RowsError) -> Failure {
    Failure::new(Status::BadRows, error.to_string())
}

/// Reads the declaration and the level, then loads the network.
///
/// # Safety
///
/// The pointers are valid for [`text`] and [`optional_text`].
unsafe fn open(
    [declaration, name, level]: [*const c_char; 3],
    source: Source<'_>,
) -> Result<*mut Rows, Failure> {
    // SAFETY: the caller's obligation.
    let declaration = unsafe { text(declaration, "declaration") }?;
    // SAFETY: the caller's obligation.
    let name = unsafe { optional_text(name, "name") }?;
    // SAFETY: the caller's obligation.
    let level = declared::level(unsafe { optional_text(level, "level") }?)?;
    let network = described::read(&[rows::choose(declaration, name)?], level, source)?;
    Ok(give(Rows {
        level: CString::new(network.level().level().name()).unwrap_or_default(),
        network: Arc::new(network),
    }))
}

/// Loads a network over lists of rows. It is for libraries that are built with the feature `rows` of nnue-capi, as all functions of rows are.
///
/// `declaration` is a text such as `pub struct Ranker = rows[4096, active 64] -> 256 -> 16 -> 1;`; `name` chooses one of several, and may be null if there
/// is one. `level` is that of `nnue_network_open`. `*network` is set if all goes well, and is to be freed by `nnue_rows_free`. What is kept of a
/// declaration stays until the program ends, once for equal ones.
///
/// # Safety
///
/// Each pointer is null or valid; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_open(
    declaration: *const c_char,
    name: *const c_char,
    path: *const c_char,
    level: *const c_char,
    network: *mut *mut Rows,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { place(network, "network") }?;
        // SAFETY: the caller's obligation.
        let path = unsafe { text(path, "path") }?;
        // SAFETY: the caller's obligation.
        network.write(unsafe { open([declaration, name, level], Source::Path(path)) }?);
        Ok(())
    })
}

/// Loads a file that is in memory, `count` bytes from `bytes` on. See `nnue_rows_open`.
///
/// # Safety
///
/// Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_open_bytes(
    declaration: *const c_char,
    name: *const c_char,
    bytes: *const u8,
    count: usize,
    level: *const c_char,
    network: *mut *mut Rows,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { place(network, "network") }?;
        // SAFETY: the caller's obligation.
        let bytes = unsafe { list(bytes, count, "bytes") }?;
        // SAFETY: the caller's obligation.
        network.write(unsafe { open([declaration, name, level], Source::Bytes(bytes)) }?);
        Ok(())
    })
}

/// Frees a network over lists of rows. Stacks and batches of it keep what they need. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a network that was opened and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_free(network: *mut Rows) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(network) };
        Ok(())
    });
}

/// The instruction level at which the network is evaluated: valid as long as the network. Null for null.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_level(network: *const Rows) -> *const c_char {
    // SAFETY: the caller's obligation.
    unsafe { shared(network, "network") }.map_or(ptr::null(), |network| network.level.as_ptr())
}

/// The sizes of the network's positions.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_shape(network: *const Rows, shape: *mut RowsSizes) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let place = unsafe { place(shape, "shape") }?;
        let shape = rows::shape(&network.network)?;
        place.write(RowsSizes {
            rows: shape.rows,
            most_active: shape.most_active,
            lists: shape.lists,
        });
        Ok(())
    })
}

/// What the network says about one position, computed from its lists alone. `black_to_move` is 0 or 1: whose list is read first.
///
/// A row that does not exist or is listed twice, more rows than may be active, and another number of lists are `NNUE_STATUS_BAD_ROWS`.
///
/// # Safety
///
/// Each pointer is null or valid, those of `rows` for its counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_evaluate(
    network: *const Rows,
    rows: *const Lists,
    black_to_move: u8,
    evaluation: *mut RowsEvaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let Rows { network, .. } = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let rows = unsafe { lists(rows, "rows") }?;
        // SAFETY: the caller's obligation.
        let evaluation = unsafe { place(evaluation, "evaluation") }?;
        let side = side(black_to_move)?;
        let mut sets = RowSets::of(&rows::shape(network)?, rows).map_err(refused)?;
        sets.set_black_to_move(side);
        evaluation.write(network.evaluate_listed_real(&sets).into());
        Ok(())
    })
}
