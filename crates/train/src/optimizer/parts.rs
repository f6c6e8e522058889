//! Tensors split among threads.
//!
//! ```text
//!   parameters   | part | part | pa | part | .. |      what is written
//!   mean         | part | part | pa | part | .. |
//!   gradient     | part | part | pa | part | .. |      what is read
//!                  thread 0    | thread 1   | ..
//! ```
//!
//! Every number depends only on those at its index, so the number of threads does not change the result.

use std::num::NonZeroUsize;
use std::thread;

use crate::network::Parameters;

/// Most elements of a part: parts of six tensors fit into the L2 cache.
const PART: usize = 1 << 13;

/// Parts for which a thread pays off; fewer take less time than its start.
const WORTH_A_THREAD: usize = 8;

/// The slices of a part: of each written and of each read tensor.
type Part<'p, const W: usize, const R: usize> = ([&'p mut [f32]; W], [&'p [f32]; R]);

/// Calls `work` on every part.
///
/// # Panics
///
/// If the tensors have different shapes.
pub(super) fn for_each_part<const W: usize, const R: usize>(
    threads: NonZeroUsize,
    written: [&mut Parameters<f32>; W],
    read: [&Parameters<f32>; R],
    work: impl Fn([&mut [f32]; W], [&[f32]; R]) + Sync,
) {
    let mut parts = parts(written, read);
    let run = |parts: &mut [Part<'_, W, R>]| {
        for (written, read) in parts {
            work(written.each_mut().map(|numbers| &mut **numbers), *read);
        }
    };
    let threads = threads
        .get()
        .min(parts.len().div_ceil(WORTH_A_THREAD))
        .max(1);
    let each = parts.len().div_ceil(threads);
    let (mine, others) = parts.split_at_mut(each);
    if others.is_empty() {
        return run(mine);
    }
    thread::scope(|scope| {
        for part in others.chunks_mut(each) {
            scope.spawn(|| run(part));
        }
        run(mine);
    });
}

fn parts<'p, const W: usize, const R: usize>(
    written: [&'p mut Parameters<f32>; W],
    read: [&'p Parameters<f32>; R],
) -> Vec<Part<'p, W, R>> {
    let mut written = written.map(|parameters| parameters.tensors.iter_mut());
    let mut read = read.map(|parameters| parameters.tensors.iter());
    let mut parts = Vec::new();
    while let Some(first) = written[0].as_slice().first() {
        let len = first.len();
        let same = |found: usize| assert_eq!(found, len, "numbers of a tensor");
        let mut written = written.each_mut().map(|tensors| {
            let tensor = tensors.next().expect("as many tensors as parameters");
            same(tensor.len());
            tensor.chunks_mut(PART)
        });
        let mut read = read.each_mut().map(|tensors| {
            let tensor = tensors.next().expect("as many tensors as parameters");
            same(tensor.len());
            tensor.chunks(PART)
        });
        parts.extend((0..len.div_ceil(PART)).map(|_| {
            let next = "parts of equally long tensors";
            (
                written.each_mut().map(|of| of.next().expect(next)),
                read.each_mut().map(|of| of.next().expect(next)),
            )
        }));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tensors of several lengths, one of them longer than the share of one thread.
    fn numbers(scale: f32) -> Parameters<f32> {
        let tensor = |len: usize| {
            (0..len)
                .map(|index| scale * (index % 1001) as f32)
                .collect()
        };
        Parameters {
            tensors: [3, 0, PART, 5 * WORTH_A_THREAD * PART + 7, 1]
                .map(tensor)
                .into(),
        }
    }

    #[test]
    fn every_number_is_written_once_by_any_number_of_threads() {
        for threads in [1, 2, 3, 64].map(|threads| NonZeroUsize::new(threads).unwrap()) {
            let (mut sums, mut counts) = (numbers(1.0), numbers(0.0));
            for_each_part(
                threads,
                [&mut sums, &mut counts],
                [&numbers(2.0)],
                |[sums, counts], [read]| {
                    for ((sum, count), read) in sums.iter_mut().zip(counts).zip(read) {
                        (*sum, *count) = (*sum + read, *count + 1.0);
                    }
                },
            );
            assert_eq!(sums, numbers(3.0));
            assert!(counts.tensors.iter().flatten().all(|&count| count == 1.0));
        }
    }

    #[test]
    #[should_panic(expected = "numbers of a tensor")]
    fn tensors_of_another_shape_are_refused() {
        let mut other = numbers(1.0);
        other.tensors[2] = vec![0.0; 4].into();
        for_each_part(NonZeroUsize::MIN, [&mut numbers(1.0)], [&other], |_, _| {});
    }
}
