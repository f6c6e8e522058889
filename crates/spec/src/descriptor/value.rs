//! The value of a position from the outputs of the last layer, shared by compiled networks, the reference
//! interpreter, golden values and tools.
//!
//! ```text
//!   outputs of the last layer ── RawOutput::positional ──► positional ─┐
//!                                                                      ├── ValueDesc::join ──► value for the first perspective
//!   PSQT of both perspectives ── psqt_difference ────────► psqt ───────┘          │
//!                                                                                 ▼
//!                                              NetDesc::value_of: the value for the side to move
//! ```

use crate::descriptor::{NetDesc, Unit};
use crate::wdl::{Wdl, sigmoid};

/// How the PSQT part and the positional part combine into the value. Divisions truncate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueDesc {
    /// `(psqt + positional) / divide`
    Together {
        /// raw units per unit of value
        divide: i32,
    },
    /// `psqt / divide + positional / divide`
    Separately {
        /// raw units per unit of value
        divide: i32,
    },
    /// `clamp_i32(positional * num / den)` with a 64-bit product; without a PSQT part
    Scaled {
        /// numerator: the scale of values, 400 in the examples of bullet
        num: i64,
        /// denominator: the scale of the output
        den: i64,
    },
    /// `positional >> bits`, rounded down; without a PSQT part
    Shifted {
        /// 0 to 31
        bits: u32,
    },
    /// `trunc(output * scale)` in f32, clamped to i32, for a float output; also the positional part
    Float {
        /// value of output 1.0
        scale: Unit,
    },
    /// like [`Self::Float`], of `1 / (1 + exp(-output))`
    Sigmoid {
        /// value of a certain win
        scale: i32,
    },
    /// like [`Self::Float`], of `win + draw / 2` after the softmax of three outputs: loss, draw, win
    Wdl {
        /// value of a certain win
        scale: i32,
    },
}

/// The output of the last layer, before conversion to a value. In networks declared `white_first`, it is
/// White's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RawOutput {
    /// integer output: terms added and scaled as [`OutputDesc`](crate::OutputDesc) says
    Sum(i32),
    /// float output, likewise
    Float(f32),
    /// three float outputs
    Wdl(Wdl),
}

impl RawOutput {
    /// The positional part of an evaluation: the sum itself, or the float times the scale of the value,
    /// truncated, clamped to i32, and 0 for NaN.
    #[inline(always)]
    pub fn positional(self, desc: ValueDesc) -> i32 {
        match self {
            Self::Sum(sum) => sum,
            _ => self.scaled(desc) as i32,
        }
    }

    /// A float output times the scale of the value; a sum as it is, rounded to a float.
    #[inline(always)]
    fn scaled(self, desc: ValueDesc) -> f32 {
        match (self, desc) {
            (Self::Float(output), ValueDesc::Float { scale }) => output * scale.factor(),
            (Self::Float(output), ValueDesc::Sigmoid { scale }) => sigmoid(output) * scale as f32,
            (Self::Wdl(wdl), ValueDesc::Wdl { scale }) => wdl.expected_score() * scale as f32,
            // Unreachable for checked declarations.
            (Self::Sum(sum), _) => sum as f32,
            (Self::Float(output), _) => output,
            (Self::Wdl(_), _) => 0.0,
        }
    }
}

/// The PSQT part of an evaluation: half the difference of the perspectives, truncated. The difference wraps.
#[inline(always)]
pub const fn psqt_difference(first: i32, second: i32) -> i32 {
    first.wrapping_sub(second) / 2
}

impl ValueDesc {
    /// The value from the point of view of the first perspective. Sums wrap, divisions truncate.
    ///
    /// ```
    /// use nnue_spec::ValueDesc;
    /// assert_eq!(ValueDesc::Together { divide: 16 }.join(9, 9), 1);
    /// assert_eq!(ValueDesc::Separately { divide: 16 }.join(9, 9), 0);
    /// ```
    #[inline(always)]
    pub const fn join(self, psqt: i32, positional: i32) -> i32 {
        match self {
            Self::Together { divide } => psqt.wrapping_add(positional).wrapping_div(divide),
            Self::Separately { divide } => psqt
                .wrapping_div(divide)
                .wrapping_add(positional.wrapping_div(divide)),
            Self::Float { .. } | Self::Sigmoid { .. } | Self::Wdl { .. } => positional,
            Self::Shifted { bits } => positional.wrapping_shr(bits),
            Self::Scaled { num, den } => {
                // `num` has at most 31 bits, so the product fits in 64.
                let scaled = positional as i64 * num / den;
                if scaled > i32::MAX as i64 {
                    i32::MAX
                } else if scaled < i32::MIN as i64 {
                    i32::MIN
                } else {
                    scaled as i32
                }
            }
        }
    }

    /// [`join`](Self::join) before it is rounded to an integer, of all outputs: what is divided keeps its fraction,
    /// and a float is the product in f32 that [`RawOutput::positional`] truncates. It is NaN if the output is.
    ///
    /// ```
    /// use nnue_spec::{RawOutput, ValueDesc};
    /// assert_eq!(ValueDesc::Together { divide: 16 }.real(9, RawOutput::Sum(9)), 1.125);
    /// assert_eq!(ValueDesc::Shifted { bits: 2 }.real(0, RawOutput::Sum(-7)), -1.75);
    /// ```
    #[inline(always)]
    pub fn real(self, psqt: i32, output: RawOutput) -> f64 {
        let positional = output.positional(self);
        match self {
            Self::Together { divide } => {
                f64::from(psqt.wrapping_add(positional)) / f64::from(divide)
            }
            Self::Separately { divide } => {
                (f64::from(psqt) + f64::from(positional)) / f64::from(divide)
            }
            Self::Scaled { num, den } => f64::from(positional) * num as f64 / den as f64,
            Self::Shifted { bits } => f64::from(positional) / (1_u64 << bits.min(31)) as f64,
            Self::Float { .. } | Self::Sigmoid { .. } | Self::Wdl { .. } => {
                f64::from(output.scaled(self))
            }
        }
    }

    /// Whether the output is a 32-bit float.
    pub const fn is_float(self) -> bool {
        matches!(
            self,
            Self::Float { .. } | Self::Sigmoid { .. } | Self::Wdl { .. }
        )
    }

    /// The value for the other side: the negative, or for an expected score, `scale - value`.
    ///
    /// ```
    /// use nnue_spec::ValueDesc;
    /// assert_eq!(ValueDesc::Together { divide: 16 }.of_other_side(53), -53);
    /// assert_eq!(ValueDesc::Wdl { scale: 1000 }.of_other_side(600), 400);
    /// ```
    #[inline(always)]
    pub const fn of_other_side(self, value: i32) -> i32 {
        match self {
            Self::Sigmoid { scale } | Self::Wdl { scale } => scale.saturating_sub(value),
            Self::Together { .. }
            | Self::Separately { .. }
            | Self::Scaled { .. }
            | Self::Shifted { .. }
            | Self::Float { .. } => value.saturating_neg(),
        }
    }

    /// [`of_other_side`](Self::of_other_side) of a [`real`](Self::real) value.
    #[inline(always)]
    pub fn real_of_other_side(self, real: f64) -> f64 {
        match self {
            Self::Sigmoid { scale } | Self::Wdl { scale } => f64::from(scale) - real,
            _ => -real,
        }
    }
}

impl NetDesc<'_> {
    /// The value for the side to move, from the two parts of an evaluation, which are those of the first
    /// perspective.
    ///
    /// Every evaluator uses it.
    #[inline(always)]
    pub const fn value_of(&self, psqt: i32, positional: i32, black_to_move: bool) -> i32 {
        let value = self.value.join(psqt, positional);
        if self.reads_side_to_move_first(black_to_move) {
            value
        } else {
            self.value.of_other_side(value)
        }
    }

    /// [`value_of`](Self::value_of) before it is rounded to an integer: see [`ValueDesc::real`].
    #[inline(always)]
    pub fn real_value_of(&self, psqt: i32, output: RawOutput, black_to_move: bool) -> f64 {
        let real = self.value.real(psqt, output);
        if self.reads_side_to_move_first(black_to_move) {
            real
        } else {
            self.value.real_of_other_side(real)
        }
    }

    /// Whether the first perspective is that of the side to move.
    const fn reads_side_to_move_first(&self, black_to_move: bool) -> bool {
        self.accumulator.order.begins_with_black(black_to_move) == black_to_move
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_truncate_together_or_separately() {
        assert_eq!(ValueDesc::Together { divide: 16 }.join(31, -15), 1);
        assert_eq!(ValueDesc::Together { divide: 16 }.join(-31, 15), -1);
        assert_eq!(ValueDesc::Separately { divide: 16 }.join(31, -15), 1);
        assert_eq!(ValueDesc::Separately { divide: 16 }.join(31, 15), 1);
        assert_eq!(ValueDesc::Together { divide: 16 }.join(31, 15), 2);
    }

    #[test]
    fn scaled_values_are_held_to_their_range() {
        let scaled = ValueDesc::Scaled { num: 400, den: 2 };
        assert_eq!(
            [7, -7, i32::MAX, i32::MIN].map(|sum| scaled.join(0, sum)),
            [1400, -1400, i32::MAX, i32::MIN]
        );
    }

    #[test]
    fn floats_are_truncated_and_held() {
        let positional = |output| {
            RawOutput::Float(output).positional(ValueDesc::Float {
                scale: Unit::whole(100),
            })
        };
        assert_eq!(
            [0.999, -0.999, 1e30, f32::NAN].map(positional),
            [99, -99, i32::MAX, 0]
        );
        assert_eq!(
            RawOutput::Float(0.0).positional(ValueDesc::Sigmoid { scale: 1001 }),
            500
        );
        assert_eq!(
            RawOutput::Wdl(Wdl::new([0.0; 3])).positional(ValueDesc::Wdl { scale: 1000 }),
            500
        );
    }

    /// Of every kind of value: rounded towards zero, or down after a shift, the real value is the value.
    #[test]
    fn real_values_round_to_values() {
        let sums = [
            ValueDesc::Together { divide: 16 },
            ValueDesc::Scaled { num: 400, den: 97 },
            ValueDesc::Shifted { bits: 6 },
        ];
        for desc in sums {
            let psqt = if matches!(desc, ValueDesc::Together { .. }) {
                -77
            } else {
                0
            };
            for sum in -1000..1000 {
                let real = desc.real(psqt, RawOutput::Sum(sum));
                let rounded = match desc {
                    ValueDesc::Shifted { .. } => real.floor(),
                    _ => real.trunc(),
                };
                assert_eq!(rounded as i32, desc.join(psqt, sum), "{desc:?} of {sum}");
            }
        }
        let floats = [
            ValueDesc::Float {
                scale: Unit::whole(100),
            },
            ValueDesc::Sigmoid { scale: 1001 },
        ];
        for desc in floats {
            for output in (-1000..1000).map(|step| RawOutput::Float(step as f32 / 77.0)) {
                let real = desc.real(0, output);
                assert_eq!(real as i32, desc.join(0, output.positional(desc)));
            }
        }
        let separately = ValueDesc::Separately { divide: 16 };
        assert_eq!(separately.real(9, RawOutput::Sum(9)), 1.125);
        assert!(floats[0].real(0, RawOutput::Float(f32::NAN)).is_nan());
    }

    #[test]
    fn the_other_side_has_the_rest_of_an_expected_score() {
        let scale = Unit::whole(100);
        assert_eq!(
            ValueDesc::Wdl { scale: 1000 }.real_of_other_side(599.5),
            400.5
        );
        assert_eq!(ValueDesc::Float { scale }.real_of_other_side(53.5), -53.5);
    }

    #[test]
    fn differences_wrap_before_they_are_halved() {
        assert_eq!(
            [psqt_difference(-3, 2), psqt_difference(i32::MAX, -1)],
            [-2, i32::MIN / 2]
        );
    }
}
