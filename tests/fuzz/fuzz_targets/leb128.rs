//! Any bytes as LEB128 numbers: the fast decoders agree with the definition, and decoded numbers are encoded to the same bytes.
//!
//! The first byte is the number of numbers that there is room for, the second the number of pieces into which the bytes are cut.
#![no_main]

use libfuzzer_sys::fuzz_target;
use nnue_format::leb128::{Decoder, Number, NumberError, Portable, Progress, encode, encoded_len};

/// The value and the length of the number at the start of `bytes`; `None` if it is cut off, an error if it is malformed.
fn definition<T: Number>(bytes: &[u8]) -> Result<Option<(i64, usize)>, ()> {
    let limit = bytes.len().min(T::MAX_BYTES);
    let Some(last) = bytes[..limit].iter().position(|&byte| byte < 0x80) else {
        return if limit == T::MAX_BYTES {
            Err(())
        } else {
            Ok(None)
        };
    };
    let groups = bytes[..=last].iter().rev();
    let unsigned = groups.fold(0i64, |value, &byte| value << 7 | i64::from(byte & 0x7F));
    let value = if bytes[last] & 0x40 != 0 {
        unsigned - (1 << (7 * (last + 1)))
    } else {
        unsigned
    };
    let mut shortest = Vec::new();
    encode(&[T::try_from(value).map_err(drop)?], &mut shortest);
    if shortest == bytes[..=last] {
        Ok(Some((value, last + 1)))
    } else {
        Err(())
    }
}

fn check<T: Number>(
    bytes: &[u8],
    room: usize,
    decode: impl Fn(&[u8], &mut [T]) -> Result<Progress, NumberError>,
) {
    let (mut values, mut at, mut fault) = (Vec::new(), 0, false);
    while values.len() < room {
        match definition::<T>(&bytes[at..]) {
            Ok(Some((value, len))) => {
                values.push(value);
                at += len;
            }
            Ok(None) => break,
            Err(()) => {
                fault = true;
                break;
            }
        }
    }
    let mut out = vec![T::default(); room];
    let decoded = decode(bytes, &mut out);
    assert_eq!(decoded.is_err(), fault);
    let progress = decoded.unwrap_or_else(|error| error.at);
    assert_eq!(
        progress,
        Progress {
            bytes: at,
            numbers: values.len()
        }
    );
    out.truncate(progress.numbers);
    assert!(out.iter().map(|&number| number.into()).eq(values));
    let mut encoded = Vec::new();
    encode(&out, &mut encoded);
    assert_eq!(encoded, bytes[..at]);
    assert_eq!(encoded_len(&out), at as u64);
}

fuzz_target!(|data: &[u8]| {
    let [room, pieces, bytes @ ..] = data else {
        return;
    };
    let room = 8 * usize::from(*room);
    for bytes in bytes.chunks(bytes.len() / (1 + usize::from(*pieces) % 4) + 1) {
        check::<i16>(bytes, room, |bytes, out| Portable.decode_i16(bytes, out));
        check::<i32>(bytes, room, |bytes, out| Portable.decode_i32(bytes, out));
    }
});
