//! How layers are computed, and why.

use std::io::{self, Write};

use nnue::Level;
use nnue_runtime::form::{EXPECTED_BLOCKS, Form, Shape, cost};
use nnue_spec::NetDesc;

use crate::bench::other;

/// The form of each layer at the best level of this processor, beside what all forms should take.
pub(super) fn write(spec: &NetDesc<'_>, out: &mut dyn Write) -> io::Result<()> {
    let level = Level::detect();
    writeln!(
        out,
        "\nlayers at level {level}: * the form that costs least, in estimated ns, if {} % of the blocks of inputs are active",
        EXPECTED_BLOCKS / 10
    )?;
    for (index, layer) in spec.layers.iter().enumerate() {
        write!(out, "{:<12} {:<16}", layer.name, format!("{} -> {}", layer.inputs, layer.outputs))?;
        let (Some(form), Some(shape)) = (level.form(spec, index), Shape::of(spec, index)) else {
            writeln!(out, " {}", other(layer.kind))?;
            continue;
        };
        for candidate in Form::ALL.into_iter().filter(|form| form.takes(level.level(), layer.outputs)) {
            let ns = cost(level.level(), candidate, shape) as f64 / 1000.0;
            write!(out, "  {candidate} {}{ns:.1}", if candidate == form { "*" } else { "" })?;
        }
        writeln!(out)?;
    }
    Ok(())
}
