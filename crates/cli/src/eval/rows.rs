//! `nnue eval --rows`: lists of rows, and changes of the list before.

use std::io::Write;
use std::path::Path;

use nnue::dynamic::RowsStack;
use nnue::rows::{RowsChange, RowsError};
use nnue_spec::RawOutput;

use crate::args::EvalArgs;
use crate::error::Error;
use crate::input::lines;
use crate::network::{OpenedRows, open_rows};

/// The plies that a stack keeps: what the accumulators of a longer line would cost is not needed to continue it.
const MOST_PLIES: usize = 64;

/// The evaluation of a line.
struct Evaluated {
    rows: String,
    evaluation: nnue::Evaluation,
    /// the value before it was rounded
    real: f64,
    /// the bits of the output, if it is a float
    bits: Option<u32>,
    /// by name
    outputs: Vec<(&'static str, Vec<f32>)>,
}

pub(super) fn run(args: &EvalArgs, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let opened = open_rows(&args.net, &args.declared, args.level.as_deref())?;
    let OpenedRows { network, shape, .. } = &opened;
    let Some(mut stack) = RowsStack::new(network) else {
        return Ok(()); // it has a shape
    };
    if args.tsv {
        writeln!(out, "rows\tpsqt\tpositional\tvalue\tbits")?;
    } else if !args.json {
        head(&opened, out)?;
    }
    let mut is_first = true;
    for line in lines(path)? {
        let (place, line) = line?;
        follow(&mut stack, &line, is_first).map_err(|message| Error::Input { place, message })?;
        is_first = false;
        let (evaluation, outputs) = stack.evaluate_with(network);
        let output = stack.output(network);
        let bits = match output {
            RawOutput::Float(output) => Some(output.to_bits()),
            _ => None,
        };
        let evaluated = Evaluated {
            rows: stack.rows().to_string(),
            evaluation,
            real: network.spec().real_value_of(
                evaluation.psqt,
                output,
                stack.rows().black_to_move(),
            ),
            bits,
            outputs,
        };
        match (args.json, args.tsv) {
            (true, _) => evaluated.json(out)?,
            (_, true) => evaluated.tsv(out)?,
            _ => evaluated.human(shape.lists, out)?,
        }
    }
    Ok(())
}

/// Sets the list of a line, or changes the list of the line before.
fn follow(stack: &mut RowsStack, line: &str, is_first: bool) -> Result<(), String> {
    let text = |error: RowsError| error.to_string();
    if !RowsChange::is_next(line) {
        return stack.set_text(line).map_err(text);
    }
    if is_first {
        return Err("a change needs a list in a line before it".into());
    }
    let change = RowsChange::parse(line).map_err(text)?;
    stack
        .push_rows(change.added(), change.removed())
        .map_err(text)?;
    if let Some(black) = change.black_to_move {
        stack.set_black_to_move(black);
    }
    if stack.depth() >= MOST_PLIES {
        stack.make_root();
    }
    Ok(())
}

fn head(opened: &OpenedRows, out: &mut dyn Write) -> Result<(), Error> {
    let spec = opened.network.spec();
    writeln!(out, "network   {}", opened.source)?;
    writeln!(out, "          {}: {}", spec.name, spec.notation)?;
    writeln!(
        out,
        "level     {} ({})",
        opened.network.level(),
        opened.reason
    )?;
    Ok(())
}

impl Evaluated {
    fn human(&self, lists: usize, out: &mut dyn Write) -> Result<(), Error> {
        let evaluation = self.evaluation;
        writeln!(out, "\nrows      {}", self.rows)?;
        if evaluation.psqt != 0 {
            writeln!(
                out,
                "parts     psqt {}, positional {}",
                evaluation.psqt, evaluation.positional
            )?;
        }
        if let Some(bits) = self.bits {
            writeln!(out, "output    {} ({bits:08x})", f32::from_bits(bits))?;
        }
        let side = if lists == 2 {
            " for the side to move"
        } else {
            ""
        };
        writeln!(out, "value     {:+}{side}", evaluation.value)?;
        for (name, numbers) in &self.outputs {
            let numbers: Vec<_> = numbers
                .iter()
                .map(|number| format!("{number:+.6}"))
                .collect();
            writeln!(out, "{name:<9} {}", numbers.join(" "))?;
        }
        Ok(())
    }

    fn tsv(&self, out: &mut dyn Write) -> Result<(), Error> {
        let nnue::Evaluation {
            psqt,
            positional,
            value,
            ..
        } = self.evaluation;
        let bits = self.bits.map_or("-".into(), |bits| format!("{bits:08x}"));
        let rows = self.rows.trim();
        writeln!(out, "{rows}\t{psqt}\t{positional}\t{value}\t{bits}")?;
        Ok(())
    }

    fn json(&self, out: &mut dyn Write) -> Result<(), Error> {
        let outputs: serde_json::Map<String, serde_json::Value> = self
            .outputs
            .iter()
            .map(|(name, numbers)| ((*name).to_owned(), serde_json::json!(numbers)))
            .collect();
        let object = serde_json::json!({
            "rows": self.rows.trim(),
            "psqt": self.evaluation.psqt,
            "positional": self.evaluation.positional,
            "value": self.evaluation.value,
            "real": self.real,
            "output": self.bits.map(f32::from_bits),
            "outputs": outputs,
        });
        writeln!(out, "{object}")?;
        Ok(())
    }
}
