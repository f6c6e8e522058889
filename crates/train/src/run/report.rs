//! The HTML report of a training.

use nnue_tools::plot::{Chart, Drawing, Page};

use super::history::History;

#[derive(Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) name: &'a str,
    /// short notation of the network
    pub(crate) notation: &'a str,
    pub(crate) run: &'a str,
}

/// Superbatches of a long run.
const LONG: usize = 20;

/// The charts of the metrics, each with the name of its file.
pub(crate) fn charts(history: &History) -> Vec<(&'static str, Drawing)> {
    let chart_from = |first: usize, name: &'static str, title: &str, columns: &[(&str, &str)]| {
        let points = |column| {
            (1..)
                .map(f64::from)
                .zip(history.column(column))
                .skip(first - 1)
                .collect()
        };
        let is_there = |column: &str| history.columns.iter().any(|other| other == column);
        let lines = columns.iter().filter(|(column, _)| is_there(column));
        let lines: Vec<_> = lines
            .map(|(column, name)| ((*name).to_owned(), points(column)))
            .collect();
        (!lines.is_empty()).then(|| {
            (
                name,
                Chart {
                    title,
                    lines,
                    marks: Vec::new(),
                    counts: true,
                }
                .draw(),
            )
        })
    };
    let chart = |name, title, columns: &[(&str, &str)]| chart_from(1, name, title, columns);
    let losses = [
        ("loss", "training"),
        ("held_out_loss", "held out"),
        ("quantized_loss", "held out, quantised"),
    ];
    let largest = history
        .columns
        .iter()
        .filter_map(|column| Some((&**column, column.strip_prefix("largest_")?)));
    let largest: Vec<(&str, &str)> = largest.collect();
    let agreement = [
        ("agreement", "in real numbers"),
        ("quantized_agreement", "quantised"),
    ];
    let charts = [
        // In long runs, the loss of the initial weights would flatten the curve.
        match history.rows().count() {
            0..LONG => chart("loss", "Mean loss", &losses),
            _ => chart_from(2, "loss", "Mean loss, from superbatch 2 on", &losses),
        },
        chart(
            "drift",
            "Difference between float and quantised values",
            &[("drift", "mean")],
        ),
        chart(
            "correlation",
            "Correlation with the scores, held out, quantised",
            &[("correlation", "r")],
        ),
        chart(
            "neurons",
            "Neurons that do nothing",
            &[("dead", "dead"), ("saturated", "saturated")],
        ),
        chart("ranges", "Greatest parameter of each tensor", &largest),
        chart("rate", "Learning rate", &[("rate", "rate")]),
        chart(
            "policy",
            "Share of positions in which the policy agrees, held out",
            &agreement,
        ),
        chart(
            "right",
            "Share of the examples that are right, held out",
            &[("right", "right")],
        ),
    ];
    charts.into_iter().flatten().collect()
}

/// The page with the charts, the last metrics and the run.
pub(crate) fn page(about: About<'_>, history: &History, charts: &[(&str, Drawing)]) -> String {
    let mut page = Page::new(about.name);
    page.code(about.notation);
    charts.iter().for_each(|(_, chart)| page.drawing(chart));
    page.section("After the last superbatch");
    let numbers = history
        .columns
        .iter()
        .zip(history.rows().last().unwrap_or_default());
    page.table(numbers.map(|(column, number)| vec![column.clone(), number.to_string()]));
    page.section("The run");
    page.lines(about.run);
    page.html()
}
