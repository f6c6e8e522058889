//! Networks: load, ask for a value, free.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::Arc;

use super::pointer::{free, give, list, optional_text, place, shared, text};
use super::position::{Evaluation, Position};
use crate::declared::{self, Declared, Source, Weights};
use crate::failure::{Failure, Status, at_border, last_message};
use crate::network::AnyNetwork;

/// A loaded network. Any number of threads may use it at once.
pub struct Network {
    pub(super) network: Arc<dyn AnyNetwork>,
    level: CString,
    /// the names of its outputs besides the value
    outputs: Vec<CString>,
}

impl Network {
    pub(super) fn new(network: Arc<dyn AnyNetwork>) -> Self {
        let text = |text| CString::new(text).unwrap_or_default();
        Self {
            level: text(network.level()),
            outputs: network.outputs().into_iter().map(text).collect(),
            network,
        }
    }
}

/// The networks of the library's `export!`.
fn declared() -> &'static [Declared] {
    unsafe extern "Rust" {
        safe fn nnue_capi_declared() -> &'static [Declared];
    }
    nnue_capi_declared()
}

/// Looks up the name and the level, then loads the network.
///
/// # Safety
///
/// Both pointers are valid for [`text`] and [`optional_text`].
unsafe fn open(
    name: *const c_char,
    level: *const c_char,
    load: impl FnOnce(&Declared, nnue::AvailableLevel) -> Result<Arc<dyn AnyNetwork>, Failure>,
) -> Result<*mut Network, Failure> {
    // SAFETY: the caller's obligation.
    let name = unsafe { text(name, "name") }?;
    // SAFETY: the caller's obligation.
    let level = unsafe { optional_text(level, "level") }?;
    let level = declared::level(level)?;
    Ok(give(Network::new(load(
        declared::find(declared(), name)?,
        level,
    )?)))
}

/// Loads a file.
///
/// `name` is that of the network's type where it is declared; `level` is an instruction level such as `avx2`, or null for the one that the environment
/// variable `NNUE_LEVEL` names, without it the fastest one of this processor. A name that is no level's, or that of a level which the processor lacks,
/// is an error, also in the variable. `*network` is set if all goes well, and is to be freed by `nnue_network_free`.
///
/// # Safety
///
/// Each pointer is null or valid; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_open(
    name: *const c_char,
    path: *const c_char,
    level: *const c_char,
    network: *mut *mut Network,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { place(network, "network") }?;
        // SAFETY: the caller's obligation.
        let path = unsafe { text(path, "path") }?;
        let load = |declared: &Declared, level| {
            declared.load(Weights {
                source: Source::Path(path),
                level,
            })
        };
        // SAFETY: the caller's obligation.
        network.write(unsafe { open(name, level, load) }?);
        Ok(())
    })
}

/// Loads a file that is in memory, `count` bytes from `bytes` on. See `nnue_network_open`.
///
/// # Safety
///
/// Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_open_bytes(
    name: *const c_char,
    bytes: *const u8,
    count: usize,
    level: *const c_char,
    network: *mut *mut Network,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { place(network, "network") }?;
        // SAFETY: the caller's obligation.
        let bytes = unsafe { list(bytes, count, "bytes") }?;
        let load = |declared: &Declared, level| {
            declared.load(Weights {
                source: Source::Bytes(bytes),
                level,
            })
        };
        // SAFETY: the caller's obligation.
        network.write(unsafe { open(name, level, load) }?);
        Ok(())
    })
}

/// Opens a network whose weights are in the library. See `nnue_network_open`.
///
/// # Safety
///
/// Each pointer is null or valid; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_open_embedded(
    name: *const c_char,
    level: *const c_char,
    network: *mut *mut Network,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { place(network, "network") }?;
        // SAFETY: the caller's obligation.
        network.write(unsafe { open(name, level, Declared::open_embedded) }?);
        Ok(())
    })
}

/// Frees a network. Stacks and batches of it keep what they need. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a network that was opened and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_free(network: *mut Network) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(network) };
        Ok(())
    });
}

/// The instruction level at which the network is evaluated, such as `avx2`: valid as long as the network. Null for null.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_level(network: *const Network) -> *const c_char {
    // SAFETY: the caller's obligation.
    unsafe { shared(network, "network") }.map_or(ptr::null(), |network| network.level.as_ptr())
}

/// The name of an output besides the value, by its number from 0 on, valid as long as the network; null after the last one. Networks that the library
/// exports have none here.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_output(
    network: *const Network,
    number: usize,
) -> *const c_char {
    // SAFETY: the caller's obligation.
    let network = unsafe { shared(network, "network") };
    let name = network.ok().and_then(|network| network.outputs.get(number));
    name.map_or(ptr::null(), |name| name.as_ptr())
}

/// What the network says about a position, computed from the position alone. In a search, a stack is many times faster.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_evaluate(
    network: *const Network,
    position: *const Position,
    evaluation: *mut Evaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let evaluation = unsafe { place(evaluation, "evaluation") }?;
        position.check()?;
        evaluation.write(network.network.evaluate_fresh(position).into());
        Ok(())
    })
}

/// The value of `nnue_network_evaluate` before it was rounded to an integer; NaN if the output of floats is.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_real(
    network: *const Network,
    position: *const Position,
    real: *mut f64,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let real = unsafe { place(real, "real") }?;
        position.check()?;
        real.write(network.network.real_fresh(position));
        Ok(())
    })
}

/// The name of a network that the library has, by its number from 0 on; null after the last one.
#[unsafe(no_mangle)]
pub extern "C" fn nnue_declared(number: usize) -> *const c_char {
    declared::names(declared())
        .get(number)
        .map_or(ptr::null(), |name| name.as_ptr())
}

/// What went wrong in the last call of this thread that failed, in English; empty if none did. At most 4095 bytes, then a zero.
///
/// The pointer is the same for all calls of a thread and valid as long as the thread: the next call of the thread that fails writes its message over
/// this one, and no call frees it.
#[unsafe(no_mangle)]
pub extern "C" fn nnue_error_message() -> *const c_char {
    last_message()
}
