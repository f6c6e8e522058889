//! `--quantize`: quantises the floats of the graph to a network file.

use std::path::Path;

use nnue_codegen::{model_text, plan_text};
use nnue_import::declare::Declared;

use super::positions::floats;
use crate::args::{ImportGraphArgs, QuantizeArgs, Round};
use crate::error::Error;
use crate::network;
use crate::quantize::of_floats;

pub(super) fn quantized(
    args: &ImportGraphArgs,
    path: &Path,
    declared: &Declared,
) -> Result<Vec<String>, Error> {
    let nothing = || Error::Declaration("nothing is declared".into());
    let plan = plan_text(&declared.text)
        .ok()
        .and_then(|plans| plans.into_iter().next())
        .ok_or_else(nothing)?;
    let model = model_text(&declared.text)
        .ok()
        .and_then(|models| models.into_iter().next())
        .ok_or_else(nothing)?;
    let wanted = QuantizeArgs {
        output: Some(path.to_owned()),
        positions: args.positions.clone(),
        calibrate: args.calibrate,
        ..QuantizeArgs::new(args.file.clone(), Round::Nearest)
    };
    let mut report = Vec::new();
    of_floats(
        &wanted,
        network::Declared::describe(plan),
        &model,
        floats(declared),
        &mut report,
    )?;
    Ok(String::from_utf8_lossy(&report)
        .lines()
        .map(str::to_owned)
        .collect())
}
