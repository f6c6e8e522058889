//! `nnue import`: declarations for networks of other programs.

mod bullet;
#[cfg(feature = "graphs")]
mod graph;

use std::io::Write;

use crate::args::{ImportArgs, ImportFrom};
use crate::error::Error;

pub(crate) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.from {
        ImportFrom::Bullet(args) => named(&args.name).and_then(|()| bullet::run(args, out)),
        #[cfg(feature = "graphs")]
        ImportFrom::Torch(args) => {
            named(&args.name).and_then(|()| graph::run(graph::Format::Torch, args, out))
        }
        #[cfg(feature = "graphs")]
        ImportFrom::Onnx(args) => {
            named(&args.name).and_then(|()| graph::run(graph::Format::Onnx, args, out))
        }
        #[cfg(not(feature = "graphs"))]
        ImportFrom::Torch(_) | ImportFrom::Onnx(_) => Err(Error::without_graphs()),
    }
}

/// Refuses names that cannot be type names. The compiler decides, since keywords such as `fn` are excluded
/// too.
fn named(name: &str) -> Result<(), Error> {
    let declaration = format!("struct {name} = 768 -> 32x2 -> 1;");
    match is_name(name) && nnue_codegen::plan_text(&declaration).is_ok() {
        true => Ok(()),
        false => Err(Error::Argument(format!(
            "`{}` is no name of a type",
            name.escape_default()
        ))),
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
    text.starts_with(is_letter)
        && text.chars().all(|c| is_letter(c) || c.is_ascii_digit())
        && text != "_"
}
