//! Defaults of a declaration: shifts and selectors derived from scales and counts.

pub use crate::op::BUFFER_MAX;

/// Pieces on a full board, kings included.
pub const MAX_PIECES: u64 = 32;
/// Default scale of layer weights.
pub const DEFAULT_SCALE: u64 = 64;
/// Default scale of accumulators.
pub const DEFAULT_ONE: u64 = 127;
/// Default version: the first word of the files of SFNNv2 and later.
pub const DEFAULT_VERSION: u32 = 0x7AF3_2F20;
/// Default divisor of the value: raw units per unit of value.
pub const DEFAULT_DIVIDE: i32 = 16;

/// Default value of output 1.0: that of all of bullet's examples.
pub const DEFAULT_OUTPUT: u64 = 400;

/// Smallest shift that brings a product of two accumulator values in `0..=one` to at most 127:
/// 127 gives 7, 255 gives 9.
pub const fn product_shift(one: u64) -> u32 {
    let mut shift = 0;
    while (one.saturating_mul(one) >> shift) > BUFFER_MAX {
        shift += 1;
    }
    shift
}

/// Shift of a clipped ReLU after a layer whose weights have the scale `scale` (a power of two): 64 gives 6.
pub const fn crelu_shift(scale: u64) -> u32 {
    scale.trailing_zeros()
}

/// Shift of a squared clipped ReLU after a layer whose weights have the scale `scale` (a power of two). The
/// scale of the inputs, 127, adds 7 bits: 64 gives 19.
pub const fn sqr_crelu_shift(scale: u64) -> u32 {
    2 * scale.trailing_zeros() + 7
}

/// The default selector `(piece_count - minus) / divide` of `count` stacks.
pub const fn default_selector(count: u64) -> (u64, u64) {
    (
        1,
        if count == 0 || count > MAX_PIECES {
            1
        } else {
            MAX_PIECES / count
        },
    )
}

/// The selector of bullet's `MaterialCount`, `(piece_count - minus) / divide` (`docs/language.md`, "Stacks").
pub const fn material_count(count: u64) -> (u64, u64) {
    (
        2,
        if count == 0 {
            1
        } else {
            MAX_PIECES.div_ceil(count)
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_shifts_of_the_published_scales() {
        assert_eq!([127, 181, 255, 256].map(product_shift), [7, 8, 9, 10]);
        assert_eq!([0, 1, 11].map(product_shift), [0, 0, 0]);
    }

    #[test]
    fn products_fit_and_no_smaller_shift_would_do() {
        for one in 12..3000_u64 {
            let shift = product_shift(one);
            assert!(
                (one * one) >> shift <= 127 && (one * one) >> (shift - 1) > 127,
                "{one}"
            );
        }
    }

    #[test]
    fn shifts_behind_layers_follow_the_scale() {
        assert_eq!((crelu_shift(64), sqr_crelu_shift(64)), (6, 19));
        assert_eq!((crelu_shift(128), sqr_crelu_shift(128)), (7, 21));
    }
}
