//! Numbers that change in the course of a game.

use std::ops::{Add, Neg};

/// Buckets of the network: bucket 0 holds positions with 1 to 4 pieces, bucket 7 those with 29 to 32.
pub(crate) const BUCKETS: usize = 8;

/// A number of centipawns, early and late in the game.
#[derive(Clone, Copy)]
pub(crate) struct Phased {
    early: i32,
    late: i32,
}

impl Phased {
    /// `early` with all pieces on the board, `late` with hardly any.
    pub(crate) const fn new(early: i32, late: i32) -> Self {
        Self { early, late }
    }

    /// The number in a bucket, `scale` times as fine, rounded to the nearest: late in the lowest bucket, early in the highest, linear in between.
    pub(crate) const fn at(self, bucket: usize, scale: i32) -> i32 {
        let (early, late) = (bucket as i32, (BUCKETS - 1 - bucket) as i32);
        let parts = 2 * scale * (early * self.early + late * self.late);
        let whole = BUCKETS as i32 - 1;
        (parts + whole * parts.signum()) / (2 * whole)
    }
}

impl Add for Phased {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.early + other.early, self.late + other.late)
    }
}

impl Neg for Phased {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.early, -self.late)
    }
}
