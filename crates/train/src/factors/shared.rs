//! A tensor of virtual weights: the map from rows to virtual rows, and sums in both directions.
//!
//! ```text
//!   rows of the network     0  1  2  3  4  5          virtual row of each    0  1  2  0  1  -
//!   members, by virtual row 0 3 | 1 4 | 2             ends                   2  4  5
//! ```

use std::num::NonZeroUsize;
use std::ops::Range;
use std::thread;

use nnue_spec::op::Real;

/// Marks a row without a virtual row.
pub(crate) const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
pub(crate) struct Shared {
    /// shown to users
    pub(super) name: String,
    /// the tensor whose rows share them
    pub(crate) tensor: usize,
    /// length of a row
    pub(crate) columns: usize,
    /// virtual row of each row, or [`NONE`]
    pub(crate) virtual_of: Vec<u32>,
    /// rows of each virtual row, ascending
    pub(crate) members: Vec<u32>,
    /// end of each virtual row's rows in `members`
    pub(crate) ends: Vec<usize>,
}

impl Shared {
    /// `virtual_of` must be numbered from 0 without gaps.
    pub(super) fn new(name: String, tensor: usize, columns: usize, virtual_of: Vec<u32>) -> Self {
        let mut members: Vec<u32> = (0..virtual_of.len() as u32)
            .filter(|&row| virtual_of[row as usize] != NONE)
            .collect();
        members.sort_by_key(|&row| virtual_of[row as usize]);
        let ends = members.chunk_by(|&a, &b| virtual_of[a as usize] == virtual_of[b as usize]);
        let ends = ends.scan(0, |end, of_row| {
            *end += of_row.len();
            Some(*end)
        });
        Self {
            name,
            tensor,
            columns,
            ends: ends.collect(),
            virtual_of,
            members,
        }
    }

    /// The number of virtual weights.
    pub(crate) fn len(&self) -> usize {
        self.ends.len() * self.columns
    }

    fn of_row<'n, T>(&self, numbers: &'n [T], row: usize) -> Option<&'n [T]> {
        let virtual_row = self.virtual_of[row];
        (virtual_row != NONE)
            .then(|| &numbers[virtual_row as usize * self.columns..][..self.columns])
    }

    /// Sets each virtual row to the sum of its rows.
    pub(super) fn sum<T: Real>(&self, rows: &[T], sums: &mut [T], threads: NonZeroUsize) {
        assert_eq!(
            (sums.len(), rows.len()),
            (self.len(), self.virtual_of.len() * self.columns),
            "numbers of a tensor"
        );
        in_parts(sums, self.columns, threads, |first, sums| {
            for (index, sum) in sums.chunks_exact_mut(self.columns).enumerate() {
                sum.fill(T::ZERO);
                for &row in &self.members[self.members_of(first + index)] {
                    let row = &rows[row as usize * self.columns..][..self.columns];
                    sum.iter_mut()
                        .zip(row)
                        .for_each(|(sum, &number)| *sum += number);
                }
            }
        });
    }

    fn members_of(&self, virtual_row: usize) -> Range<usize> {
        let begin = if virtual_row == 0 {
            0
        } else {
            self.ends[virtual_row - 1]
        };
        begin..self.ends[virtual_row]
    }
}

/// The virtual rows of a tensor and their values, in the order of addition.
pub(super) type Parts<'p, T> = [(&'p Shared, &'p [T])];

/// Writes `own` plus its virtual rows to `merged`.
pub(super) fn merge<T: Real>(
    parts: &Parts<'_, T>,
    own: &[T],
    merged: &mut [T],
    threads: NonZeroUsize,
) {
    assert_eq!(own.len(), merged.len(), "numbers of a tensor");
    let columns = columns(parts, own);
    in_parts(merged, columns, threads, |first, merged| {
        let own = &own[first * columns..][..merged.len()];
        for (index, (row, own)) in merged
            .chunks_exact_mut(columns)
            .zip(own.chunks_exact(columns))
            .enumerate()
        {
            row.copy_from_slice(own);
            for virtual_row in virtual_rows(parts, first + index) {
                row.iter_mut()
                    .zip(virtual_row)
                    .for_each(|(number, &virtual_number)| *number += virtual_number);
            }
        }
    });
}

/// Clips the merged values to a limit by changing `rows`. Virtual values are within the limit.
pub(super) fn hold(parts: &Parts<'_, f32>, rows: &mut [f32], limit: f32, threads: NonZeroUsize) {
    let columns = columns(parts, rows);
    in_parts(rows, columns, threads, |first, rows| {
        let mut sums = vec![0.0; columns];
        for (index, row) in rows.chunks_exact_mut(columns).enumerate() {
            sums.copy_from_slice(row);
            for virtual_row in virtual_rows(parts, first + index) {
                sums.iter_mut()
                    .zip(virtual_row)
                    .for_each(|(sum, number)| *sum += number);
            }
            for (column, _) in sums.iter().enumerate().filter(|(_, sum)| sum.abs() > limit) {
                let merge = |own| {
                    virtual_rows(parts, first + index).fold(own, |sum: f32, row| sum + row[column])
                };
                row[column] = held(row[column], limit, merge);
            }
        }
    });
}

fn virtual_rows<'p, T>(parts: &'p Parts<'p, T>, row: usize) -> impl Iterator<Item = &'p [T]> {
    parts
        .iter()
        .filter_map(move |(shared, numbers)| shared.of_row(numbers, row))
}

fn columns<T>(parts: &Parts<'_, T>, rows: &[T]) -> usize {
    for (shared, numbers) in parts {
        let lengths = (shared.len(), shared.virtual_of.len() * shared.columns);
        assert_eq!((numbers.len(), rows.len()), lengths, "numbers of a tensor");
    }
    parts[0].0.columns
}

/// A value near `own` whose sum is within the limit. What is beyond the limit is taken away until the rounded sum is within it;
/// each time twice as much, since a small difference can be lost in rounding.
fn held(mut own: f32, limit: f32, sum: impl Fn(f32) -> f32) -> f32 {
    let mut times = 1.0;
    loop {
        let reached = sum(own);
        let beyond = reached - reached.clamp(-limit, limit);
        if beyond == 0.0 || beyond.is_nan() {
            return own;
        }
        own -= times * beyond;
        times *= 2.0;
    }
}

/// Calls `work` on whole rows and the number of the first one, in several threads.
fn in_parts<T: Send>(
    rows: &mut [T],
    columns: usize,
    threads: NonZeroUsize,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let each = (rows.len() / columns).div_ceil(threads.get()).max(1);
    let mut parts = rows.chunks_mut(each * columns).enumerate();
    let mine = parts.next();
    thread::scope(|scope| {
        for (number, part) in parts {
            let work = &work;
            scope.spawn(move || work(number * each, part));
        }
        if let Some((_, part)) = mine {
            work(0, part);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREADS: NonZeroUsize = NonZeroUsize::new(3).expect("not 0");

    fn shared() -> Shared {
        Shared::new("test".into(), 0, 2, vec![0, 1, 2, 0, 1, NONE])
    }

    #[test]
    fn rows_get_their_virtual_row_and_give_it_their_gradient() {
        let shared = shared();
        assert_eq!(shared.len(), 6);
        let (own, mut rows): (Vec<f64>, _) = ((0..12).map(f64::from).collect(), vec![0.0; 12]);
        merge(
            &[(&shared, &[100.0, 200.0, 300.0, 400.0, 500.0, 600.0])],
            &own,
            &mut rows,
            THREADS,
        );
        assert_eq!(
            rows,
            [
                100.0, 201.0, 302.0, 403.0, 504.0, 605.0, 106.0, 207.0, 308.0, 409.0, 10.0, 11.0
            ]
        );
        let mut sums = vec![7.0; 6];
        shared.sum(&rows, &mut sums, THREADS);
        assert_eq!(sums, [206.0, 408.0, 610.0, 812.0, 504.0, 605.0]);
    }

    /// Sums that round beyond the limit end within it; others are unchanged.
    #[test]
    fn sums_are_within_the_limit_to_the_last_bit() {
        let shared = shared();
        let limit = 127.0_f32 / 64.0;
        let mut random = nnue_testkit::random::Random::new(3);
        let mut number = || (random.below(1 << 24) as f32 / (1 << 22) as f32 - 2.0) * 1.5;
        for _ in 0..2000 {
            let virtual_numbers: Vec<f32> = (0..6).map(|_| number().clamp(-limit, limit)).collect();
            let before: Vec<f32> = (0..12).map(|_| number()).collect();
            let parts = [(&shared, &virtual_numbers[..]); 2];
            let mut rows = before.clone();
            hold(&parts, &mut rows, limit, THREADS);
            let sums = |rows: &[f32]| {
                let mut sums = vec![0.0; rows.len()];
                merge(&parts, rows, &mut sums, THREADS);
                sums
            };
            for ((&own, &was), (&sum, &sum_before)) in rows
                .iter()
                .zip(&before)
                .zip(sums(&rows).iter().zip(&sums(&before)))
            {
                assert!(sum.abs() <= limit, "{sum}");
                if sum_before.abs() <= limit {
                    assert_eq!(own, was);
                } else {
                    assert!(
                        sum.abs() > limit - 1e-6 && sum.signum() == sum_before.signum(),
                        "{sum_before} became {sum}"
                    );
                }
            }
            let held = rows.clone();
            hold(&parts, &mut rows, limit, THREADS);
            assert_eq!(rows, held);
        }
    }

    /// An own value near 0, whose last bit is far smaller than that of its sum.
    #[test]
    fn few_steps_lead_inside() {
        let limit = 2.0_f32.next_down();
        for own in [1.3e-7, 6.1e-8, 1e-20, 0.0, -2.9e-8, 1e-3] {
            let calls = core::cell::Cell::new(0);
            let sum = |own: f32| {
                calls.set(calls.get() + 1);
                own + 1.0 + 1.0
            };
            assert!(sum(held(own, limit, sum)) <= limit, "{own}");
            assert!(calls.get() < 8, "{own}: {} steps", calls.get());
        }
    }

    #[test]
    fn numbers_that_are_none_end() {
        assert!(held(f32::INFINITY, 1.0, |own| own + 0.5).is_nan());
        assert!(held(f32::NAN, 1.0, |own| own + 0.5).is_nan());
    }
}
