//! `weights "path"`, `weights env!("EVALFILE")`: reads and validates the file at compile time.

use std::io::BufReader;
use std::path::{Path, PathBuf};

use nnue_format::leb128::Portable;
use nnue_format::{Encoding, InPlace, LoadError, Tensors};
use nnue_spec::diagnostic::{Code, Diagnostic, Sink};
use nnue_spec::loc::{Loc, Located};
use nnue_spec::model::{PathPart, WeightsPath};
use nnue_spec::{NetDesc, TensorRole};
use nnue_tools::bounds::prove;
use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::number;

/// The alignment of rows, in bytes.
const LINE: usize = 64;

/// The embedded file of a declaration. A relative path starts at the folder of `Cargo.toml`.
struct Weights<'a> {
    path: &'a Located<WeightsPath>,
    /// the path with variables replaced
    text: String,
}

/// A valid file for the program.
pub(crate) struct Embedded {
    /// an expression for its bytes
    pub(crate) bytes: TokenStream,
    /// the tensors that are used where they are in the file
    pub(crate) in_place: Vec<TensorRole>,
}

impl Embedded {
    /// A file that is copied to the heap.
    pub(crate) fn copied(bytes: TokenStream) -> Self {
        Self {
            bytes,
            in_place: Vec::new(),
        }
    }
}

/// Whether the rows are all those of a tensor of the parameters: several sets of pairs share one.
fn is_one_tensor(net: &NetDesc<'_>, role: TensorRole) -> bool {
    match role {
        TensorRole::ExtraWeight(_) | TensorRole::SecondExtraWeight(_) => net.features.len() == 2,
        _ => true,
    }
}

/// Reads and validates the file. rustc tracks the file and the variables of its path, so that cargo
/// recompiles when one of them changes.
pub(crate) fn embed(
    net: &NetDesc<'_>,
    path: &Located<WeightsPath>,
    sink: &mut Sink,
) -> Option<Embedded> {
    let text = path.value.0.iter().map(|part| value(part, sink));
    let text = text.collect::<Option<String>>()?;
    let weights = Weights { path, text };
    let file = match nnue_format::open(weights.resolve()) {
        Ok(file) => BufReader::new(file),
        Err(error) => {
            sink.push(weights.not_found(&error));
            return None;
        }
    };
    let mut embedded = Embedded::copied(weights.emit());
    match nnue_tools::read(net, file) {
        Ok((header, mut tensors)) => {
            if let Err(error) = prove(net, &tensors.refs()).require_no_wrapping() {
                sink.push(weights.overflows(&error));
            }
            if net.raw.is_some() || header.encoding == Encoding::Raw {
                embedded = weights.in_place(net, &mut tensors).unwrap_or(embedded);
            }
        }
        Err(error) => sink.push(weights.rejected(net, &error)),
    }
    Some(embedded)
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

    /// The valid file, if it holds rows as memory does. The file is aligned for the biggest of these tensors.
    ///
    /// Rows of pairs in a file that is compressed otherwise are not among them: they are so big that they are
    /// faster in the huge pages of the heap.
    fn in_place(&self, net: &NetDesc<'_>, tensors: &mut Tensors) -> Option<Embedded> {
        let file = std::fs::read(self.resolve()).ok()?;
        let mut places = Vec::new();
        let mut note = |place: &InPlace| {
            places.extend(is_one_tensor(net, place.role).then(|| place.clone()));
            true
        };
        let tensors = &mut tensors.muts();
        nnue_format::read_slice_in_place(net, &file, tensors, &Portable, &mut note).ok()?;
        let biggest = places.iter().max_by_key(|place| place.bytes.len())?;
        let start = biggest.bytes.start;
        let (pad, len) = (
            number(start.next_multiple_of(LINE) - start),
            number(file.len()),
        );
        let bytes = self.emit();
        let bytes = quote!({
            static FILE: __rt::Embed<#pad, #len> = __rt::Embed::new(#bytes);
            FILE.bytes()
        });
        let in_place = places.into_iter().map(|place| place.role).collect();
        Some(Embedded { bytes, in_place })
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
        let path = match std::env::var_os("CARGO_MANIFEST_DIR") {
            Some(_) => PathBuf::from(&self.text),
            None => std::path::absolute(&self.text).unwrap_or_else(|_| PathBuf::from(&self.text)),
        };
        self.error(
            Code::WeightsNotFound,
            format!("cannot read `{}`: {error}", path.display()),
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
