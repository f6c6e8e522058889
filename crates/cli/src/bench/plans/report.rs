//! Prints the forms side by side, as tables and as JSON.

use std::io::{self, Write};

use nnue::AvailableLevel;
use nnue_runtime::form::{Form, HIDDEN_VALUES, Shape, blocks_of, choose, cost};
use nnue_spec::LayerDesc;

use super::layers::{Layer, other};
use super::shapes::Point;
use crate::network::Opened;

/// Counts chosen forms that take longer than the best one by more than this factor.
const LIMIT: f64 = 1.1;

/// Number of shapes shown, those with the worst choice first.
const WORST: usize = 8;

/// The estimated time of a form, in nanoseconds on the machine where the constants were measured.
fn estimate(level: AvailableLevel, form: Form, shape: Shape) -> f64 {
    cost(level.level(), form, shape) as f64 / 1000.0
}

/// Converts thousandths to percent.
fn percent(thousandths: usize) -> f64 {
    thousandths as f64 / 10.0
}

/// Measured and estimated time of a form, with a mark if it is `used`.
fn cell(level: AvailableLevel, form: Form, shape: Shape, ns: f64, used: bool) -> String {
    let mark = if used { "*" } else { "" };
    if ns.is_finite() {
        format!("{mark}{ns:.1} ({:.1})", estimate(level, form, shape))
    } else {
        "-".into()
    }
}

/// A JSON number.
fn number(ns: f64) -> String {
    if ns.is_finite() {
        format!("{ns:.2}")
    } else {
        "null".into()
    }
}

/// Prints the layers of a network.
pub(super) fn layers(
    opened: &Opened,
    reason: &str,
    layers: &[Layer],
    out: &mut dyn Write,
) -> io::Result<()> {
    let level = opened.network.level();
    writeln!(out, "network  {} ({})", opened.source, opened.known.name)?;
    writeln!(out, "level    {level} ({reason})")?;
    let nonzero = opened.network.spec().accumulator.nonzero;
    writeln!(
        out,
        "\nns as measured (as estimated); * the form that is used, chosen for {:.1} % of active blocks of accumulators, \
         `nonzero {nonzero}%`, and {:.1} % of layers",
        percent(blocks_of(10 * nonzero)),
        percent(blocks_of(HIDDEN_VALUES))
    )?;
    write!(
        out,
        "\n{:<8} {:>7} {:>8} {:>8}",
        "layer", "inputs", "outputs", "active"
    )?;
    Form::ALL
        .iter()
        .try_for_each(|form| write!(out, " {:>20}", form.name()))?;
    writeln!(out)?;
    for Layer {
        name,
        shape,
        form,
        measured,
    } in layers
    {
        let desc = opened
            .network
            .spec()
            .layers
            .iter()
            .find(|layer| layer.name == *name);
        write!(
            out,
            "{name:<8} {:>7} {:>8} {:>6.1} %",
            shape.inputs,
            shape.outputs,
            percent(shape.blocks)
        )?;
        for (candidate, ns) in Form::ALL.into_iter().zip(measured.iter().flatten()) {
            write!(
                out,
                " {:>20}",
                cell(level, candidate, *shape, *ns, *form == Some(candidate))
            )?;
        }
        match (form, desc) {
            (None, Some(desc)) => writeln!(out, "  only: {}", other(desc))?,
            (Some(form), _) if choose(level.level(), *shape) != *form => {
                write!(
                    out,
                    "  with these activations: {}",
                    choose(level.level(), *shape)
                )?;
                let reads_accumulators = desc.is_some_and(LayerDesc::is_sparse_alone);
                writeln!(
                    out,
                    "{}",
                    if reads_accumulators {
                        declaring(*shape)
                    } else {
                        String::new()
                    }
                )?;
            }
            _ => writeln!(out)?,
        }
    }
    writeln!(out)
}

/// The annotation that makes the planner assume this density.
fn declaring(shape: Shape) -> String {
    format!("; declare `nonzero {}%`", shape.nonzero())
}

/// The layers as JSON.
pub(super) fn layers_json(
    opened: &Opened,
    reason: &str,
    layers: &[Layer],
    out: &mut dyn Write,
) -> io::Result<()> {
    let level = opened.network.level();
    let candidates = |layer: &Layer| {
        let of = |(form, ns): (Form, &f64)| {
            format!(
                r#"{{"form":"{form}","ns":{},"estimate":{:.2}}}"#,
                number(*ns),
                estimate(level, form, layer.shape)
            )
        };
        Form::ALL
            .into_iter()
            .zip(layer.measured.iter().flatten())
            .map(of)
            .collect::<Vec<_>>()
            .join(",")
    };
    let of = |layer: &Layer| {
        let Shape {
            inputs,
            outputs,
            blocks,
            values,
        } = layer.shape;
        let form = layer
            .form
            .map_or("null".into(), |form| format!(r#""{form}""#));
        let name = layer.name;
        format!(
            r#"{{"layer":"{name}","inputs":{inputs},"outputs":{outputs},"blocks":{blocks},"values":{values},"form":{form},"candidates":[{}]}}"#,
            candidates(layer)
        )
    };
    let layers = layers.iter().map(of).collect::<Vec<_>>().join(",");
    writeln!(
        out,
        r#"{{"network":"{}","level":"{level}","reason":"{reason}","layers":[{layers}]}}"#,
        opened.source.escape_default()
    )
}

/// Compares the chosen forms with the best ones.
pub(super) fn shapes(
    level: AvailableLevel,
    reason: &str,
    points: &[Point],
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut worst: Vec<&Point> = points.iter().collect();
    worst.sort_by(|a, b| b.ratio().total_cmp(&a.ratio()));
    let above = worst
        .iter()
        .take_while(|point| point.ratio() > LIMIT)
        .count();
    let best = points
        .iter()
        .filter(|point| point.chosen == point.best())
        .count();
    writeln!(out, "level    {level} ({reason})")?;
    writeln!(
        out,
        "shapes   {}: the best form is chosen in {best}, one that takes more than {LIMIT} times as long in {above}",
        points.len()
    )?;
    let mut noise: Vec<f64> = points.iter().map(Point::noise).collect();
    noise.sort_by(f64::total_cmp);
    let differing = noise.iter().filter(|&&noise| noise > LIMIT).count();
    let greatest = noise.last().copied().unwrap_or(1.0);
    writeln!(
        out,
        "noise    the chosen form, measured twice in the same turns, takes more than {LIMIT} times as long as itself in {differing}; at most {greatest:.2}"
    )?;
    write!(out, "\n{:>6} {:>8} {:>8}", "inputs", "outputs", "active")?;
    Form::ALL
        .iter()
        .try_for_each(|form| write!(out, " {:>20}", form.name()))?;
    writeln!(out, " {:>8} {:>8}", "ratio", "noise")?;
    for point in worst.into_iter().take(WORST) {
        let Shape {
            inputs,
            outputs,
            blocks,
            ..
        } = point.shape;
        write!(out, "{inputs:>6} {outputs:>8} {:>6.1} %", percent(blocks))?;
        for (form, ns) in Form::ALL.into_iter().zip(point.measured) {
            write!(
                out,
                " {:>20}",
                cell(level, form, point.shape, ns, form == point.chosen)
            )?;
        }
        writeln!(out, " {:>8.2} {:>8.2}", point.ratio(), point.noise())?;
    }
    writeln!(out)
}

/// All shapes as JSON.
pub(super) fn shapes_json(
    level: AvailableLevel,
    reason: &str,
    points: &[Point],
    out: &mut dyn Write,
) -> io::Result<()> {
    let of = |point: &Point| {
        let Shape {
            inputs,
            outputs,
            blocks,
            values,
        } = point.shape;
        let times = point.measured.map(number).join(",");
        let estimates = Form::ALL
            .map(|form| format!("{:.2}", estimate(level, form, point.shape)))
            .join(",");
        let chosen = point.chosen;
        format!(
            r#"{{"inputs":{inputs},"outputs":{outputs},"blocks":{blocks},"values":{values},"chosen":"{chosen}","ns":[{times}],"again":{},"estimates":[{estimates}]}}"#,
            number(point.again)
        )
    };
    let forms = Form::ALL.map(|form| format!(r#""{form}""#)).join(",");
    let points = points.iter().map(of).collect::<Vec<_>>().join(",\n");
    writeln!(
        out,
        r#"{{"level":"{level}","reason":"{reason}","forms":[{forms}],"shapes":["#
    )?;
    writeln!(out, "{points}]}}")
}
