//! Bounds of the sums of feature sets after the first. For threats, this is the greatest sum of as many rows
//! as can be active.
//!
//! It ignores which threats can be active together: for each column, the greatest positive and the least
//! negative weights of any rows count.

use nnue_spec::{FeatureDesc, FeatureSetId, NetDesc, TensorRef, TensorRole};

use super::geometry::Geometry;
use super::interval::Interval;
use super::pawn_pairs;

/// The ranges of the sums of active rows of all sets but the first, for each column of the tensors with
/// `role`.
pub(super) fn of_others<'t>(
    net: &NetDesc<'_>,
    tensor: impl Fn(TensorRole) -> Option<TensorRef<'t>>,
    role: impl Fn(usize) -> TensorRole,
    columns: usize,
) -> Vec<Interval> {
    let mut sums = vec![Interval::ZERO; columns];
    for (index, feature) in net.features.iter().enumerate().skip(1) {
        let Some(weight) = tensor(role(index)) else {
            continue;
        };
        for (sum, range) in sums.iter_mut().zip(of_set(feature, weight, columns)) {
            *sum = *sum + range;
        }
    }
    sums
}

/// The ranges of the sums of active rows of a set, for each column.
pub(super) fn of_set(
    feature: &FeatureDesc,
    weight: TensorRef<'_>,
    columns: usize,
) -> Vec<Interval> {
    let active = feature.set.max_active();
    match (Geometry::of(feature.set), weight) {
        (Some(geometry), weight) => {
            let of_column = |column| {
                let groups = 0..geometry.groups;
                let ranges = groups.map(|group| {
                    geometry.range(group, |row| weight.get(row * columns + column).into())
                });
                ranges.reduce(Interval::union).unwrap_or(Interval::ZERO)
            };
            (0..columns).map(of_column).collect()
        }
        (None, weight) if feature.set == FeatureSetId::PawnPairs => {
            pawn_pairs::of_set(weight, columns)
        }
        (None, TensorRef::I8(weight)) => most_of_bytes(weight, columns, active),
        (None, weight) => {
            let of_column = |column| {
                let rows = weight.len() / columns;
                most(
                    (0..rows)
                        .map(|row| weight.get(row * columns + column).into())
                        .collect(),
                    active,
                )
            };
            (0..columns).map(of_column).collect()
        }
    }
}

/// The least and the greatest sum of at most `active` weights.
fn most(mut weights: Vec<i64>, active: usize) -> Interval {
    weights.sort_unstable();
    let least = weights
        .iter()
        .take(active)
        .filter(|weight| **weight < 0)
        .sum();
    let greatest = weights
        .iter()
        .rev()
        .take(active)
        .filter(|weight| **weight > 0)
        .sum();
    Interval {
        min: least,
        max: greatest,
    }
}

/// [`most`] for all columns of 8-bit weights at once: one pass over the rows counts how often each weight
/// occurs.
fn most_of_bytes(weight: &[i8], columns: usize, active: usize) -> Vec<Interval> {
    let mut counts = vec![[0_u32; 256]; columns];
    for row in weight.chunks_exact(columns) {
        for (counts, &weight) in counts.iter_mut().zip(row) {
            counts[usize::from(weight.cast_unsigned())] += 1;
        }
    }
    counts
        .iter()
        .map(|counts| most_of_counts(counts, active))
        .collect()
}

fn most_of_counts(counts: &[u32; 256], active: usize) -> Interval {
    let sum = |weights: &mut dyn Iterator<Item = i8>| {
        let (mut left, mut sum) = (active as i64, 0);
        for weight in weights {
            let taken = left.min(counts[usize::from(weight.cast_unsigned())].into());
            sum += taken * i64::from(weight);
            left -= taken;
        }
        sum
    };
    Interval {
        min: sum(&mut (i8::MIN..0)),
        max: sum(&mut (1..=i8::MAX).rev()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_bytes_give_the_same_as_sorted_weights() {
        let column = |first: i64| (0..500).map(move |index| (index * first) % 131 - 65);
        let (first, second): (Vec<i64>, Vec<i64>) = (column(7).collect(), column(11).collect());
        let rows: Vec<i8> = first
            .iter()
            .zip(&second)
            .flat_map(|(a, b)| [*a as i8, *b as i8])
            .collect();
        for active in [1, 30, 256, 1000] {
            let expected = [most(first.clone(), active), most(second.clone(), active)];
            assert_eq!(
                most_of_bytes(&rows, 2, active),
                expected,
                "{active} active rows"
            );
        }
    }

    #[test]
    fn only_what_helps_is_active() {
        assert_eq!(most(vec![3, 4, 5], 2), Interval { min: 0, max: 9 });
        assert_eq!(most(vec![-3, 4], 2), Interval { min: -3, max: 4 });
    }
}
