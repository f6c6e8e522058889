//! Which declaration reads a file.
#![expect(
    unsafe_code,
    reason = "a function that C calls by its name, with pointers"
)]

use std::ffi::c_char;
use std::mem::MaybeUninit;

use super::pointer::{place, places, text};
use crate::failure::{Status, at_border};
use crate::search;

/// Guesses the declaration of a file, which may be compressed by gzip or zstd. It is for libraries that are built with the feature `search` of nnue-capi.
///
/// The text is what `nnue import net FILE` prints: the likeliest declaration, below comments that name what speaks against it, what the file does not
/// tell, and other shapes of the same size. `*length` is set to its bytes. If `capacity` is greater, the text is written to `declaration` with a zero
/// at its end; otherwise nothing is written, and `declaration` may be null if `capacity` is 0. If the file is no network, the call fails, and
/// `nnue_error_message` names the kind of the file.
///
/// # Safety
///
/// Each pointer is null or valid, `declaration` for `capacity` bytes; texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_declaration_of(
    path: *const c_char,
    declaration: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let length = unsafe { place(length, "length") }?;
        // SAFETY: the caller's obligation.
        let memory = unsafe { places(declaration, capacity, "declaration") }?;
        // SAFETY: the caller's obligation.
        let path = unsafe { text(path, "path") }?;
        let found = search::declaration(path)?;
        write(&found, memory);
        length.write(found.len());
        Ok(())
    })
}

/// Writes a text and a zero, if there is room for all of it.
fn write(text: &str, memory: &mut [MaybeUninit<c_char>]) {
    if memory.len() <= text.len() {
        return;
    }
    let bytes = text.bytes().chain([0]);
    for (place, byte) in memory.iter_mut().zip(bytes) {
        place.write(byte as c_char);
    }
}
