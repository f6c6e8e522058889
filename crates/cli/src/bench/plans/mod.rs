//! `nnue bench --plans`: compares all forms of layers with the chosen one.
//!
//! ```text
//!   layers    those of a network, with activations of positions  ─┐
//!   shapes    widths, outputs, densities                         ─┴─► candidates: what each form should take, and takes
//! ```

mod candidates;
mod layers;
mod report;
mod shapes;

use std::io::Write;

use super::levels;
use super::timer::Timer;
use crate::args::BenchArgs;
use crate::error::Error;
use crate::network::{level_of, open_any};
use candidates::Meter;
pub(crate) use layers::other;

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    let meter = Meter {
        repetitions: args.repetitions,
        timer: Timer::new(),
    };
    for level in levels(args) {
        let (level, reason) = level_of(level)?;
        if args.plans.shapes {
            let measured = shapes::measure(meter, level)?;
            let write = if args.json {
                report::shapes_json
            } else {
                report::shapes
            };
            write(level, &reason, &measured, out)?;
        } else {
            let opened = open_any(&args.net, &args.declared, Some(level.level().name()))?;
            let measured = layers::measure(meter, &opened)?;
            let write = if args.json {
                report::layers_json
            } else {
                report::layers
            };
            write(&opened, &reason, &measured, out)?;
        }
    }
    Ok(())
}
