//! Prefix codes that depend on what came before.
//!
//! ```text
//!   a list       zeros  values 0  zeros  values 0  ..           how many zeros, then values, ended by a zero that belongs to the next run
//!   a symbol     0 to 7, then two for each power of two         and as many bits as are left of the number
//!   its context  zeros: bits of the value before, up to 3       values: 4 + bits of the value before, up to 4
//! ```
//!
//! There are three tables of code lengths: of sparse vectors, of lists in steps of 1/2048, of lists of roots. The first two bits say which one, so
//! tables never change: better ones would be the fourth, or another version of the format.

use std::sync::LazyLock;

use super::bits::{BitReader, BitWriter};
use super::error::Damaged;
use super::tables::{CONTEXTS, LENGTHS, SYMBOLS};

/// The longest code word, in bits.
const LONGEST: usize = 15;

/// Bits of words that are found by one look.
const USUAL: usize = 9;

/// A prefix code in canonical order: shorter words first, equal ones by symbol.
struct Code {
    /// by symbol: the word, its first bit lowest, and its length
    words: [(u16, u8); SYMBOLS],
    /// by the next bits: the symbol and the length of its word; 0 of longer words
    usual: [(u8, u8); 1 << USUAL],
    /// by length: the first word, and where its symbols begin
    firsts: [(u32, u32); LONGEST + 1],
    symbols: [u8; SYMBOLS],
}

impl Code {
    fn new(lengths: &[u8; SYMBOLS]) -> Self {
        let (mut words, mut firsts) = ([(0, 0); SYMBOLS], [(0, 0); LONGEST + 1]);
        let (mut symbols, mut count, mut next) = ([0; SYMBOLS], 0, 0_u32);
        let mut usual = [(0, 0); 1 << USUAL];
        for (length, first) in firsts.iter_mut().enumerate().skip(1) {
            next <<= 1;
            *first = (next, count as u32);
            for symbol in (0..SYMBOLS).filter(|&symbol| usize::from(lengths[symbol]) == length) {
                words[symbol] = (((next as u16).reverse_bits() >> (16 - length)), length as u8);
                let found = usual.iter_mut().skip(words[symbol].0.into()).step_by(1 << length);
                found.filter(|_| length <= USUAL).for_each(|entry| *entry = (symbol as u8, length as u8));
                symbols[count] = symbol as u8;
                count += 1;
                next += 1;
            }
        }
        Self { words, usual, firsts, symbols }
    }

    /// The symbol whose word these bits begin with, and the length of the word.
    #[inline]
    fn find(&self, bits: u32) -> Result<(u32, u32), Damaged> {
        match self.usual[bits as usize % (1 << USUAL)] {
            (_, 0) => self.find_long(bits),
            (symbol, length) => Ok((symbol.into(), length.into())),
        }
    }

    #[cold]
    fn find_long(&self, bits: u32) -> Result<(u32, u32), Damaged> {
        let mut word = 0;
        for length in 1..=LONGEST {
            word = word << 1 | bits >> (length - 1) & 1;
            let (first, begin) = self.firsts[length];
            let end = self.firsts.get(length + 1).map_or(SYMBOLS as u32, |&(_, begin)| begin);
            if word >= first && word - first < end - begin {
                return Ok((self.symbols[(begin + word - first) as usize].into(), length as u32));
            }
        }
        Err(Damaged("no code word"))
    }

    /// The next number.
    #[inline]
    fn get(&self, bits: &mut BitReader<'_>) -> Result<u32, Damaged> {
        let seen = bits.peek();
        let (symbol, length) = self.find(seen)?;
        let (first, rest) = first_of(symbol);
        bits.take(length + rest)?;
        Ok(first + (seen >> length & ((1 << rest) - 1)))
    }
}

static CODES: LazyLock<Vec<[Code; CONTEXTS]>> =
    LazyLock::new(|| LENGTHS.iter().map(|table| table.each_ref().map(Code::new)).collect());

/// The symbol of a number, and how many bits are left of it.
const fn symbol(number: u32) -> (u32, u32) {
    if number < 8 {
        return (number, 0);
    }
    let bits = 32 - number.leading_zeros();
    (8 + 2 * (bits - 4) + (number >> (bits - 2) & 1), bits - 2)
}

/// The first number of a symbol, and how many bits are left of it.
const fn first_of(symbol: u32) -> (u32, u32) {
    if symbol < 8 {
        return (symbol, 0);
    }
    let bits = 4 + (symbol - 8) / 2;
    ((2 + symbol % 2) << (bits - 2), bits - 2)
}

/// Calls `each` with the context and the number of every symbol of a list.
fn walk(numbers: &[u16], mut each: impl FnMut(usize, u32)) {
    let (mut at, mut before) = (0, 0);
    while at < numbers.len() {
        // a longer run is several, with no value between them
        let zeros = numbers[at..].iter().take(2047).take_while(|&&number| number == 0).count();
        each(before.min(3), zeros as u32);
        at += zeros;
        while at < numbers.len() {
            each(4 + before.min(4), numbers[at].into());
            if numbers[at] == 0 {
                break; // counted with the next run
            }
            before = (u16::BITS - numbers[at].leading_zeros()) as usize;
            at += 1;
        }
    }
}

/// The table with which a list takes fewest bits.
fn best_table(numbers: &[u16]) -> usize {
    let mut sizes = [0_u32; LENGTHS.len()];
    walk(numbers, |context, number| {
        let (symbol, _) = symbol(number); // what is left of the number is as long in every table
        for (size, table) in sizes.iter_mut().zip(&LENGTHS) {
            *size += u32::from(table[context][symbol as usize]);
        }
    });
    let sizes = sizes.into_iter().enumerate();
    sizes.min_by_key(|(_, size)| *size).map_or(0, |(table, _)| table)
}

pub(super) fn encode(numbers: &[u16], bytes: &mut Vec<u8>) {
    let table = best_table(numbers);
    let (codes, mut bits) = (&CODES[table], BitWriter::new(bytes));
    bits.put(table as u32, 2);
    walk(numbers, |context, number| {
        let (symbol, rest) = symbol(number);
        let (word, length) = codes[context].words[symbol as usize];
        bits.put(u32::from(word) | (number & ((1 << rest) - 1)) << length, u32::from(length) + rest);
    });
    bits.finish();
}

pub(super) fn decode(bytes: &[u8], count: usize, numbers: &mut Vec<u16>) -> Result<usize, Damaged> {
    let mut bits = BitReader::new(bytes);
    let codes = CODES.get(bits.get(2)? as usize).ok_or(Damaged("an unknown table"))?;
    let end = numbers.len() + count;
    let mut next = |context: usize| codes[context].get(&mut bits);
    let mut before = 0;
    while numbers.len() < end {
        let zeros = next(before.min(3))? as usize;
        if zeros > end - numbers.len() {
            return Err(Damaged("more numbers than the policy has"));
        }
        numbers.resize(numbers.len() + zeros, 0);
        while numbers.len() < end {
            let number = next(4 + before.min(4))?;
            if number == 0 {
                break;
            }
            if number > 2047 {
                return Err(Damaged("a number above 2047"));
            }
            before = (u32::BITS - number.leading_zeros()) as usize;
            numbers.push(number as u16);
        }
    }
    Ok(bits.bytes_read())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_is_a_complete_code() {
        for table in &LENGTHS {
            for lengths in table {
                let sum: u32 = lengths.iter().map(|&length| 1 << (LONGEST - usize::from(length))).sum();
                assert_eq!(sum, 1 << LONGEST);
            }
        }
    }

    #[test]
    fn symbols_are_numbers_and_back() {
        for number in 0..2048 {
            let (symbol, rest) = symbol(number);
            assert!((symbol as usize) < SYMBOLS);
            let (first, bits) = first_of(symbol);
            assert_eq!((bits, first + (number & ((1 << rest) - 1))), (rest, number));
        }
    }
}
