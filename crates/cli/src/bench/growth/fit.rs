//! Fits a line to measurements.
//!
//! ```text
//!   ns = a * 1 + b * x + c * y        a, b, c not negative; least squares of relative errors
//! ```
//!
//! Relative errors, so that small networks count as much as large ones.

/// The terms of a measurement: 1, and two amounts.
pub(super) type Terms = [f64; 3];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Line {
    /// nanoseconds per term
    pub(super) costs: Terms,
}

impl Line {
    /// Fits the line by least squares. Terms whose cost would be negative are left out.
    pub(super) fn through(points: &[(Terms, f64)]) -> Self {
        let mut used = vec![0, 1, 2];
        loop {
            let costs = solve(points, &used);
            match (0..used.len())
                .filter(|&at| costs[at] < 0.0)
                .min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
            {
                Some(negative) => drop(used.remove(negative)),
                None => {
                    let mut line = Self { costs: [0.0; 3] };
                    used.iter()
                        .zip(costs)
                        .for_each(|(&term, cost)| line.costs[term] = cost);
                    return line;
                }
            }
        }
    }

    pub(super) fn at(&self, terms: &Terms) -> f64 {
        self.costs
            .iter()
            .zip(terms)
            .map(|(cost, term)| cost * term)
            .sum()
    }
}

/// Solves the normal equations for the used terms.
fn solve(points: &[(Terms, f64)], used: &[usize]) -> Vec<f64> {
    let len = used.len();
    let mut rows = vec![vec![0.0; len + 1]; len];
    for (terms, ns) in points {
        // dividing by the measurement turns relative errors into absolute ones
        let relative = |term: &usize| terms[*term] / ns;
        for (row, a) in rows.iter_mut().zip(used) {
            for (cell, b) in row.iter_mut().zip(used) {
                *cell += relative(a) * relative(b);
            }
            row[len] += relative(a);
        }
    }
    eliminate(&mut rows);
    rows.iter().map(|row| row[len]).collect()
}

/// Gauss-Jordan elimination. Unknowns that the points do not determine become 0.
fn eliminate(rows: &mut [Vec<f64>]) {
    for column in 0..rows.len() {
        let pivot = (column..rows.len())
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = pivot else { return };
        rows.swap(column, pivot);
        let scale = rows[column][column];
        if scale.abs() < 1e-18 {
            rows[column].fill(0.0);
            continue;
        }
        rows[column].iter_mut().for_each(|cell| *cell /= scale);
        let subtracted = rows[column].clone();
        for (_, row) in rows
            .iter_mut()
            .enumerate()
            .filter(|(index, _)| *index != column)
        {
            let factor = row[column];
            row.iter_mut()
                .zip(&subtracted)
                .for_each(|(cell, other)| *cell -= factor * other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(ns: impl Fn(f64, f64) -> f64) -> Vec<(Terms, f64)> {
        let amounts = (1..6).flat_map(|x| (1..6).map(move |y| (f64::from(x), f64::from(y * y))));
        amounts.map(|(x, y)| ([1.0, x, y], ns(x, y))).collect()
    }

    #[test]
    fn a_line_is_found_again() {
        let line = Line::through(&points(|x, y| 7.0 + 2.0 * x + 0.5 * y));
        line.costs
            .iter()
            .zip([7.0, 2.0, 0.5])
            .for_each(|(cost, expected)| assert!((cost - expected).abs() < 1e-9));
        assert!((line.at(&[1.0, 3.0, 4.0]) - 15.0).abs() < 1e-9);
    }

    #[test]
    fn no_cost_is_negative() {
        let line = Line::through(&points(|x, y| 5.0 * x - 0.1 + 0.001 * y));
        assert!(line.costs[0] == 0.0 && line.costs[1] > 4.9, "{line:?}");
    }

    #[test]
    fn an_amount_that_never_occurs_costs_nothing() {
        let points: Vec<_> = (1..6)
            .map(f64::from)
            .map(|x| ([1.0, x, 0.0], 3.0 + x))
            .collect();
        let line = Line::through(&points);
        assert!(
            (line.costs[0] - 3.0).abs() < 1e-9 && line.costs[2] == 0.0,
            "{line:?}"
        );
    }
}
