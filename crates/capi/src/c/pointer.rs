//! Conversion of pointers from C to references.
#![expect(
    unsafe_code,
    reason = "a pointer of C is followed here, after it was compared with null"
)]

use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

use crate::failure::{Failure, Status};

#[cold]
fn null(name: &str) -> Failure {
    Failure::new(Status::NullPointer, format!("`{name}` is a null pointer"))
}

/// The value at `pointer`.
///
/// # Safety
///
/// It is null, or points to a `T` that is not written to while the reference is used.
#[inline(always)]
pub(super) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    // SAFETY: it is null or as `as_ref` asks for: the caller's obligation.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// The value at `pointer`, mutably.
///
/// # Safety
///
/// It is null, or points to a `T` that nobody else uses while the reference is used.
#[inline(always)]
pub(super) unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    // SAFETY: it is null or as `as_mut` asks for: the caller's obligation.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// The memory for a result, possibly uninitialised.
///
/// # Safety
///
/// It is null, or points to memory of a `T` that nobody else uses while the reference is used.
#[inline(always)]
pub(super) unsafe fn place<'a, T>(
    pointer: *mut T,
    name: &str,
) -> Result<&'a mut MaybeUninit<T>, Failure> {
    // SAFETY: the caller's obligation; memory of a `T` is a `MaybeUninit<T>`, whatever it holds.
    unsafe { exclusive(pointer.cast::<MaybeUninit<T>>(), name) }
}

/// The `count` values at `pointer`, which may be null if there are none.
///
/// # Safety
///
/// It is null, or points to `count` `T`s in a row that are not written to while the slice is used.
pub(super) unsafe fn list<'a, T>(
    pointer: *const T,
    count: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if !has_items(pointer, count, name)? {
        return Ok(&[]);
    }
    // SAFETY: not null and not longer than memory, as just compared; the rest is the caller's obligation.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// The memory for `count` results at `pointer`.
///
/// # Safety
///
/// It is null, or points to memory of `count` `T`s that nobody else uses while the slice is used.
pub(super) unsafe fn places<'a, T>(
    pointer: *mut T,
    count: usize,
    name: &str,
) -> Result<&'a mut [MaybeUninit<T>], Failure> {
    if !has_items(pointer, count, name)? {
        return Ok(&mut []);
    }
    // SAFETY: not null and not longer than memory, as just compared; the rest is the caller's obligation.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), count) })
}

/// Whether the list is nonempty; an error if the pointer is null or the size is impossible.
fn has_items<T>(pointer: *const T, count: usize, name: &str) -> Result<bool, Failure> {
    if count == 0 {
        return Ok(false);
    }
    if pointer.is_null() {
        return Err(null(name));
    }
    let fits = count
        .checked_mul(size_of::<T>())
        .is_some_and(|bytes| isize::try_from(bytes).is_ok());
    let too_many = || {
        Failure::new(
            Status::BadArgument,
            format!("`{name}` cannot have {count} items"),
        )
    };
    fits.then_some(true).ok_or_else(too_many)
}

/// A zero-terminated text.
///
/// # Safety
///
/// It is null, or points to bytes up to a zero that are not written to while the text is used.
pub(super) unsafe fn text<'a>(pointer: *const c_char, name: &str) -> Result<&'a str, Failure> {
    // SAFETY: the caller's obligation.
    unsafe { optional_text(pointer, name) }?.ok_or_else(|| null(name))
}

/// A zero-terminated text, or `None` for a null pointer.
///
/// # Safety
///
/// That of [`text`].
pub(super) unsafe fn optional_text<'a>(
    pointer: *const c_char,
    name: &str,
) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: it is not null; the rest is the caller's obligation.
    let text = unsafe { CStr::from_ptr(pointer) };
    let not_utf8 = |_| {
        Failure::new(
            Status::BadArgument,
            format!("`{name}` is not a text in UTF-8"),
        )
    };
    text.to_str().map(Some).map_err(not_utf8)
}

/// Passes `value` to C, which returns it to [`free`].
pub(super) fn give<T>(value: T) -> *mut T {
    Box::into_raw(Box::new(value))
}

/// Frees a value from [`give`]. Null is ignored.
///
/// # Safety
///
/// It is null, or was given by [`give`] and not freed.
pub(super) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: it is of a `Box` that nobody has freed: the caller's obligation.
        drop(unsafe { Box::from_raw(pointer) });
    }
}
