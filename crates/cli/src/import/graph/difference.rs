//! Differences between two computations of the same values.

use std::path::Path;

use crate::error::Error;

/// Allowed rounding difference of sums in another order, relative to the largest number.
const TOLERANCE: f32 = 1e-5;

/// The greatest difference between two computations of a value.
pub(super) struct Difference {
    what: String,
    worst: f32,
    largest: f32,
    /// integers, which must be equal
    exact: bool,
}

impl Difference {
    pub(super) fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            worst: 0.0,
            largest: 0.0,
            exact: false,
        }
    }

    /// Adds a pair of lists. Lists of different lengths differ infinitely.
    pub(super) fn add(&mut self, expected: &[f32], found: &[f32]) {
        if expected.len() != found.len() {
            self.worst = f32::INFINITY;
        }
        for (expected, found) in expected.iter().zip(found) {
            let difference = (expected - found).abs();
            self.worst = if difference.is_nan() {
                f32::INFINITY
            } else {
                self.worst.max(difference)
            };
            self.largest = self.largest.max(expected.abs());
        }
    }

    /// As [`add`](Self::add), for integers.
    pub(super) fn add_whole<T: Copy + Into<i64>>(&mut self, expected: &[i64], found: &[T]) {
        self.exact = true;
        if expected.len() != found.len() {
            self.worst = f32::INFINITY;
        }
        for (&expected, &found) in expected.iter().zip(found) {
            self.worst = self.worst.max(expected.abs_diff(found.into()) as f32);
            self.largest = self.largest.max(expected.unsigned_abs() as f32);
        }
    }

    fn is_wrong(&self) -> bool {
        if self.exact {
            return self.worst > 0.0;
        }
        self.worst > TOLERANCE * self.largest.max(f32::MIN_POSITIVE)
    }

    fn line(&self) -> String {
        format!(
            "{}: differs by {:.1e} at most, numbers are up to {:.3}",
            self.what, self.worst, self.largest
        )
    }
}

/// Reports the differences; an error if one is too large.
pub(super) fn judged(path: &Path, head: String, all: &[Difference]) -> Result<Vec<String>, Error> {
    let wrong: Vec<String> = all
        .iter()
        .filter(|difference| difference.is_wrong())
        .map(Difference::line)
        .collect();
    match wrong.is_empty() {
        true => Ok(told(head, all)),
        false => Err(Error::Mismatch(format!(
            "{}: nothing was written: {}",
            path.display(),
            wrong.join("; ")
        ))),
    }
}

pub(super) fn told(head: String, all: &[Difference]) -> Vec<String> {
    std::iter::once(head)
        .chain(all.iter().map(|one| format!("  {}", one.line())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_parts_of_the_largest_number() {
        let judge = |expected: &[f32], found: &[f32]| {
            let mut difference = Difference::new("output");
            difference.add(expected, found);
            judged(Path::new("model.onnx"), "Compared:".into(), &[difference])
        };
        let lines = judge(&[100.0, 0.0], &[100.0, 0.0005]).expect("it is near");
        assert_eq!(
            lines[1],
            "  output: differs by 5.0e-4 at most, numbers are up to 100.000"
        );
        for (expected, found) in [
            (&[1.0][..], &[1.1][..]),
            (&[1.0], &[f32::NAN]),
            (&[1.0], &[1.0, 2.0]),
            (&[0.0], &[1e-30]),
        ] {
            let error = judge(expected, found).expect_err("it is far").to_string();
            assert!(
                error.starts_with("model.onnx: nothing was written: output: differs by "),
                "{error}"
            );
        }
    }

    #[test]
    fn whole_numbers_are_equal_or_wrong() {
        let judge = |found: &[i32]| {
            let mut difference = Difference::new("fc0");
            difference.add_whole(&[1 << 30, 1], found);
            judged(Path::new("model.onnx"), "Compared:".into(), &[difference]).is_ok()
        };
        assert!(judge(&[1 << 30, 1]));
        assert!(!judge(&[(1 << 30) + 1, 1]) && !judge(&[1 << 30]));
    }
}
