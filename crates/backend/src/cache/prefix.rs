//! A static prefix code for numbers and zero runs, published for Go in 2019.
//!
//! ```text
//!   V v    v = 0 to 63    the number v                            0100 000 x1100 xx0010 xxx1010 xxxx0110 xxxxx1110
//!   Z z    z = 0 to 15    z + 2 zeros                             0001 1001 x0101 xx1101 xxx0011
//!   X x    x = 0 to 31    after V: 64 (x + 1) more                1011 00111 x10111 xx01111 xxx011111 xxxx111111
//!                         after Z: 16 (x + 1) more zeros
//! ```
//!
//! Words are written here with the first bit on the right. The bits `x` are the rest of a number whose
//! highest bit the code word determines.

use super::bits::{BitReader, BitWriter};
use super::error::Damaged;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Value,
    Zeros,
    More,
}

/// A code word: its bits, their number, and the numbers that it encodes: `first` to `first + 2^free - 1`.
#[derive(Clone, Copy)]
struct Word {
    bits: u32,
    length: u32,
    free: u32,
    kind: Kind,
    first: u32,
}

const fn word(bits: u32, length: u32, free: u32, kind: Kind, first: u32) -> Word {
    Word {
        bits,
        length,
        free,
        kind,
        first,
    }
}

const WORDS: [Word; 18] = [
    word(0b0100, 4, 0, Kind::Value, 0),
    word(0b000, 3, 0, Kind::Value, 1),
    word(0b1100, 4, 1, Kind::Value, 2),
    word(0b0010, 4, 2, Kind::Value, 4),
    word(0b1010, 4, 3, Kind::Value, 8),
    word(0b0110, 4, 4, Kind::Value, 16),
    word(0b1110, 4, 5, Kind::Value, 32),
    word(0b0001, 4, 0, Kind::Zeros, 0),
    word(0b1001, 4, 0, Kind::Zeros, 1),
    word(0b0101, 4, 1, Kind::Zeros, 2),
    word(0b1101, 4, 2, Kind::Zeros, 4),
    word(0b0011, 4, 3, Kind::Zeros, 8),
    word(0b1011, 4, 0, Kind::More, 0),
    word(0b00111, 5, 0, Kind::More, 1),
    word(0b10111, 5, 1, Kind::More, 2),
    word(0b01111, 5, 2, Kind::More, 4),
    word(0b01_1111, 6, 3, Kind::More, 8),
    word(0b11_1111, 6, 4, Kind::More, 16),
];

/// Length of the longest word in bits, without the rest of a number.
const LONGEST: u32 = 6;

/// The word at the start of six bits: the code is complete.
const BEGUN: [u8; 1 << LONGEST] = {
    let mut begun = [0; 1 << LONGEST];
    let mut index = 0;
    while index < WORDS.len() {
        let mut bits = WORDS[index].bits as usize;
        while bits < begun.len() {
            begun[bits] = index as u8;
            bits += 1 << WORDS[index].length;
        }
        index += 1;
    }
    begun
};

/// The word for each number of each kind: 64 values, 16 run lengths, 32 extensions.
const OF_NUMBERS: [[u8; 64]; 3] = {
    let mut of = [[0; 64]; 3];
    let mut index = 0;
    while index < WORDS.len() {
        let Word {
            kind, first, free, ..
        } = WORDS[index];
        let mut number = first as usize;
        while number < first as usize + (1 << free) {
            of[kind as usize][number] = index as u8;
            number += 1;
        }
        index += 1;
    }
    of
};

#[inline]
fn put(kind: Kind, number: u32, bits: &mut BitWriter<'_>) {
    let word = &WORDS[usize::from(OF_NUMBERS[kind as usize][number as usize])];
    bits.put(
        (word.bits | (number - word.first) << word.length).into(),
        word.length + word.free,
    );
}

#[inline]
fn get(bits: &mut BitReader<'_>) -> Result<(Kind, u32), Damaged> {
    let seen = bits.peek();
    let word = &WORDS[usize::from(BEGUN[seen as usize % BEGUN.len()])];
    bits.take(word.length + word.free)?;
    Ok((
        word.kind,
        word.first + (seen >> word.length & ((1 << word.free) - 1)),
    ))
}

pub(super) fn encode(numbers: &[u16], bytes: &mut Vec<u8>) {
    let mut bits = BitWriter::new(bytes, 3 * numbers.len());
    for run in numbers.chunk_by(|a, b| a == b && *a == 0) {
        if run.len() == 1 {
            let number = u32::from(run[0]);
            put(Kind::Value, number % 64, &mut bits);
            put_more(number / 64, &mut bits);
        } else {
            put_zeros(run.len() as u32, &mut bits);
        }
    }
    bits.finish();
}

fn put_more(count: u32, bits: &mut BitWriter<'_>) {
    if count > 0 {
        put(Kind::More, count - 1, bits);
    }
}

/// Writes a run of at least two zeros in parts of at most 529, never leaving a single zero.
fn put_zeros(mut zeros: u32, bits: &mut BitWriter<'_>) {
    while zeros > 0 {
        let part = if zeros == 530 { 528 } else { zeros.min(529) };
        put(Kind::Zeros, (part - 2) % 16, bits);
        put_more((part - 2) / 16, bits);
        zeros -= part;
    }
}

pub(super) fn decode(bytes: &[u8], count: usize, numbers: &mut Vec<u16>) -> Result<usize, Damaged> {
    let (mut bits, end) = (BitReader::new(bytes), numbers.len() + count);
    let too_long = || Damaged("more numbers than the policy has");
    // the kind that an extension would extend
    let mut last = Kind::More;
    // an extension of the last number shows only in the remaining bits
    while numbers.len() < end || follows_more(&bits, last) {
        let (kind, number) = get(&mut bits)?;
        match (kind, last) {
            (Kind::Value, _) => numbers.push(number as u16),
            (Kind::Zeros, _) => numbers.resize(numbers.len() + number as usize + 2, 0),
            (Kind::More, Kind::Value) => {
                let value = numbers.last_mut().expect("a value came before");
                *value += 64 * (number as u16 + 1);
                if *value > 2047 {
                    return Err(Damaged("a number above 2047"));
                }
            }
            (Kind::More, Kind::Zeros) => {
                numbers.resize(numbers.len() + 16 * (number as usize + 1), 0)
            }
            (Kind::More, Kind::More) => return Err(Damaged("an extension of nothing")),
        }
        if numbers.len() > end {
            return Err(too_long());
        }
        last = kind;
    }
    Ok(bits.bytes_read())
}

/// Whether an extension comes next. Padding of the last byte is not one: its zeros are the start of a number.
fn follows_more(bits: &BitReader<'_>, last: Kind) -> bool {
    last != Kind::More && matches!(get(&mut bits.clone()), Ok((Kind::More, _)))
}
