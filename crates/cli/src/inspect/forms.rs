//! Prints the form of each layer.

use std::io::{self, Write};

use nnue::Level;
use nnue_runtime::form::{Form, Shape, cost};
use nnue_spec::NetDesc;

use crate::bench::other;

/// Prints the form of each layer at the best level of this processor, with the estimated times of all forms.
pub(super) fn write(spec: &NetDesc<'_>, out: &mut dyn Write) -> io::Result<()> {
    let level = Level::detect();
    writeln!(
        out,
        "\nlayers at level {level}: * the form that costs least, in estimated ns, if so many blocks of four inputs are not all zero\n\
         (`nonzero {}%` of the accumulators, as declared or expected; `nnue bench --plans` measures it)",
        spec.accumulator.nonzero
    )?;
    for (index, layer) in spec.layers.iter().enumerate() {
        write!(
            out,
            "{:<12} {:<16}",
            layer.name,
            format!("{} -> {}", layer.inputs, layer.outputs)
        )?;
        let (Some(form), Some(shape)) = (level.form(spec, index), Shape::of(spec, index)) else {
            writeln!(out, "        {}", other(layer))?;
            continue;
        };
        write!(out, " {:>3} %", (shape.blocks + 5) / 10)?;
        for candidate in Form::ALL
            .into_iter()
            .filter(|form| form.takes(level.level(), layer.outputs))
        {
            let ns = cost(level.level(), candidate, shape) as f64 / 1000.0;
            write!(
                out,
                "  {candidate} {}{ns:.1}",
                if candidate == form { "*" } else { "" }
            )?;
        }
        writeln!(out)?;
    }
    Ok(())
}
