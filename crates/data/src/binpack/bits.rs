//! Numbers of a few bits, the highest bit first.

#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader {
    /// position of the next bit from the start of the bytes
    bit: usize,
}

impl BitReader {
    #[inline]
    pub(super) const fn at(byte: usize) -> Self {
        Self { bit: byte * 8 }
    }

    /// The byte of the next bit.
    #[inline]
    pub(super) const fn byte(&self) -> usize {
        self.bit / 8
    }

    /// The first byte that is entirely unread.
    #[inline]
    pub(super) const fn end(&self) -> usize {
        self.bit.div_ceil(8)
    }

    /// Reads a number of `count` bits, at most 8. `None` if the bytes end before.
    #[inline]
    pub(super) fn take(&mut self, bytes: &[u8], count: u32) -> Option<u32> {
        let next = self.bit + count as usize;
        if next > bytes.len() * 8 {
            return None;
        }
        let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u32::from(byte));
        let window = byte(self.byte()) << 8 | byte(self.byte() + 1);
        let below = 16 - (self.bit % 8) as u32 - count;
        self.bit = next;
        Some(window >> below & ((1 << count) - 1))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BitWriter {
    /// unused bits of the last byte
    free: u32,
}

impl BitWriter {
    /// Appends a number of `count` bits, at most 8. Unused bits of the last byte are zero.
    pub(super) fn put(&mut self, bytes: &mut Vec<u8>, value: u32, count: u32) {
        let mut left = count;
        while left > 0 {
            if self.free == 0 {
                bytes.push(0);
                self.free = 8;
            }
            let now = left.min(self.free);
            let part = value >> (left - now) & ((1 << now) - 1);
            self.free -= now;
            left -= now;
            *bytes.last_mut().expect("a byte with free bits") |= (part << self.free) as u8;
        }
    }
}

/// The bits that an index below `count` needs.
#[inline]
pub(super) const fn width(count: u32) -> u32 {
    match count {
        0 | 1 => 0,
        _ => u32::BITS - (count - 1).leading_zeros(),
    }
}

/// Maps signed to unsigned numbers so that small ones stay small: 0, -1, 1, -2 become 0, 1, 2, 3.
#[inline]
pub(super) const fn zigzag(value: i16) -> u16 {
    ((value << 1) ^ (value >> 15)) as u16
}

/// The inverse of [`zigzag`].
#[inline]
pub(super) const fn unzigzag(value: u16) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let numbers = [
            (1, 1),
            (0, 0),
            (5, 3),
            (200, 8),
            (31, 5),
            (0, 2),
            (127, 7),
            (9, 4),
        ];
        let (mut bytes, mut writer) = (vec![0xAA], BitWriter::default());
        for (value, count) in numbers {
            writer.put(&mut bytes, value, count);
        }
        let mut reader = BitReader::at(1);
        for (value, count) in numbers {
            assert_eq!(reader.take(&bytes, count), Some(value));
        }
        assert_eq!((reader.end(), bytes.len()), (5, 5));
        assert_eq!(reader.take(&bytes, 8), None);
    }

    #[test]
    fn widths() {
        let widths = [
            (0, 0),
            (1, 0),
            (2, 1),
            (3, 2),
            (4, 2),
            (5, 3),
            (8, 3),
            (9, 4),
            (27, 5),
        ];
        for (count, bits) in widths {
            assert_eq!(width(count), bits, "{count}");
        }
    }

    #[test]
    fn zigzag_has_an_inverse() {
        assert_eq!([0, -1, 1, -2].map(zigzag), [0, 1, 2, 3]);
        for value in i16::MIN..=i16::MAX {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
    }
}
