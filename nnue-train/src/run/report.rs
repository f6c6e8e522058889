//! The page that shows how a training went.

use std::fmt::Write;

use nnue_command::chart::{Chart, escaped};
use nnue_spec::NetDesc;

use super::config::Config;
use super::history::History;

/// The charts, each with the name of its file.
pub(crate) fn charts(history: &History) -> Vec<(&'static str, String)> {
    let chart = |name: &'static str, title: &str, columns: &[(&str, &str)]| {
        let points = |column| (1..).map(f64::from).zip(history.column(column)).collect();
        let lines = columns.iter().map(|(column, name)| ((*name).to_owned(), points(column))).collect();
        (name, Chart { title, lines, marks: Vec::new(), counts: true }.svg())
    };
    let losses = [("loss", "training"), ("held_out_loss", "held out"), ("quantized_loss", "held out, quantised")];
    let largest = history.columns.iter().filter_map(|column| Some((&**column, column.strip_prefix("largest_")?)));
    let largest: Vec<(&str, &str)> = largest.collect();
    let agreement = [("agreement", "in real numbers"), ("quantized_agreement", "quantised")];
    let policy = history.columns.iter().any(|column| column == "agreement");
    let policy = policy.then(|| chart("policy", "Share of positions in which the policy agrees, held out", &agreement));
    let charts = [
        chart("loss", "Mean loss", &losses),
        chart("drift", "Difference between values in real and in whole numbers", &[("drift", "mean")]),
        chart("correlation", "Correlation with the scores, held out, quantised", &[("correlation", "r")]),
        chart("neurons", "Neurons that do nothing", &[("dead", "dead"), ("saturated", "saturated")]),
        chart("ranges", "Greatest parameter of each tensor", &largest),
        chart("rate", "Learning rate", &[("rate", "rate")]),
    ];
    charts.into_iter().chain(policy).collect()
}

/// A page with the charts, the last numbers and the run.
pub(crate) fn page(config: &Config, net: &NetDesc<'_>, history: &History, charts: &[(&str, String)]) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{0}</title>\n<style>body {{ font-family: sans-serif; \
         margin: 2em }} td {{ padding-right: 2em }}</style>\n<h1>{0}</h1>\n<p><code>{1}</code></p>\n",
        escaped(net.name),
        escaped(net.notation)
    );
    for (_, chart) in charts {
        page += chart;
    }
    page += "<h2>After the last superbatch</h2>\n<table>\n";
    for (column, number) in history.columns.iter().zip(history.rows().last().unwrap_or_default()) {
        let _ = writeln!(page, "<tr><td>{column}</td><td>{number}</td></tr>");
    }
    let _ = write!(page, "</table>\n<h2>The run</h2>\n<pre>{}</pre>\n</html>\n", escaped(&config.source.text));
    page
}
