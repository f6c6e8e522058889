//! Which declaration reads a file.
#![expect(
    unsafe_code,
    reason = "a function that C calls by its name, with pointers"
)]

use std::ffi::{CString, c_char};
use std::mem::MaybeUninit;
use std::ptr;

use super::pointer::{free, give, place, places, shared, text};
use crate::failure::{Failure, Status, at_border};
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
        let found = search::found(path)?.to_string();
        write(&found, memory);
        length.write(found.len());
        Ok(())
    })
}

/// The declarations that a file may have.
pub struct Guesses {
    guesses: Vec<Texts>,
}

/// The texts of a guess.
struct Texts {
    declaration: CString,
    shape: CString,
    doubt: Option<CString>,
    scale: Option<f64>,
    unknown: Vec<CString>,
}

/// A declaration that reads a file. The texts are valid as long as the `nnue_guesses` that it is of.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Guess {
    /// the declaration
    pub declaration: *const c_char,
    /// its sizes as options of the command `nnue import net`, or the name of an engine
    pub shape: *const c_char,
    /// what speaks against it in the numbers of the file; null if nothing does
    pub doubt: *const c_char,
    /// what an output of 1.0 is worth, also if it is a guess; NaN where it is not known or the value is no multiple of the output
    pub scale: f64,
    /// how many texts `nnue_guesses_unknown` has of it
    pub unknown: usize,
}

impl Texts {
    fn of(guess: &nnue_tools::search::Guess) -> Self {
        // No text of a guess has a zero.
        let text = |text: &String| CString::new(text.replace('\0', " ")).unwrap_or_default();
        Self {
            declaration: text(&guess.declaration),
            shape: text(&guess.shape),
            doubt: guess.doubt.as_ref().map(text),
            scale: guess.scale,
            unknown: guess.unknown.iter().map(text).collect(),
        }
    }

    fn guess(&self) -> Guess {
        Guess {
            declaration: self.declaration.as_ptr(),
            shape: self.shape.as_ptr(),
            doubt: self
                .doubt
                .as_ref()
                .map_or(ptr::null(), |doubt| doubt.as_ptr()),
            scale: self.scale.unwrap_or(f64::NAN),
            unknown: self.unknown.len(),
        }
    }
}

impl Guesses {
    fn guess(&self, index: usize) -> Result<&Texts, Failure> {
        let count = self.guesses.len();
        let guess = self.guesses.get(index);
        guess.ok_or_else(|| {
            let message = format!("there are {count} guesses, and none has the number {index}");
            Failure::new(Status::BadArgument, message)
        })
    }
}

/// The declarations that a file may have, the likeliest first, and their number, at least one; `nnue_declaration_of` has the same as a text. They are to be
/// freed by `nnue_guesses_free`. It is for libraries that are built with the feature `search` of nnue-capi.
///
/// # Safety
///
/// Each pointer is null or valid; the path ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_guesses_of(
    path: *const c_char,
    guesses: *mut *mut Guesses,
    count: *mut usize,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let guesses = unsafe { place(guesses, "guesses") }?;
        // SAFETY: the caller's obligation.
        let count = unsafe { place(count, "count") }?;
        // SAFETY: the caller's obligation.
        let path = unsafe { text(path, "path") }?;
        let found: Vec<_> = search::found(path)?.guesses.iter().map(Texts::of).collect();
        count.write(found.len());
        guesses.write(give(Guesses { guesses: found }));
        Ok(())
    })
}

/// The guess with the number `index`, from 0.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_guesses_get(
    guesses: *const Guesses,
    index: usize,
    guess: *mut Guess,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let guess = unsafe { place(guess, "guess") }?;
        // SAFETY: the caller's obligation.
        let guesses = unsafe { shared(guesses, "guesses") }?;
        guess.write(guesses.guess(index)?.guess());
        Ok(())
    })
}

/// What the file does not tell about the guess with the number `index`, and what would: the text `unknown`, from 0. It is valid as long as `guesses`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_guesses_unknown(
    guesses: *const Guesses,
    index: usize,
    unknown: usize,
    said: *mut *const c_char,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let said = unsafe { place(said, "said") }?;
        // SAFETY: the caller's obligation.
        let guesses = unsafe { shared(guesses, "guesses") }?;
        let texts = &guesses.guess(index)?.unknown;
        let text = texts.get(unknown).ok_or_else(|| {
            let message = format!("{} texts, and none has the number {unknown}", texts.len());
            Failure::new(Status::BadArgument, message)
        })?;
        said.write(text.as_ptr());
        Ok(())
    })
}

/// Frees guesses. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of guesses that were made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_guesses_free(guesses: *mut Guesses) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(guesses) };
        Ok(())
    });
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
