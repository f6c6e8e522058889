//! `weights "path"`, `weights env!("EVALFILE")`: reads and validates the file at compile time.

use std::path::{Path, PathBuf};

use nnue_format::LoadError;
use nnue_spec::NetDesc;
use nnue_spec::diagnostic::{Code, Diagnostic, Sink};
use nnue_spec::loc::{Loc, Located};
use nnue_spec::model::{PathPart, WeightsPath};
use nnue_tools::bounds::prove;
use proc_macro2::TokenStream;
use quote::quote;

/// The embedded file of a declaration. A relative path starts at the folder of `Cargo.toml`.
struct Weights<'a> {
    path: &'a Located<WeightsPath>,
    /// the path with variables replaced
    text: String,
}

/// Reads and validates the file. The result is an expression for its bytes; rustc tracks the file and the
/// variables of its path, so that cargo recompiles when one of them changes.
pub(crate) fn embed(
    net: &NetDesc<'_>,
    path: &Located<WeightsPath>,
    sink: &mut Sink,
) -> Option<TokenStream> {
    let text = path.value.0.iter().map(|part| value(part, sink));
    let text = text.collect::<Option<String>>()?;
    let weights = Weights { path, text };
    let file = match nnue_format::open(weights.resolve()) {
        Ok(file) => std::io::BufReader::new(file),
        Err(error) => {
            sink.push(weights.not_found(&error));
            return None;
        }
    };
    match nnue_tools::read(net, file) {
        Ok((_, tensors)) => {
            if let Err(error) = prove(net, &tensors.refs()).require_no_wrapping() {
                sink.push(weights.overflows(&error));
            }
        }
        Err(error) => sink.push(weights.rejected(net, &error)),
    }
    Some(weights.emit())
}

fn value(part: &PathPart, sink: &mut Sink) -> Option<String> {
    let name = match part {
        PathPart::Text(text) => return Some(text.clone()),
        PathPart::Variable(name) => name,
    };
    let found = std::env::var(&name.value);
    if let Err(error) = &found {
        sink.push(no_variable(name, error));
    }
    found.ok()
}

fn no_variable(name: &Located<String>, error: &std::env::VarError) -> Diagnostic {
    let what = match error {
        std::env::VarError::NotPresent => "is not set",
        std::env::VarError::NotUnicode(_) => "is not UTF-8",
    };
    let message = format!("the environment variable `{}` {what}", name.value);
    Diagnostic::new(Code::WeightsVariable, name.loc, message)
        .help(format!(
            "set it while the program compiles: `{}=path cargo build`",
            name.value
        ))
        .note("build scripts set variables for their own package: `cargo::rustc-env=NAME=value`")
}

impl Weights<'_> {
    fn resolve(&self) -> PathBuf {
        let folder =
            std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(PathBuf::new, PathBuf::from);
        folder.join(&self.text)
    }

    fn emit(&self) -> TokenStream {
        let parts = self.path.value.0.iter().map(|part| match part {
            PathPart::Text(text) => quote!(#text),
            PathPart::Variable(Located { value: name, .. }) => quote!(::core::env!(#name)),
        });
        if Path::new(&self.text).is_absolute() {
            return quote!(::core::include_bytes!(::core::concat!(#(#parts),*)));
        }
        quote!(::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/", #(#parts),*)
        ))
    }

    fn error(&self, code: Code, message: String) -> Diagnostic {
        let loc: Loc = self.path.loc;
        Diagnostic::new(code, loc, message)
    }

    fn not_found(&self, error: &std::io::Error) -> Diagnostic {
        self.error(
            Code::WeightsNotFound,
            format!("cannot read `{}`: {error}", self.text),
        )
        .help("relative paths start at the folder of `Cargo.toml`")
    }

    fn rejected(&self, net: &NetDesc<'_>, error: &LoadError) -> Diagnostic {
        self.error(
            Code::WeightsRejected,
            format!("`{}` is not a file of `{}`", self.text, net.name),
        )
        .note(error.to_string())
    }

    fn overflows(&self, error: &LoadError) -> Diagnostic {
        self.error(
            Code::WeightsOverflow,
            format!("sums of the weights in `{}` can overflow", self.text),
        )
        .help("train with smaller weights, or load the file when the program runs: sums wrap then")
        .note(error.to_string())
    }
}
