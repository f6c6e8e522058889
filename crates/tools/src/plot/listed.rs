//! Contributions of rows to the value of a list: the value minus the value without the row.
//!
//! Layers are not linear, and the number of rows may choose the layer stack. So contributions do not add up to
//! the value.

use nnue_spec::rows::{Candidate, ListedRow, RowLists, RowSets, RowsShape};

use crate::plot::drawing::{Anchor, COLOURS, Drawing, Label, short};

/// Rows that a picture shows: those that contribute most.
const MOST: usize = 60;

const LINE: f64 = 18.0;
const TOP: f64 = 52.0;
const BARS: f64 = 320.0;
/// for the number beside a bar
const NUMBER: f64 = 60.0;
/// about the width of a letter
const LETTER: f64 = 6.8;

/// A row and its contribution.
#[derive(Clone, Debug, PartialEq)]
pub struct RowContribution {
    /// the row
    pub row: ListedRow,
    /// its contribution, in the unit of the value
    pub value: f64,
}

/// The value of a list of rows, and the contributions of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct RowContributions {
    /// the value, of the side to move if there are two lists
    pub value: f64,
    /// the greatest contributions first
    pub rows: Vec<RowContribution>,
}

impl RowContributions {
    /// Computes contributions to `value`, the value of `rows`. `values` gives the values after each of many
    /// changes of `rows`, in their order.
    pub fn of(
        shape: &RowsShape<'_>,
        rows: &RowSets,
        value: f64,
        values: impl FnOnce(&[Candidate<'_>]) -> Vec<f64>,
    ) -> Self {
        let active: Vec<(usize, [u32; 1])> = (0..rows.lists())
            .flat_map(|list| rows.list(list).iter().map(move |&row| (list, [row])))
            .collect();
        let without: Vec<Candidate<'_>> = active
            .iter()
            .map(|(list, row)| match (rows.lists(), list) {
                (1, _) => Candidate::new(&[], row),
                (_, 0) => Candidate::new(RowLists::Two([&[], &[]]), [&row[..], &[]]),
                _ => Candidate::new(RowLists::Two([&[], &[]]), [&[], &row[..]]),
            })
            .collect();
        let values = values(&without);
        let mut rows: Vec<RowContribution> = active
            .iter()
            .zip(values)
            .map(|(&(list, [row]), without)| RowContribution {
                row: ListedRow::new(shape, list, row),
                value: value - without,
            })
            .collect();
        rows.sort_by(|a, b| {
            let by_number = || (a.row.list, a.row.row).cmp(&(b.row.list, b.row.row));
            b.value.abs().total_cmp(&a.value.abs()).then_with(by_number)
        });
        Self { value, rows }
    }

    /// A bar for each row: to the right if the value is less without it.
    pub fn draw(&self, title: &str) -> Drawing {
        let shown = &self.rows[..self.rows.len().min(MOST)];
        let names: Vec<String> = shown.iter().map(|row| row.row.to_string()).collect();
        let letters = names.iter().map(|name| name.chars().count()).max();
        let left = 16.0 + LETTER * letters.unwrap_or(0) as f64;
        let middle = left + NUMBER + BARS / 2.0;
        let width = (middle + BARS / 2.0 + NUMBER).max(8.0 * title.chars().count() as f64);
        let rest = self.rows.len() - shown.len();
        let lines = shown.len() + usize::from(rest > 0);
        let mut drawing = Drawing::new(width, TOP + LINE * lines as f64 + 8.0);
        drawing.label(Label {
            bold: true,
            ..Label::new((0.0, 16.0), title)
        });
        let text = format!(
            "value {:+}; for each row: how much less it is without the row",
            self.value
        );
        drawing.label(Label {
            size: 11.0,
            colour: "#555555",
            ..Label::new((0.0, 34.0), &text)
        });
        let limit = shown
            .iter()
            .map(|row| row.value.abs())
            .filter(|size| size.is_finite())
            .fold(0.0, f64::max);
        for (index, (RowContribution { value, .. }, name)) in shown.iter().zip(&names).enumerate() {
            let top = TOP + LINE * index as f64;
            let base = top + LINE - 5.0;
            drawing.label(Label::new((0.0, base), name));
            let length = match value.is_finite() && limit > 0.0 {
                true => value / limit * BARS / 2.0,
                false => 0.0,
            };
            let tooltip = format!("{name} {value:+}");
            drawing.rectangle(
                (middle.min(middle + length), top + 2.0),
                (length.abs(), LINE - 4.0),
                COLOURS[usize::from(*value < 0.0)],
                Some(&tooltip),
            );
            let (at, anchor) = match *value < 0.0 {
                true => (middle + length - 5.0, Anchor::End),
                false => (middle + length + 5.0, Anchor::Start),
            };
            drawing.label(Label {
                anchor,
                size: 11.0,
                ..Label::new((at, base), &short(*value))
            });
        }
        if rest > 0 {
            let base = TOP + LINE * lines as f64 - 5.0;
            let text = format!("and {rest} rows that contribute less");
            drawing.label(Label::new((0.0, base), &text));
        }
        drawing
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nnue_spec::rows::RowGroup;

    const SHAPE: RowsShape<'static> = RowsShape {
        rows: 100,
        most_active: 100,
        lists: 1,
        groups: &[
            RowGroup {
                name: "users",
                rows: 60,
            },
            RowGroup {
                name: "items",
                rows: 40,
            },
        ],
    };

    /// The value is a sum of what each row is worth.
    fn contributions(
        shape: &RowsShape<'_>,
        rows: &RowSets,
        worth: fn(u32) -> f64,
    ) -> RowContributions {
        let all = (0..rows.lists()).flat_map(|list| rows.list(list));
        let value = all.fold(0.0, |sum, &row| sum + worth(row));
        RowContributions::of(shape, rows, value, |changes| {
            let removed = |change: &Candidate<'_>| -> f64 {
                assert!(change.added.as_slice().iter().all(|list| list.is_empty()));
                let lists = change.removed.as_slice().iter().copied().flatten();
                lists.map(|&row| worth(row)).sum()
            };
            changes
                .iter()
                .map(|change| value - removed(change))
                .collect()
        })
    }

    #[test]
    fn rows_are_named_and_the_greatest_are_first() {
        let rows = RowSets::of(&SHAPE, &[3, 61, 17]).expect("rows");
        let found = contributions(&SHAPE, &rows, |row| {
            if row == 61 {
                -2.5
            } else {
                f64::from(row) / 16.0
            }
        });
        let values: Vec<_> = found
            .rows
            .iter()
            .map(|row| (row.row.row, row.value))
            .collect();
        assert_eq!(values, [(61, -2.5), (17, 1.0625), (3, 0.1875)]);
        let svg = found.draw("Ranker <1>: 3 17 61").svg();
        assert!(
            svg.contains("<title>row 61 (row 1 of `items`) -2.5</title>"),
            "{svg}"
        );
        assert!(svg.contains("<title>row 3 (row 3 of `users`) +0.1875</title>"));
        assert!(svg.contains("Ranker &lt;1&gt;") && svg.contains("value -1.25;"));
        // half of the width of all bars, and what 1.0625 is of 2.5
        assert!(
            svg.contains("width=\"160.0\"") && svg.contains("width=\"68.0\""),
            "{svg}"
        );
    }

    #[test]
    fn both_lists_are_shown() {
        let shape = RowsShape { lists: 2, ..SHAPE };
        let rows = RowSets::of(&shape, [&[4][..], &[4, 8]]).expect("rows");
        let found = contributions(&shape, &rows, f64::from);
        let shown: Vec<_> = found
            .rows
            .iter()
            .map(|row| (row.row.list, row.value))
            .collect();
        assert_eq!(shown, [(Some(1), 8.0), (Some(0), 4.0), (Some(1), 4.0)]);
    }

    #[test]
    fn many_rows_and_values_that_are_no_numbers_are_drawn() {
        let all: Vec<u32> = (0..100).collect();
        let rows = RowSets::of(&SHAPE, &all).expect("rows");
        let svg = contributions(&SHAPE, &rows, f64::from).draw("all").svg();
        assert!(svg.contains("and 40 rows that contribute less"), "{svg}");
        assert_eq!(svg.matches("<title>").count(), 60);
        let svg = contributions(&SHAPE, &rows, |_| f64::NAN).draw("all").svg();
        assert!(!svg.contains("=\"NaN"), "{svg}");
        assert!(
            svg.contains("<title>row 0 (row 0 of `users`) NaN</title>"),
            "{svg}"
        );
        let none = contributions(&SHAPE, &RowSets::new(&SHAPE), f64::from);
        assert!(none.draw("none").svg().contains("value +0;"));
    }
}
