//! Squares.

/// A square: a1 is 0, b1 is 1, h8 is 63. Always below 64.
///
/// For boards whose first square is a8 (a8 is 0, h8 is 7, a1 is 56), use
/// [`try_from_a8`](Self::try_from_a8) and [`index_a8`](Self::index_a8).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    ///
    /// If `index` is not below 64.
    #[inline(always)]
    pub const fn new(index: u8) -> Self {
        assert!(index < 64, "a square is below 64");
        Self(index)
    }

    /// The square with this index, or `None` if it is not below 64.
    #[inline(always)]
    pub const fn try_new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square with this number on boards where a8 is 0, h8 is 7 and h1 is 63, or `None` if it
    /// is not below 64.
    ///
    /// ```
    /// use nnue_runtime::Square;
    ///
    /// assert_eq!(Square::try_from_a8(0), Some(Square::at(0, 7)));
    /// assert_eq!(Square::at(4, 0).index_a8(), 60);
    /// assert_eq!(Square::try_from_a8(64), None);
    /// ```
    #[inline(always)]
    pub const fn try_from_a8(number: u8) -> Option<Self> {
        match Self::try_new(number) {
            Some(square) => Some(square.xor(56)),
            None => None,
        }
    }

    /// The square whose index is `index` modulo 64.
    #[inline(always)]
    pub const fn wrapping(index: u32) -> Self {
        Self((index % 64) as u8)
    }

    /// The square at `file` (a is 0) and `rank` (the first is 0).
    ///
    /// # Panics
    ///
    /// If either is not below 8.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Self {
        assert!(file < 8 && rank < 8, "files and ranks are below 8");
        Self(8 * rank + file)
    }

    /// 0..64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0..64, where a8 is 0, h8 is 7 and h1 is 63.
    #[inline(always)]
    pub const fn index_a8(self) -> usize {
        self.xor(56).index()
    }

    /// 0 (file a) to 7 (file h).
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// 0 (first rank) to 7 (eighth rank).
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// The bitboard that contains only this square.
    #[inline(always)]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The square with index `self ^ mask`, `mask` taken modulo 64: 7 mirrors left-right, 56
    /// top-bottom, 63 rotates.
    #[inline(always)]
    #[must_use]
    pub const fn xor(self, mask: u8) -> Self {
        Self(self.0 ^ (mask % 64))
    }
}

impl core::fmt::Debug for Square {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, self.rank() + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_and_index_agree() {
        assert_eq!(Square::at(4, 0).index(), 4);
        assert_eq!(
            format!("{:?} {:?}", Square::new(0), Square::new(63)),
            "a1 h8"
        );
        assert_eq!(Square::try_new(64), None);
        assert_eq!(Square::wrapping(64), Square::new(0));
    }

    #[test]
    fn boards_may_begin_at_a8() {
        for number in 0..64 {
            let square = Square::at(number % 8, 7 - number / 8);
            assert_eq!(Square::try_from_a8(number), Some(square));
            assert_eq!(square.index_a8(), usize::from(number));
        }
        assert!((64..=u8::MAX).all(|number| Square::try_from_a8(number).is_none()));
    }

    #[test]
    fn xor_mirrors() {
        assert_eq!(Square::at(1, 2).xor(7), Square::at(6, 2));
        assert_eq!(Square::at(1, 2).xor(56), Square::at(1, 5));
        assert_eq!(Square::at(1, 2).xor(63), Square::at(6, 5));
    }
}
