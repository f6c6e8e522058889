//! `weights "path"`: the file is read and judged while the declaration compiles.

use std::path::{Path, PathBuf};

use nnue_format::LoadError;
use nnue_spec::NetDesc;
use nnue_spec::diagnostic::{Code, Diagnostic, Sink};
use nnue_spec::loc::Located;
use nnue_tools::bounds::prove;
use proc_macro2::TokenStream;
use quote::quote;

/// Reads the file of a declaration and judges it. Paths start at the folder of `Cargo.toml`.
pub(crate) fn check_weights(net: &NetDesc<'_>, path: &Located<String>, sink: &mut Sink) {
    let full = resolve(&path.value);
    let file = match std::fs::File::open(&full) {
        Ok(file) => std::io::BufReader::new(file),
        Err(error) => {
            sink.push(not_found(path, &error));
            return;
        }
    };
    match nnue_tools::read(net, file) {
        Ok((_, tensors)) => {
            if let Err(error) = prove(net, &tensors.refs()).require_no_wrapping() {
                sink.push(overflows(path, &error));
            }
        }
        Err(error) => sink.push(rejected(net, path, &error)),
    }
}

/// The bytes of the file, as an expression. rustc notes the file, so that a changed one is read again.
pub(crate) fn emit_bytes(path: &str) -> TokenStream {
    if Path::new(path).is_absolute() {
        return quote!(::core::include_bytes!(#path));
    }
    let path = format!("/{path}");
    quote!(::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #path)
    ))
}

fn resolve(path: &str) -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
    folder.join(path)
}

fn not_found(path: &Located<String>, error: &std::io::Error) -> Diagnostic {
    Diagnostic::new(
        Code::WeightsNotFound,
        path.loc,
        format!("cannot read `{}`: {error}", path.value),
    )
    .help("paths start at the folder of `Cargo.toml`")
}

fn rejected(net: &NetDesc<'_>, path: &Located<String>, error: &LoadError) -> Diagnostic {
    Diagnostic::new(
        Code::WeightsRejected,
        path.loc,
        format!("`{}` is not a file of `{}`", path.value, net.name),
    )
    .note(error.to_string())
}

fn overflows(path: &Located<String>, error: &LoadError) -> Diagnostic {
    Diagnostic::new(
        Code::WeightsOverflow,
        path.loc,
        format!("sums of the weights in `{}` can overflow", path.value),
    )
    .help("train with smaller weights, or load the file when the program runs: sums wrap then")
    .note(error.to_string())
}
