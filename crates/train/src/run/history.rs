//! The metrics of each superbatch, written as CSV and as JSON lines.
//!
//! It contains no times, so that a resumed run writes the same files as an uninterrupted one.

use std::fmt::Write;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History {
    pub(crate) columns: Vec<String>,
    /// in row-major order
    pub(crate) numbers: Vec<f64>,
}

impl History {
    /// Appends a row. All rows have the same columns.
    pub(crate) fn push(&mut self, row: Vec<(String, f64)>) {
        let (columns, numbers): (Vec<_>, Vec<_>) = row.into_iter().unzip();
        if self.numbers.is_empty() {
            self.columns = columns;
        }
        self.numbers.extend(numbers);
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.numbers.chunks_exact(self.columns.len().max(1))
    }

    pub(crate) fn column(&self, name: &str) -> Vec<f64> {
        let column = self.columns.iter().position(|column| column == name);
        column.map_or_else(Vec::new, |column| {
            self.rows().map(|row| row[column]).collect()
        })
    }

    /// CSV with a header line.
    pub(crate) fn csv(&self) -> String {
        let mut csv = self.columns.join(",") + "\n";
        for row in self.rows() {
            let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
            csv += &(numbers.join(",") + "\n");
        }
        csv
    }

    /// One JSON object per row. Names need no escapes, and numbers are finite.
    pub(crate) fn json_lines(&self) -> String {
        let mut lines = String::new();
        for row in self.rows() {
            let fields: Vec<String> = self
                .columns
                .iter()
                .zip(row)
                .map(|(column, number)| format!("\"{column}\":{number}"))
                .collect();
            let _ = writeln!(lines, "{{{}}}", fields.join(","));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_lines() {
        let mut history = History::default();
        for (step, loss) in [(1.0, 0.5), (2.0, 0.25)] {
            history.push(vec![("step".into(), step), ("loss".into(), loss)]);
        }
        assert_eq!(history.csv(), "step,loss\n1,0.5\n2,0.25\n");
        assert_eq!(
            history.json_lines(),
            "{\"step\":1,\"loss\":0.5}\n{\"step\":2,\"loss\":0.25}\n"
        );
        assert_eq!(history.column("loss"), [0.5, 0.25]);
    }
}
