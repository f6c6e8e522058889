//! The structures of Arrow's C data interface, and capsules of Python that hold them.
#![expect(
    unsafe_code,
    reason = "structures that libraries hand to each other by pointers in capsules"
)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use super::texts::{Layout, Texts};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// The type of an array; only `format` is read.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const c_void,
    children: *mut *mut Array,
    dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

impl Schema {
    const EMPTY: Self = Self {
        format: ptr::null(),
        name: ptr::null(),
        metadata: ptr::null(),
        flags: 0,
        n_children: 0,
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    };

    /// How texts of this type are stored.
    ///
    /// # Safety
    ///
    /// The format is null or a text that ends with a zero.
    unsafe fn layout(&self) -> PyResult<Layout> {
        if self.format.is_null() || !self.dictionary.is_null() {
            return Err(no_texts("values of a dictionary"));
        }
        // SAFETY: not null, and the caller's obligation.
        let format = unsafe { CStr::from_ptr(self.format) }.to_string_lossy();
        Layout::of(&format).ok_or_else(|| no_texts(&format!("values of the format `{format}`")))
    }
}

fn no_texts(found: &str) -> PyErr {
    PyValueError::new_err(format!(
        "FENs are an Arrow array of strings (`u`, `U` or `vu`), found {found}"
    ))
}

impl Array {
    const EMPTY: Self = Self {
        length: 0,
        null_count: 0,
        offset: 0,
        n_buffers: 0,
        n_children: 0,
        buffers: ptr::null(),
        children: ptr::null_mut(),
        dictionary: ptr::null_mut(),
        release: None,
        private_data: ptr::null_mut(),
    };

    /// Appends its texts to `texts`.
    ///
    /// # Safety
    ///
    /// It is an array of the layout: its buffers have what its length and offset say.
    unsafe fn read(&self, layout: Layout, texts: &mut Texts) -> PyResult<()> {
        let range = |number: i64| usize::try_from(number).ok();
        let (Some(length), Some(offset), Some(count)) = (
            range(self.length),
            range(self.offset),
            range(self.n_buffers),
        ) else {
            return Err(damaged("a negative length"));
        };
        if length == 0 {
            return Ok(());
        }
        // validity, offsets, texts; or validity, views, any number of texts, their lengths
        if self.buffers.is_null() || count < 3 {
            return Err(damaged("fewer buffers than its type has"));
        }
        // SAFETY: not null, and the caller's obligation.
        let buffers = unsafe { std::slice::from_raw_parts(self.buffers, count) };
        if buffers[1].is_null() {
            return Err(damaged("no offsets"));
        }
        let end = offset
            .checked_add(length)
            .ok_or_else(|| damaged("a length beyond memory"))?;
        for at in offset..end {
            // SAFETY: the caller's obligation; `at` is within offset and length.
            match unsafe { is_valid(buffers[0], at) } {
                // SAFETY: as above.
                true => texts.push(unsafe { text(layout, buffers, at) }?)?,
                false => texts.push_null(),
            }
        }
        Ok(())
    }
}

fn damaged(what: &str) -> PyErr {
    PyValueError::new_err(format!("the Arrow array is damaged: it has {what}"))
}

/// The bit of value `at`; without a bitmap all are valid.
///
/// # Safety
///
/// The bitmap is null or has this bit.
unsafe fn is_valid(bitmap: *const c_void, at: usize) -> bool {
    // SAFETY: not null, and the caller's obligation.
    bitmap.is_null() || unsafe { *bitmap.cast::<u8>().add(at / 8) } >> (at % 8) & 1 == 1
}

/// The bytes of value `at`.
///
/// # Safety
///
/// The buffers are those of an array of the layout with this value.
unsafe fn text<'a>(layout: Layout, buffers: &[*const c_void], at: usize) -> PyResult<&'a [u8]> {
    // SAFETY: the caller's obligation; buffers of offsets and views are aligned to 8 bytes, which is not relied on.
    let (buffer, start, length) = unsafe {
        match layout {
            Layout::Offsets32 => {
                let offsets = buffers[1].cast::<i32>();
                let [start, end] = [at, at + 1].map(|at| offsets.add(at).read_unaligned());
                (
                    buffers[2],
                    i64::from(start),
                    i64::from(end) - i64::from(start),
                )
            }
            Layout::Offsets64 => {
                let offsets = buffers[1].cast::<i64>();
                let [start, end] = [at, at + 1].map(|at| offsets.add(at).read_unaligned());
                (buffers[2], start, end.saturating_sub(start))
            }
            Layout::Views => {
                const INLINE: i32 = 12;
                let view = buffers[1].cast::<[i32; 4]>().add(at);
                let [length, _, buffer, start] = view.read_unaligned();
                if length <= INLINE {
                    (view.cast::<c_void>(), 4, i64::from(length))
                } else {
                    // the last buffer has the lengths of the others
                    let of_texts = &buffers[2..buffers.len() - 1];
                    let buffer = usize::try_from(buffer).ok().and_then(|at| of_texts.get(at));
                    let buffer = *buffer.ok_or_else(|| damaged("a view of no buffer"))?;
                    (buffer, i64::from(start), i64::from(length))
                }
            }
        }
    };
    let (Ok(start), Ok(length)) = (usize::try_from(start), usize::try_from(length)) else {
        return Err(damaged("descending offsets"));
    };
    if length == 0 {
        return Ok(&[]);
    }
    if buffer.is_null() {
        return Err(damaged("no buffer of texts"));
    }
    // SAFETY: not null, and the caller's obligation.
    Ok(unsafe { std::slice::from_raw_parts(buffer.cast::<u8>().add(start), length) })
}

/// Reads the capsules of `__arrow_c_array__()`.
pub(super) fn texts_of_array(
    schema: &Bound<'_, PyCapsule>,
    array: &Bound<'_, PyCapsule>,
) -> PyResult<Texts> {
    let schema = schema.pointer_checked(Some(SCHEMA))?.cast::<Schema>();
    let array = array.pointer_checked(Some(ARRAY))?.cast::<Array>();
    let mut texts = Texts::default();
    // SAFETY: capsules with these names hold these structures, filled as Arrow asks for, and live as long as the arguments.
    unsafe {
        let (schema, array) = (schema.as_ref(), array.as_ref());
        if schema.release.is_none() || array.release.is_none() {
            return Err(PyValueError::new_err("the Arrow array was taken already"));
        }
        array.read(schema.layout()?, &mut texts)?;
    }
    Ok(texts)
}

/// Reads the capsule of `__arrow_c_stream__()` to its end.
pub(super) fn texts_of_stream(stream: &Bound<'_, PyCapsule>) -> PyResult<Texts> {
    let mut stream = stream.pointer_checked(Some(STREAM))?.cast::<Stream>();
    // SAFETY: a capsule with this name holds this structure, lives as long as the argument, and is used by nobody else.
    let stream = unsafe { stream.as_mut() };
    let (Some(get_schema), Some(get_next), Some(_)) =
        (stream.get_schema, stream.get_next, stream.release)
    else {
        return Err(PyValueError::new_err("the Arrow stream was taken already"));
    };
    let mut schema = Schema::EMPTY;
    // SAFETY: a function of the stream, called as Arrow asks for.
    let status = unsafe { get_schema(stream, &raw mut schema) };
    check(status, stream)?;
    // SAFETY: the stream filled it.
    let layout = unsafe { schema.layout() }?;
    let mut texts = Texts::default();
    loop {
        let mut array = Array::EMPTY;
        // SAFETY: a function of the stream, called as Arrow asks for.
        let status = unsafe { get_next(stream, &raw mut array) };
        check(status, stream)?;
        if array.release.is_none() {
            return Ok(texts);
        }
        // SAFETY: the stream filled it with an array of its type.
        unsafe { array.read(layout, &mut texts) }?;
    }
}

/// The message of a stream that failed.
fn check(status: c_int, stream: &mut Stream) -> PyResult<()> {
    if status == 0 {
        return Ok(());
    }
    // SAFETY: called as Arrow asks for, after a failure.
    let message = stream.get_last_error.map(|last| unsafe { last(stream) });
    let message = match message {
        // SAFETY: not null: a text that is valid until the next call of the stream.
        Some(message) if !message.is_null() => unsafe { CStr::from_ptr(message) }.to_string_lossy(),
        _ => "without a message".into(),
    };
    Err(PyValueError::new_err(format!(
        "the Arrow stream failed ({status}): {message}"
    )))
}

/// Structures release what they hold; whoever takes one out of a capsule sets `release` to null there.
macro_rules! released {
    ($($structure:ident),+) => {$(
        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: not released before, since that sets `release` to null.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: Arrow lets structures be released in any thread; what they point to does not change.
        unsafe impl Send for $structure {}
    )+};
}

released!(Schema, Array);

/// Values, and a bit for each that is set if it is not null.
pub(super) struct Values {
    pub(super) values: Vec<i32>,
    pub(super) valid: Vec<u8>,
    pub(super) null_count: usize,
}

/// An array of `i32` that shares its values.
struct Shared {
    buffers: [*const c_void; 2],
    _values: Arc<Values>,
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: the structure that is released; its format is static.
    unsafe { (*schema).release = None };
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: the structure that is released, whose private data is a box of `exported`.
    unsafe {
        drop(Box::from_raw((*array).private_data.cast::<Shared>()));
        (*array).release = None;
    }
}

/// The capsules that `__arrow_c_array__` returns: a type and the values.
pub(super) fn exported<'py>(
    py: Python<'py>,
    values: &Arc<Values>,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    const NULLABLE: i64 = 2;
    let schema = Schema {
        format: c"i".as_ptr(),
        name: c"".as_ptr(),
        flags: NULLABLE,
        release: Some(release_schema),
        ..Schema::EMPTY
    };
    let shared = Box::new(Shared {
        buffers: [values.valid.as_ptr().cast(), values.values.as_ptr().cast()],
        _values: values.clone(),
    });
    let array = Array {
        length: values.values.len() as i64,
        null_count: values.null_count as i64,
        n_buffers: 2,
        buffers: shared.buffers.as_ptr(),
        private_data: Box::into_raw(shared).cast(),
        release: Some(release_array),
        ..Array::EMPTY
    };
    Ok((
        PyCapsule::new_with_value(py, schema, SCHEMA)?,
        PyCapsule::new_with_value(py, array, ARRAY)?,
    ))
}
