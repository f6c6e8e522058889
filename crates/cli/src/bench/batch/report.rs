//! Prints the results, as a table and as JSON.

use std::io::{self, Write};

use super::super::report::string;
use super::super::timer::per_operation;
use super::{Measured, Positions, Way};

struct Row {
    way: Way,
    ns: f64,
    /// speedup over each of [`Way::SINGLE`]
    times: [f64; Way::SINGLE.len()],
}

impl Row {
    fn positions_per_second(&self) -> f64 {
        1e9 / self.ns
    }
}

pub(super) fn write(
    measured: &[Measured],
    ways: &[Way],
    positions: &Positions,
    as_json: bool,
    out: &mut dyn Write,
) -> io::Result<()> {
    if as_json {
        let reports: Vec<String> = measured
            .iter()
            .map(|measured| json(measured, ways))
            .collect();
        return writeln!(out, "{{\"reports\":[{}]}}", reports.join(","));
    }
    let Positions {
        all,
        pieces,
        source,
    } = positions;
    writeln!(
        out,
        "{} positions, {pieces:.1} pieces each: {source}",
        all.len()
    )?;
    for measured in measured {
        table(measured, ways, out)?;
    }
    writeln!(
        out,
        "ns: median per position. x: how many times as long it takes one by one."
    )
}

fn rows(measured: &Measured, ways: &[Way]) -> Vec<Row> {
    let medians: Vec<f64> = measured
        .samples
        .iter()
        .map(|samples| per_operation(samples))
        .collect();
    // the first ways are the baselines
    let row = |(way, ns): (&Way, &f64)| Row {
        way: *way,
        ns: *ns,
        times: std::array::from_fn(|at| medians[at] / ns),
    };
    ways.iter().zip(&medians).map(row).collect()
}

fn table(measured: &Measured, ways: &[Way], out: &mut dyn Write) -> io::Result<()> {
    let opened = &measured.opened;
    writeln!(out, "network {} ({})", opened.source, opened.known.name)?;
    writeln!(out, "level {} ({})", opened.network.level(), opened.reason)?;
    writeln!(
        out,
        "  {:<22} {:>7} {:>9} {:>12} {:>8} {:>9} {:>7}",
        "way", "threads", "ns", "positions/s", "x fresh", "x cleared", "x warm"
    )?;
    for row in rows(measured, ways) {
        let [fresh, cleared, warm] = row.times;
        writeln!(
            out,
            "  {:<22} {:>7} {:>9.1} {:>12.0} {fresh:>8.2} {cleared:>9.2} {warm:>7.2}",
            row.way.name(),
            row.way.threads(),
            row.ns,
            row.positions_per_second(),
        )?;
    }
    writeln!(out)
}

fn json(measured: &Measured, ways: &[Way]) -> String {
    let opened = &measured.opened;
    let row = |row: Row| {
        let [fresh, cleared, warm] = row.times;
        format!(
            "{{\"name\":{},\"threads\":{},\"ns\":{:.3},\"per_second\":{:.0},\"x_fresh\":{fresh:.4},\"x_cleared\":{cleared:.4},\"x_warm\":{warm:.4}}}",
            string(&row.way.name()),
            row.way.threads(),
            row.ns,
            row.positions_per_second(),
        )
    };
    let ways: Vec<String> = rows(measured, ways).into_iter().map(row).collect();
    format!(
        "{{\"network\":{},\"declaration\":{},\"level\":{},\"reason\":{},\"ways\":[{}]}}",
        string(&opened.source),
        string(opened.known.name),
        string(&opened.network.level().to_string()),
        string(&opened.reason),
        ways.join(",")
    )
}
