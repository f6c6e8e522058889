//! Writes a picture in the format of its file name.

use std::ffi::OsStr;
use std::path::Path;

use nnue_tools::plot::Drawing;

use crate::args::plot::{Drawn, Plot};
use crate::declaration;
use crate::error::Error;
use crate::output;

/// Pixels of a PNG per pixel of the drawing.
#[cfg(feature = "png")]
const SCALE: f32 = 2.0;

/// Refuses unsupported formats and outputs that are inputs, before anything is computed.
pub(super) fn check(plot: &Plot) -> Result<(), Error> {
    let drawn = match plot {
        Plot::Weights(args) => &args.drawn,
        Plot::Buckets(drawn) | Plot::Tensors(drawn) => drawn,
        Plot::Neurons(args) => &args.drawn,
        Plot::Pieces(args) => &args.drawn,
        Plot::Rows(args) => &args.drawn,
        Plot::Game(args) => &args.drawn,
        Plot::Report(args) => &args.drawn,
    };
    let path = &drawn.output;
    let expected = if matches!(plot, Plot::Report(_)) {
        &["html"][..]
    } else {
        &["svg", "png"][..]
    };
    if !expected.iter().any(|extension| is(path, extension)) {
        let names: Vec<String> = expected
            .iter()
            .map(|extension| format!(".{extension}"))
            .collect();
        return Err(Error::Argument(format!(
            "--output {}: its name should end with {}",
            path.display(),
            names.join(" or ")
        )));
    }
    if cfg!(not(feature = "png")) && is(path, "png") {
        return Err(Error::Argument(format!(
            "--output {}: this `nnue` was built without PNG: build it with `--features png`, or write an SVG",
            path.display()
        )));
    }
    let declaration = drawn
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    let games = match plot {
        Plot::Game(args) => Some(&*args.games),
        Plot::Report(args) => args.games.as_deref(),
        _ => None,
    };
    let fens = match plot {
        Plot::Neurons(args) => args.seen.fens.as_deref(),
        Plot::Report(args) => args.seen.fens.as_deref(),
        _ => None,
    };
    let inputs = [
        ("--net", drawn.net.net.as_deref()),
        ("--declaration", declaration.as_deref()),
    ];
    output::refuse_same(
        Some(path),
        &[&inputs[..], &[("--games", games), ("--fens", fens)]].concat(),
    )
}

/// Writes a drawing in the format of its file name.
pub(super) fn write(drawn: &Drawn, drawing: &Drawing) -> Result<(), Error> {
    #[cfg(feature = "png")]
    if is(&drawn.output, "png") {
        let (picture, has_fonts) = super::png::png(drawing, SCALE)?;
        if !has_fonts {
            crate::note::note!(
                "{} has no text: this system has no fonts",
                drawn.output.display()
            );
        }
        return output::write(&drawn.output, &picture);
    }
    output::write(&drawn.output, drawing.svg().as_bytes())
}

fn is(path: &Path, extension: &str) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|found| found.eq_ignore_ascii_case(extension))
}
