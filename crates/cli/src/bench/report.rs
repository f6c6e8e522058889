//! Prints the results, as a table and as JSON.

use std::io::{self, Write};

use super::timer::per_operation;
use super::workload::Workload;
use super::{Bench, Traffic};

pub(crate) struct Report {
    source: String,
    declaration: &'static str,
    level: String,
    reason: String,
    rows: Vec<Row>,
}

struct Row {
    workload: Workload,
    ns: f64,
    bytes: f64,
    /// nanoseconds to read those bytes
    bound: f64,
}

impl Report {
    pub(crate) fn new(bench: &Bench) -> Self {
        let medians: Vec<f64> = bench
            .samples
            .iter()
            .map(|samples| per_operation(samples))
            .collect();
        let of = |workload| {
            medians[Workload::ALL
                .iter()
                .position(|w| *w == workload)
                .unwrap_or(0)]
        };
        let speed = Speed::new(&bench.traffic, of(Workload::Read), of(Workload::ReadLayers));
        let row = |(workload, ns): (Workload, &f64)| {
            let (rows, layers) = bench.traffic.of(workload);
            Row {
                workload,
                ns: *ns,
                bytes: rows + layers,
                bound: speed.bound(rows, layers),
            }
        };
        Self {
            source: bench.opened.source.clone(),
            declaration: bench.opened.known.name,
            level: bench.opened.network.level().to_string(),
            reason: bench.opened.reason.clone(),
            rows: Workload::ALL
                .into_iter()
                .zip(&medians)
                .filter(|(workload, _)| bench.has(*workload))
                .map(row)
                .collect(),
        }
    }

    /// Nanoseconds of the unit of the ratios.
    fn unit(&self) -> f64 {
        let replay = self
            .rows
            .iter()
            .find(|row| row.workload == Workload::Replay);
        replay.map_or(f64::NAN, |row| row.ns)
    }
}

/// Nanoseconds per byte when only reading.
struct Speed {
    rows: f64,
    layers: f64,
}

impl Speed {
    fn new(traffic: &Traffic, read: f64, read_layers: f64) -> Self {
        Self {
            rows: read / traffic.run,
            layers: read_layers / traffic.layers,
        }
    }

    fn bound(&self, rows: f64, layers: f64) -> f64 {
        self.rows * rows + self.layers * layers
    }
}

pub(crate) fn table(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    for report in reports {
        let unit = report.unit();
        writeln!(out, "network {} ({})", report.source, report.declaration)?;
        writeln!(out, "level {} ({})", report.level, report.reason)?;
        writeln!(
            out,
            "  {:<24} {:>9} {:>9} {:>9} {:>9}  {:>8}",
            "workload", "ns", "x replay", "bytes", "bound ns", "of bound"
        )?;
        for row in &report.rows {
            writeln!(
                out,
                "  {:<24} {:>9.1} {:>9.2} {:>9.0} {:>9.1}  {:>7.0}%",
                row.workload.name(),
                row.ns,
                row.ns / unit,
                row.bytes,
                row.bound,
                100.0 * row.bound / row.ns
            )?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "ns: median per operation. bytes: weights that an operation reads. bound: only reading them."
    )
}

pub(crate) fn json(reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    let reports: Vec<String> = reports.iter().map(json_report).collect();
    writeln!(out, "{{\"reports\":[{}]}}", reports.join(","))
}

fn json_report(report: &Report) -> String {
    let unit = report.unit();
    let rows = report.rows.iter().map(|row| {
        format!(
            "{{\"name\":{},\"ns\":{:.3},\"replays\":{:.4},\"bytes\":{:.1},\"bound_ns\":{:.3}}}",
            string(row.workload.name()),
            row.ns,
            row.ns / unit,
            row.bytes,
            row.bound
        )
    });
    format!(
        "{{\"network\":{},\"declaration\":{},\"level\":{},\"reason\":{},\"workloads\":[{}]}}",
        string(&report.source),
        string(report.declaration),
        string(&report.level),
        string(&report.reason),
        rows.collect::<Vec<_>>().join(",")
    )
}

pub(super) fn string(text: &str) -> String {
    let escaped = text.chars().map(|symbol| match symbol {
        '"' | '\\' => format!("\\{symbol}"),
        symbol if symbol < ' ' => format!("\\u{:04x}", u32::from(symbol)),
        symbol => symbol.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}
