//! Floats of 16 bits, both kinds, little endian: every one is a float of 32 bits.

/// A float of IEEE 754 binary16: one bit of sign, 5 of the exponent, 10 of the fraction.
pub fn f16(bytes: [u8; 2]) -> f32 {
    let bits = u16::from_le_bytes(bytes);
    let fraction = u32::from(bits & 0x3FF);
    let magnitude = match u32::from(bits >> 10 & 0x1F) {
        // fractions of 2^-14
        0 => fraction as f32 / 16_777_216.0,
        31 => f32::from_bits(0xFF << 23 | fraction << 13),
        exponent => f32::from_bits((exponent + 127 - 15) << 23 | fraction << 13),
    };
    match bits >> 15 {
        0 => magnitude,
        _ => -magnitude,
    }
}

/// A bfloat16: the upper half of a float of 32 bits.
pub fn bf16(bytes: [u8; 2]) -> f32 {
    f32::from_bits(u32::from(u16::from_le_bytes(bytes)) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_have_their_values() {
        for (bits, value) in [
            (0x0000, 0.0),
            (0x8000, -0.0),
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x3555, 0.333_251_95),
            (0x7BFF, 65504.0),
            (0x0400, 6.103_515_6e-5),
            (0x03FF, 6.097_555e-5),
            (0x0001, 5.960_464_5e-8),
            (0x8001, -5.960_464_5e-8),
            (0x7C00, f32::INFINITY),
            (0xFC00, f32::NEG_INFINITY),
        ] {
            let found = f16(u16::to_le_bytes(bits));
            assert_eq!(found.to_bits(), f32::to_bits(value), "{bits:#x}: {found}");
        }
        assert!(f16(0x7E00_u16.to_le_bytes()).is_nan());
        for (bits, value) in [(0x3F80, 1.0), (0xC020, -2.5), (0x8000, -0.0)] {
            let found = bf16(u16::to_le_bytes(bits));
            assert_eq!(found.to_bits(), f32::to_bits(value), "{bits:#x}: {found}");
        }
    }

    /// Each number is between its neighbours.
    #[test]
    fn halves_are_in_order() {
        for bits in 0..0x7C00_u16 {
            let [one, next] = [bits, bits + 1].map(|bits| f16(bits.to_le_bytes()));
            assert!(one < next, "{bits:#x}");
        }
    }
}
