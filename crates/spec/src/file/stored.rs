//! Numbers that a file holds in another type or scale than memory.

use crate::descriptor::ElementType;

/// A tensor with another element type or scale in the file than in memory: `held = number * times / over`, of
/// integers toward zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// index of the tensor
    pub tensor: usize,
    /// element type in the file: i8, i16 or i32
    pub element: ElementType,
    /// factor of integers, at least 1; 1 if memory has floats
    pub times: i64,
    /// scale of the numbers in the file, if memory has floats; divisor of integers, 1 unless a ratio is declared
    pub over: i64,
}

impl Stored {
    /// The numbers of the file, of tensor 0 in 32 bits.
    pub const SAME: Self = Self {
        tensor: 0,
        element: ElementType::I32,
        times: 1,
        over: 1,
    };

    /// The number in the file for the integer `held`, of several the one nearest to 0; `None` if no number stands
    /// for it.
    ///
    /// ```
    /// use nnue_spec::{ElementType, Stored};
    /// let bias = Stored { tensor: 0, element: ElementType::I8, times: 4096, over: 1 };
    /// assert_eq!([8192, 4097, 128 * 4096].map(|held| bias.of_whole(held)), [Some(2), None, None]);
    /// let half = Stored { times: 127, over: 255, ..bias };
    /// assert_eq!([0, 1, -1, 2].map(|held| half.of_whole(held)), [Some(0), Some(3), Some(-3), Some(5)]);
    /// ```
    pub const fn of_whole(&self, held: i64) -> Option<i64> {
        let Some(product) = held.unsigned_abs().checked_mul(self.over.unsigned_abs()) else {
            return None;
        };
        let number = product.div_ceil(self.times.unsigned_abs()).cast_signed() * held.signum();
        let (least, greatest) = self.element.range();
        let is_it = matches!(self.whole(number), Some(found) if found == held);
        if is_it && least <= number && number <= greatest {
            Some(number)
        } else {
            None
        }
    }

    /// The number in the file for the float `held`; `None` if no number stands for it.
    pub fn of_float(&self, held: f32) -> Option<i64> {
        let (least, greatest) = self.element.range();
        let number = (f64::from(held) * self.over as f64) as i64;
        let is_it = least <= number && number <= greatest && self.float(number) == Some(held);
        is_it.then_some(number)
    }

    /// The integer in memory for a number in the file; `None` on overflow of 64 bits.
    pub const fn whole(&self, number: i64) -> Option<i64> {
        match number.checked_mul(self.times) {
            Some(product) => Some(product / self.over),
            None => None,
        }
    }

    /// The float in memory for a number in the file; `None` if it has more than 24 bits.
    pub fn float(&self, number: i64) -> Option<f32> {
        (number.unsigned_abs() <= 1 << 24).then(|| number as f32 / self.over as f32)
    }
}
