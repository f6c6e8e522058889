//! Tables of set bits, for levels that cannot compress vectors.

/// For each mask: the indices of the set bits, ascending, `width` bits each.
pub(super) const fn set_bits<const MASKS: usize>(width: u32) -> [u64; MASKS] {
    let mut table = [0; MASKS];
    let mut mask = 0;
    while mask < MASKS {
        let (mut rest, mut count) = (mask, 0);
        while rest != 0 {
            table[mask] |= (rest.trailing_zeros() as u64) << (width * count);
            count += 1;
            rest &= rest - 1;
        }
        mask += 1;
    }
    table
}

/// The set bits of a mask of four: one bit per 4-byte block of 16 bytes.
pub(super) struct SetBits {
    /// their indices, ascending, 16 bits each
    pub(super) numbers: u64,
    /// their count: not every 128-bit level has a popcount instruction
    pub(super) count: usize,
}

impl SetBits {
    /// The set bits of `mask`; bits above the fourth are ignored.
    #[inline(always)]
    pub(super) fn of_four(mask: usize) -> Self {
        static NUMBERS: [u64; 16] = set_bits(16);
        static COUNTS: [u8; 16] = [0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        Self {
            numbers: NUMBERS[mask & 15],
            count: COUNTS[mask & 15].into(),
        }
    }
}
