//! Networks that no program exports.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::ffi::c_char;

use super::networks::Network;
use super::pointer::{give, list, optional_text, place, text};
use crate::declared::{self, Source};
use crate::described::{self, Description};
use crate::failure::{Failure, Status, at_border};

/// Opens a network that the library does not export, described while the program runs. It is for libraries that are built with the feature `described`
/// of nnue-capi, as `libnnue` is.
///
/// `declaration` is one of:
///
/// - a text such as `pub struct Mine = (768 -> 256)x2 @ 255 screlu -> 1 { format raw };`; if it declares several networks, `name` chooses one;
/// - the name of a network of Stockfish: `sfnnv9`, `sfnn_small`;
/// - null: a network of Stockfish, recognised from the file.
///
/// `name` may be null if there is one network, `level` as for `nnue_network_open`. The file may be compressed by gzip or zstd. The network is used and
/// freed like others; it is as fast, or up to half as fast for small layers, and has its named outputs besides.
///
/// # Safety
///
/// Each pointer is null or valid; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_open_described(
    declaration: *const c_char,
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
        // SAFETY: the caller's obligation.
        network.write(unsafe { open(declaration, name, level, Source::Path(path)) }?);
        Ok(())
    })
}

/// The same for a file that is in memory, `count` bytes from `bytes` on.
///
/// # Safety
///
/// Each pointer is null or valid, `bytes` for `count` bytes; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_network_open_described_bytes(
    declaration: *const c_char,
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
        // SAFETY: the caller's obligation.
        network.write(unsafe { open(declaration, name, level, Source::Bytes(bytes)) }?);
        Ok(())
    })
}

/// Reads the texts, then loads the network.
///
/// # Safety
///
/// The pointers are valid for [`optional_text`].
unsafe fn open(
    declaration: *const c_char,
    name: *const c_char,
    level: *const c_char,
    source: Source<'_>,
) -> Result<*mut Network, Failure> {
    let description = Description {
        // SAFETY: the caller's obligation.
        declaration: unsafe { optional_text(declaration, "declaration") }?,
        // SAFETY: the caller's obligation.
        name: unsafe { optional_text(name, "name") }?,
    };
    // SAFETY: the caller's obligation.
    let level = declared::level(unsafe { optional_text(level, "level") }?)?;
    let network = described::open(description, level, source)?;
    Ok(give(Network::new(network)))
}
