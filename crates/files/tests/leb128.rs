//! The encoding of numbers: the table of the format, and the decoders against a plain one.

mod common;

use common::Random;
use nnue_format::leb128::{Decoder, Fault, NumberError, Portable, Progress, encode, encoded_len};

const TABLE: &[(i32, &[u8])] = &[
    (0, &[0x00]),
    (1, &[0x01]),
    (-1, &[0x7F]),
    (63, &[0x3F]),
    (64, &[0xC0, 0x00]),
    (-64, &[0x40]),
    (-65, &[0xBF, 0x7F]),
    (127, &[0xFF, 0x00]),
    (-128, &[0x80, 0x7F]),
    (300, &[0xAC, 0x02]),
    (8191, &[0xFF, 0x3F]),
    (8192, &[0x80, 0xC0, 0x00]),
    (-8193, &[0xFF, 0xBF, 0x7F]),
    (32767, &[0xFF, 0xFF, 0x01]),
    (-32768, &[0x80, 0x80, 0x7E]),
    (40000, &[0xC0, 0xB8, 0x02]),
    (2147483647, &[0xFF, 0xFF, 0xFF, 0xFF, 0x07]),
    (-2147483648, &[0x80, 0x80, 0x80, 0x80, 0x78]),
];

#[test]
fn numbers_of_the_table_are_encoded_and_decoded() {
    for &(number, bytes) in TABLE {
        let mut encoded = Vec::new();
        encode(&[number], &mut encoded);
        assert_eq!(encoded, bytes, "{number}");
        assert_eq!(encoded_len(&[number]), bytes.len() as u64);
        let mut out = [0i32];
        assert_eq!(
            Portable.decode_i32(bytes, &mut out),
            Ok(Progress {
                bytes: bytes.len(),
                numbers: 1
            })
        );
        assert_eq!(out[0], number);
        let mut out = [0i16];
        let decoded = Portable.decode_i16(bytes, &mut out);
        match i16::try_from(number) {
            Ok(number) => assert_eq!((decoded.unwrap().bytes, out[0]), (bytes.len(), number)),
            Err(_) => assert!(decoded.is_err()),
        }
    }
}

#[test]
fn other_forms_are_refused() {
    use Fault::*;
    let cases: &[(&[u8], Option<Fault>, Option<Fault>)] = &[
        (&[0x80, 0x00], Some(NotShortest), Some(NotShortest)),
        (&[0xFF, 0x7F], Some(NotShortest), Some(NotShortest)),
        (&[0xBF, 0x00], Some(NotShortest), Some(NotShortest)),
        (&[0xC0, 0x7F], Some(NotShortest), Some(NotShortest)),
        (&[0xAC, 0x82, 0x00], Some(NotShortest), Some(NotShortest)),
        (&[0x80, 0xC0, 0x7F], Some(NotShortest), Some(NotShortest)),
        (&[0x80, 0x80, 0x02], Some(OutOfRange), None),
        (&[0xFF, 0xFF, 0x7D], Some(OutOfRange), None),
        (&[0x80, 0x80, 0x80, 0x01], Some(TooLong), None),
        (
            &[0x80, 0x80, 0x80, 0x80, 0x08],
            Some(TooLong),
            Some(OutOfRange),
        ),
        (
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x77],
            Some(TooLong),
            Some(OutOfRange),
        ),
        (
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            Some(TooLong),
            Some(NotShortest),
        ),
        (
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
            Some(TooLong),
            Some(TooLong),
        ),
    ];
    for &(bytes, short, long) in cases {
        let fault = |decoded: Result<Progress, NumberError>| decoded.err().map(|error| error.fault);
        assert_eq!(
            fault(Portable.decode_i16(bytes, &mut [0])),
            short,
            "{bytes:x?} as i16"
        );
        assert_eq!(
            fault(Portable.decode_i32(bytes, &mut [0])),
            long,
            "{bytes:x?} as i32"
        );
    }
}

/// A decoder written from the definition alone, in wide arithmetic: collect groups until bit 7 is clear, subtract
/// 2^(7 n) if bit 6 is set, and demand that encoding the value gives the same bytes.
fn plain(bytes: &[u8], max_bytes: usize, bits: u32, count: usize) -> (Vec<i64>, usize, bool) {
    let (mut values, mut at) = (Vec::new(), 0);
    while values.len() < count {
        let rest = &bytes[at..];
        let Some(last) = rest.iter().take(max_bytes).position(|&byte| byte < 0x80) else {
            return (values, at, rest.len() >= max_bytes);
        };
        let groups = rest[..=last].iter().enumerate();
        let mut value: i128 = groups
            .map(|(index, &byte)| i128::from(byte & 0x7F) << (7 * index))
            .sum();
        if rest[last] & 0x40 != 0 {
            value -= 1 << (7 * (last + 1));
        }
        let in_range = value >= -(1 << (bits - 1)) && value < 1 << (bits - 1);
        let mut shortest = Vec::new();
        if in_range {
            encode(&[value as i32], &mut shortest);
        }
        if shortest != rest[..=last] {
            return (values, at, true);
        }
        values.push(value as i64);
        at += last + 1;
    }
    (values, at, false)
}

fn check_against_plain(bytes: &[u8], count: usize) {
    let mut out = vec![0i16; count];
    check(
        Portable.decode_i16(bytes, &mut out),
        &out,
        plain(bytes, 3, 16, count),
    );
    let mut out = vec![0i32; count];
    check(
        Portable.decode_i32(bytes, &mut out),
        &out,
        plain(bytes, 5, 32, count),
    );
}

fn check<T: Copy + Into<i64>>(
    got: Result<Progress, NumberError>,
    out: &[T],
    want: (Vec<i64>, usize, bool),
) {
    let (values, bytes, fault) = want;
    assert_eq!(got.is_err(), fault);
    let at = got.unwrap_or_else(|error| error.at);
    assert_eq!(
        at,
        Progress {
            bytes,
            numbers: values.len()
        }
    );
    let decoded: Vec<i64> = out[..values.len()]
        .iter()
        .map(|&value| value.into())
        .collect();
    assert_eq!(decoded, values);
}

/// Bytes with a share of continuation bits from none to nearly all, valid or not.
fn random_bytes(random: &mut Random) -> Vec<u8> {
    let (len, continued) = (random.below(400), random.below(20));
    let byte = |random: &mut Random| {
        let byte = random.bits() as u8 & 0x7F;
        if random.below(20) < continued {
            byte | 0x80
        } else {
            byte
        }
    };
    (0..len).map(|_| byte(random)).collect()
}

/// Encoded numbers, mostly of one byte, with a share of longer ones from none to all.
fn random_numbers(random: &mut Random) -> Vec<u8> {
    let (len, long) = (random.below(400), random.below(17));
    let number = |random: &mut Random| match random.below(16) < long {
        true => random.signed(15) as i16,
        false => random.signed(6) as i16,
    };
    let numbers: Vec<i16> = (0..len).map(|_| number(random)).collect();
    let mut bytes = Vec::new();
    encode(&numbers, &mut bytes);
    bytes
}

#[test]
fn decoders_equal_the_plain_one_on_any_bytes() {
    let mut random = Random(1);
    for _ in 0..20_000 {
        let bytes = random_bytes(&mut random);
        let count = random.below(500) as usize;
        check_against_plain(&bytes, count);
    }
}

#[test]
fn decoders_equal_the_plain_one_on_valid_numbers_cut_and_spoilt() {
    let mut random = Random(2);
    for round in 0..20_000 {
        let mut bytes = random_numbers(&mut random);
        if !bytes.is_empty() && round % 2 == 1 {
            let at = random.below(bytes.len() as u64) as usize;
            bytes[at] ^= 1 << random.below(8);
        }
        bytes.truncate(
            random
                .below(bytes.len() as u64 + 1)
                .max(bytes.len() as u64 / 2) as usize,
        );
        check_against_plain(&bytes, random.below(500) as usize);
    }
}

#[test]
fn every_i16_survives() {
    let numbers: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    let mut bytes = Vec::new();
    encode(&numbers, &mut bytes);
    assert_eq!(encoded_len(&numbers), bytes.len() as u64);
    let mut out = vec![0; numbers.len()];
    assert_eq!(
        Portable.decode_i16(&bytes, &mut out),
        Ok(Progress {
            bytes: bytes.len(),
            numbers: out.len()
        })
    );
    assert_eq!(out, numbers);
}
