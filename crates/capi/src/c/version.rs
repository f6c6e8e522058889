//! The interface and the version: of the header as macros, of the library by functions.
#![expect(unsafe_code, reason = "functions that C calls by their names")]

use std::ffi::{CStr, c_char};

/// The interface that this header describes. It changes when a program that was compiled with another header would not work. A shared library
/// that the Makefile of the examples installs has it in its SONAME.
pub const NNUE_ABI: u32 = 1;

/// The version of this header: the first of three numbers.
pub const NNUE_VERSION_MAJOR: u32 = 0;

/// The second number of the version.
pub const NNUE_VERSION_MINOR: u32 = 1;

/// The third number of the version.
pub const NNUE_VERSION_PATCH: u32 = 0;

/// The three numbers as one, to be compared by `#if`: 1002003 is 1.2.3.
pub const NNUE_VERSION: u32 =
    NNUE_VERSION_MAJOR * 1000000 + NNUE_VERSION_MINOR * 1000 + NNUE_VERSION_PATCH;

/// cbindgen writes literals only, so the numbers above are compared with those of Cargo.toml.
const _: () = {
    assert!(NNUE_VERSION_MAJOR == number(env!("CARGO_PKG_VERSION_MAJOR")));
    assert!(NNUE_VERSION_MINOR == number(env!("CARGO_PKG_VERSION_MINOR")));
    assert!(NNUE_VERSION_PATCH == number(env!("CARGO_PKG_VERSION_PATCH")));
};

const fn number(digits: &str) -> u32 {
    let digits = digits.as_bytes();
    let (mut number, mut at) = (0, 0);
    while at < digits.len() {
        number = 10 * number + (digits[at] - b'0') as u32;
        at += 1;
    }
    number
}

/// The interface of the library, to be compared with `NNUE_ABI` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn nnue_abi() -> u32 {
    NNUE_ABI
}

/// The version of the library, as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn nnue_version() -> *const c_char {
    const VERSION: &[u8] = concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes();
    CStr::from_bytes_with_nul(VERSION)
        .unwrap_or_default()
        .as_ptr()
}
