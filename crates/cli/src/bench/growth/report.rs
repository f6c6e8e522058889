//! Prints the results, as tables and as JSON.

use std::io::{self, Write};

use super::super::report::string;
use super::Growth;
use super::machine::Machine;
use super::series::{Point, Series};
use super::setting::Setting;
use super::threads::{self, Scaling};

pub(super) fn table(setting: &Setting, growth: &Growth, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "level {} ({})", setting.level, setting.reason)?;
    let Machine {
        nearest,
        near,
        far,
        products,
    } = growth.machine;
    writeln!(
        out,
        "reads {nearest:.1} bytes/ns from the first cache, {near:.1} from the second, {far:.1} from memory"
    )?;
    writeln!(out, "adds {products:.1} products of bytes/ns\n")?;
    growth
        .series
        .iter()
        .try_for_each(|series| table_of(series, out))?;
    growth
        .scaling
        .iter()
        .try_for_each(|scaling| table_of_threads(scaling, out))?;
    writeln!(
        out,
        "ns: median of an operation. line: percent of the time that the fitted line predicts. limit: percent that the limits of the machine explain."
    )
}

fn table_of(series: &Series, out: &mut dyn Write) -> io::Result<()> {
    let line = series.line();
    writeln!(out, "{}", series.title)?;
    write!(out, "  {:>6}", series.head)?;
    series
        .columns
        .iter()
        .try_for_each(|column| write!(out, " | {column:>22}"))?;
    write!(out, "\n  {:>6}", "")?;
    series
        .columns
        .iter()
        .try_for_each(|_| write!(out, " | {:>8} {:>6} {:>6}", "ns", "line", "limit"))?;
    writeln!(out)?;
    for (name, points) in &series.rows {
        write!(out, "  {name:>6}")?;
        for Point { terms, ns, least } in points {
            write!(
                out,
                " | {ns:>8.1} {:>5.0}% {:>5.0}%",
                100.0 * ns / line.at(terms),
                100.0 * least / ns
            )?;
        }
        writeln!(out)?;
    }
    let costs = line
        .costs
        .iter()
        .zip(series.amounts)
        .map(|(cost, amount)| format!("{cost:.4} a {amount}"));
    writeln!(
        out,
        "  line: ns = {}\n",
        costs.collect::<Vec<_>>().join(" + ")
    )
}

fn table_of_threads(Scaling { place, measured }: &Scaling, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "threads: {} rows of {} neurons each, from {}",
        threads::ROWS,
        threads::WIDTH,
        place.name()
    )?;
    writeln!(
        out,
        "  {:>7} {:>10} {:>8}",
        "threads", "passes/us", "x first"
    )?;
    for (threads, speed) in measured {
        writeln!(
            out,
            "  {threads:>7} {:>10.2} {:>8.2}",
            1000.0 * speed,
            speed / measured[0].1
        )?;
    }
    writeln!(out)
}

pub(super) fn json(setting: &Setting, growth: &Growth, out: &mut dyn Write) -> io::Result<()> {
    let Machine {
        nearest,
        near,
        far,
        products,
    } = growth.machine;
    let series: Vec<String> = growth.series.iter().map(json_of).collect();
    let scaling: Vec<String> = growth.scaling.iter().map(json_of_threads).collect();
    writeln!(
        out,
        "{{\"level\":{},\"reason\":{},\"bytes_per_ns\":[{nearest:.3},{near:.3},{far:.3}],\"products_per_ns\":{products:.3},\"series\":[{}],\"threads\":[{}]}}",
        string(&setting.level.to_string()),
        string(&setting.reason),
        series.join(","),
        scaling.join(",")
    )
}

fn json_of(series: &Series) -> String {
    let line = series.line();
    let point = |name: &str, column: &str, point: &Point| {
        format!(
            "{{\"{}\":{},\"amount\":{},\"ns\":{:.3},\"line_ns\":{:.3},\"least_ns\":{:.3}}}",
            series.head,
            string(name),
            string(column),
            point.ns,
            line.at(&point.terms),
            point.least
        )
    };
    let row = |(name, points): &(String, Vec<Point>)| {
        let points: Vec<_> = series
            .columns
            .iter()
            .zip(points)
            .map(|(column, it)| point(name, column, it))
            .collect();
        points.join(",")
    };
    let costs: Vec<String> = line.costs.iter().map(|cost| format!("{cost:.6}")).collect();
    format!(
        "{{\"title\":{},\"line\":[{}],\"points\":[{}]}}",
        string(&series.title),
        costs.join(","),
        series.rows.iter().map(row).collect::<Vec<_>>().join(",")
    )
}

fn json_of_threads(Scaling { place, measured }: &Scaling) -> String {
    let measured = measured.iter().map(|(threads, speed)| {
        format!(
            "{{\"threads\":{threads},\"passes_per_us\":{:.4}}}",
            1000.0 * speed
        )
    });
    format!(
        "{{\"place\":{},\"measured\":[{}]}}",
        string(place.name()),
        measured.collect::<Vec<_>>().join(",")
    )
}
