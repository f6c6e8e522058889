//! Decimal numbers with the digits as written.

use core::fmt;

/// A number as written in decimal: `digits / 10^decimals`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    /// all digits as one number, without the point
    pub digits: i64,
    /// number of digits after the point: at most 18
    pub decimals: u8,
}

impl Decimal {
    /// Greatest number of digits: all numbers with as many fit in 64 bits.
    const MOST_DIGITS: usize = 18;

    /// Reads `-12.5`. `None` if it is malformed or has more than 18 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, text) = text
            .strip_prefix('-')
            .map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let mut digits = 0;
        let length = whole.len() + fraction.len();
        if length == 0 || length > Self::MOST_DIGITS {
            return None;
        }
        for digit in whole.bytes().chain(fraction.bytes()) {
            if !digit.is_ascii_digit() {
                return None;
            }
            digits = digits * 10 + i64::from(digit - b'0');
        }
        Some(Self {
            digits: if negative { -digits } else { digits },
            decimals: fraction.len() as u8,
        })
    }

    /// Whether a float equals this number: it is the nearest float, or differs by at most half of the last
    /// written digit.
    pub fn agrees(self, found: f32) -> bool {
        let number = self.digits as f64 / self.scale();
        found == number as f32 || (f64::from(found) - number).abs() <= 0.5 / self.scale()
    }

    /// `10^decimals`
    fn scale(self) -> f64 {
        (0..self.decimals).fold(1.0, |scale, _| scale * 10.0)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let scale = 10_u64.pow(self.decimals.into());
        let (whole, fraction) = (
            self.digits.unsigned_abs() / scale,
            self.digits.unsigned_abs() % scale,
        );
        match usize::from(self.decimals) {
            0 => write!(f, "{sign}{whole}"),
            decimals => write!(f, "{sign}{whole}.{fraction:0decimals$}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn numbers_are_read_and_written() {
        for text in [
            "0",
            "-0.5",
            "12.50",
            "-1234.000001",
            "0.15734251",
            "123456789012345678",
        ] {
            assert_eq!(
                Decimal::parse(text)
                    .map(|number| number.to_string())
                    .as_deref(),
                Some(text)
            );
        }
        for wrong in [
            "",
            "-",
            ".",
            "1e5",
            "1.2.3",
            "1234567890123456789",
            "0x10",
            "1.-5",
            "+3",
            "--3",
            "-\u{663}",
        ] {
            assert_eq!(Decimal::parse(wrong), None, "{wrong}");
        }
        assert_eq!(
            Decimal::parse(".5"),
            Some(Decimal {
                digits: 5,
                decimals: 1
            })
        );
    }

    #[test]
    fn floats_agree_as_far_as_a_number_is_written() {
        let agrees = |text: &str, found: f32| Decimal::parse(text).expect("a number").agrees(found);
        assert!(
            agrees("0.16", 0.157)
                && !agrees("0.15", 0.157)
                && agrees("-3", -2.6)
                && !agrees("-3", f32::NAN)
        );
        // A number written with all digits of a float agrees with no other float.
        for found in [0.157_342_51_f32, 123.456_78] {
            let text = found.to_string();
            assert!(agrees(&text, found), "{text}");
            assert!(
                !agrees(&text, f32::from_bits(found.to_bits() + 2)),
                "{text}"
            );
        }
    }
}
