//! Context-dependent prefix codes.
//!
//! ```text
//!   a list       zeros  values 0  zeros  values 0  ..           how many zeros, then values, ended by a zero that belongs to the next run
//!   a symbol     0 to 7, then two for each power of two         and as many bits as are left of the number
//!   its context  zeros: bits of the value before, up to 3       values: 4 + bits of the value before, up to 4
//! ```
//!
//! There are three tables of code lengths: for sparse vectors, for lists in steps of 1/2048, and for lists of
//! roots. The first two bits select one. Tables never change: a better one would be the fourth, or a new
//! version of the format.

use std::cell::Cell;
use std::sync::LazyLock;

use super::bits::{BitReader, BitWriter};
use super::error::Damaged;
use super::tables::{CONTEXTS, LENGTHS, SYMBOLS};

const LONGEST: usize = 15;

/// Number of bits in the lookup table.
const LOOK: usize = 8;

/// Size of tables by context and symbol: a byte is an index.
const SLOTS: usize = 256;
const _: () = assert!(CONTEXTS * SYMBOLS <= SLOTS);

/// Size of the lookup tables: a power of two, so that indices need no bounds check.
const PLACES: usize = 16 << LOOK;
const _: () = assert!(CONTEXTS << LOOK <= PLACES);

/// A canonical prefix code for each context: shorter words first, equal lengths by symbol.
struct Table {
    /// by context and symbol: the word (first bit lowest) and its length
    words: [(u16, u8); SLOTS],
    /// by context and the next bits (first bit lowest): the decoded word
    found: [Found; PLACES],
}

/// A decoded word.
#[derive(Clone, Copy)]
struct Found {
    /// first number of its symbol
    first: u16,
    /// length of the word and the rest of the number, in bits; 0 if the word is longer than the lookup
    whole: u8,
    /// bits 0 to 3: length of the word; above: context information for the next number
    length_and_before: u8,
}

impl Found {
    const NOTHING: Self = Self {
        first: 0,
        whole: 0,
        length_and_before: 0,
    };

    fn new(symbol: usize, length: u8) -> Self {
        let (first, rest) = first_of(symbol as u32);
        let before = before(first as u16) as u8;
        Self {
            first: first as u16,
            whole: length + rest as u8,
            length_and_before: length | before << 4,
        }
    }
}

impl Table {
    fn new(lengths: &[[u8; SYMBOLS]; CONTEXTS]) -> Self {
        let mut all = [(0, 0); SLOTS];
        let mut found = [Found::NOTHING; PLACES];
        let parts = all
            .chunks_exact_mut(SYMBOLS)
            .zip(found.chunks_exact_mut(1 << LOOK));
        for (lengths, (all, found)) in lengths.iter().zip(parts) {
            let words = words(lengths);
            all.copy_from_slice(&words);
            let short = words
                .iter()
                .enumerate()
                .filter(|(_, (_, length))| usize::from(*length) <= LOOK);
            for (symbol, &(word, length)) in short {
                let same = found.iter_mut().skip(word.into()).step_by(1 << length);
                same.for_each(|entry| *entry = Found::new(symbol, length));
            }
        }
        Self { words: all, found }
    }

    /// Decodes a number; also returns the context information for the next one.
    #[inline(always)] // two calls, each in a loop of few nanoseconds
    fn get(&self, context: usize, bits: &mut BitReader<'_>) -> Result<(u16, usize), Damaged> {
        let seen = bits.seen();
        let mut found = self.found[((context << LOOK) | (seen as usize % (1 << LOOK))) % PLACES];
        if found.whole == 0 {
            found = self.find_long(context, seen)?;
        }
        bits.take(found.whole.into())?;
        let length = found.length_and_before & 15;
        let rest = seen >> length & ((1 << (found.whole - length)) - 1);
        Ok((
            found.first + rest as u16,
            usize::from(found.length_and_before >> 4),
        ))
    }

    #[cold]
    fn find_long(&self, context: usize, seen: u32) -> Result<Found, Damaged> {
        let is_next =
            |&(_, &(word, length)): &(usize, &(u16, u8))| seen & ((1 << length) - 1) == word.into();
        let words = &self.words[context * SYMBOLS..][..SYMBOLS];
        let found = words.iter().enumerate().find(is_next);
        found
            .map(|(symbol, &(_, length))| Found::new(symbol, length))
            .ok_or(Damaged("no code word"))
    }
}

/// The canonical words for the lengths of a context.
fn words(lengths: &[u8; SYMBOLS]) -> [(u16, u8); SYMBOLS] {
    let (mut words, mut next) = ([(0, 0); SYMBOLS], 0_u16);
    for length in 1..=LONGEST {
        next <<= 1;
        for symbol in (0..SYMBOLS).filter(|&symbol| usize::from(lengths[symbol]) == length) {
            words[symbol] = (next.reverse_bits() >> (16 - length), length as u8);
            next += 1;
        }
    }
    words
}

static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| LENGTHS.iter().map(Table::new).collect());

/// The symbol of a number, and the number of its extra bits.
const fn symbol(number: u32) -> (u32, u32) {
    if number < 8 {
        return (number, 0);
    }
    let bits = 32 - number.leading_zeros();
    (8 + 2 * (bits - 4) + (number >> (bits - 2) & 1), bits - 2)
}

/// The first number of a symbol, and the number of its extra bits.
const fn first_of(symbol: u32) -> (u32, u32) {
    if symbol < 8 {
        return (symbol, 0);
    }
    let bits = 4 + (symbol - 8) / 2;
    ((2 + symbol % 2) << (bits - 2), bits - 2)
}

/// Context information of a value: its bit length, at most 4.
const fn before(value: u16) -> usize {
    let bits = (u16::BITS - value.leading_zeros()) as usize;
    if bits < 4 { bits } else { 4 }
}

/// The context for a number of zeros.
const fn of_zeros(before: usize) -> usize {
    if before < 3 { before } else { 3 }
}

/// The context for a value.
const fn of_value(before: usize) -> usize {
    4 + before
}

/// An encoded symbol.
///
/// ```text
///   bits   0 .. 7  context * SYMBOLS + symbol     8 .. 15  bits of the rest of the number     16 ..  that rest
/// ```
#[derive(Clone, Copy, Default)]
struct Symbol(u32);

impl Symbol {
    /// Its index in tables by context and symbol.
    const fn slot(self) -> usize {
        (self.0 & 0xFF) as usize
    }

    /// Its word with the extra bits above, and the total length, at most 24.
    #[inline(always)]
    fn word(self, words: &[(u16, u8); SLOTS]) -> (u64, u32) {
        let (word, length) = words[self.slot()];
        (
            u64::from(word) | u64::from(self.0 >> 16) << length,
            u32::from(length) + (self.0 >> 8 & 0xFF),
        )
    }
}

/// By number: its [`Symbol`] in context 0, and the context information for the next one.
static NUMBERS: LazyLock<[(Symbol, u8); 2048]> = LazyLock::new(|| {
    std::array::from_fn(|number| {
        let (symbol, rest) = symbol(number as u32);
        let left = number as u32 & ((1 << rest) - 1);
        (
            Symbol(symbol | rest << 8 | left << 16),
            before(number as u16) as u8,
        )
    })
});

/// Bits of a field in [`SIZES`].
const FIELD: u32 = 21;
/// Number of symbols whose lengths fit in a field.
const SUMMED: usize = (1 << FIELD) / LONGEST;

/// By context and symbol: the word lengths of all tables in bit fields, so that one addition sums up all
/// tables.
const SIZES: [u64; SLOTS] = {
    let (mut sizes, used) = ([0; SLOTS], CONTEXTS * SYMBOLS);
    let mut at = 0;
    while at < LENGTHS.len() * used {
        let (table, slot) = (at / used, at % used);
        sizes[slot] |=
            (LENGTHS[table][slot / SYMBOLS][slot % SYMBOLS] as u64) << (FIELD * table as u32);
        at += 1;
    }
    sizes
};

thread_local! {
    /// Reused buffer for the symbols of a list: see `coding`.
    static LIST: Cell<Vec<Symbol>> = const { Cell::new(Vec::new()) };
}

/// Writes the symbols of a list, at most two per number and one more, to `symbols`. Returns their number.
fn put_symbols(numbers: &[u16], symbols: &mut [Symbol]) -> usize {
    let known = &*NUMBERS;
    let (mut at, mut count, mut before) = (0, 0, 0);
    let mut put = |context: usize, number: usize| {
        let (Symbol(symbol), before) = known[number % 2048];
        symbols[count] = Symbol(symbol + (context * SYMBOLS) as u32);
        count += 1;
        before.into()
    };
    while at < numbers.len() {
        // longer runs are split, with no value between them
        let zeros = numbers[at..]
            .iter()
            .take(2047)
            .take_while(|&&number| number == 0)
            .count();
        put(of_zeros(before), zeros);
        at += zeros;
        while at < numbers.len() {
            let after = put(of_value(before), numbers[at].into());
            if numbers[at] == 0 {
                break; // counted with the next run
            }
            before = after;
            at += 1;
        }
    }
    count
}

/// The table with the shortest encoding, judged by the symbols that fit in the sums.
fn best_table(symbols: &[Symbol]) -> usize {
    let symbols = &symbols[..symbols.len().min(SUMMED)];
    let sizes: u64 = symbols.iter().map(|symbol| SIZES[symbol.slot()]).sum();
    let size = |table: &usize| sizes >> (FIELD * *table as u32) & ((1 << FIELD) - 1);
    (0..LENGTHS.len()).min_by_key(size).unwrap_or(0)
}

pub(super) fn encode(numbers: &[u16], bytes: &mut Vec<u8>) {
    let (mut list, most) = (LIST.take(), 2 * numbers.len() + 1);
    if list.len() < most {
        list.resize(most, Symbol::default());
    }
    let count = put_symbols(numbers, &mut list);
    let symbols = &list[..count];
    let table = best_table(symbols);
    let (words, mut bits) = (&TABLES[table].words, BitWriter::new(bytes, 3 * count + 1));
    bits.put(table as u64, 2);
    // pairs shorten the dependency chain: a word's position depends on the length of the one before
    let (pairs, last) = symbols.as_chunks::<2>();
    for [first, second] in pairs {
        let ((first, length), (second, more)) = (first.word(words), second.word(words));
        bits.put(first | second << length, length + more);
    }
    for symbol in last {
        let (word, length) = symbol.word(words);
        bits.put(word, length);
    }
    bits.finish();
    LIST.set(list);
}

pub(super) fn decode(bytes: &[u8], count: usize, numbers: &mut Vec<u16>) -> Result<usize, Damaged> {
    let mut bits = BitReader::new(bytes);
    let table = TABLES
        .get(bits.get(2)? as usize)
        .ok_or(Damaged("an unknown table"))?;
    let begin = numbers.len();
    numbers.resize(begin + count, 0);
    let numbers = &mut numbers[begin..];
    let (mut at, mut before) = (0, 0);
    while at < count {
        bits.fill();
        let (zeros, _) = table.get(of_zeros(before), &mut bits)?;
        at += usize::from(zeros);
        if at > count {
            return Err(Damaged("more numbers than the policy has"));
        }
        'values: for two in numbers[at..].chunks_mut(2) {
            bits.fill(); // enough for two words of 24 bits
            for number in two {
                let (value, after) = table.get(of_value(before), &mut bits)?;
                if value == 0 {
                    break 'values; // counted with the next run
                }
                if value > 2047 {
                    return Err(Damaged("a number above 2047"));
                }
                (*number, before) = (value, after);
                at += 1;
            }
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
                let sum: u32 = lengths
                    .iter()
                    .map(|&length| 1 << (LONGEST - usize::from(length)))
                    .sum();
                assert_eq!(sum, 1 << LONGEST);
            }
        }
    }

    #[test]
    fn symbols_are_numbers_and_back() {
        for number in 0..2048 {
            let (symbol, rest) = symbol(number);
            assert!(
                (symbol as usize) < SYMBOLS
                    && before(number as u16) == before(first_of(symbol).0 as u16)
            );
            let (first, bits) = first_of(symbol);
            assert_eq!((bits, first + (number & ((1 << rest) - 1))), (rest, number));
        }
    }
}
