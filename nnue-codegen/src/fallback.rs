//! Stubs that stand in for declarations with errors, so that the user's other code still resolves.
//!
//! A stub is the smallest network under the same name. Its items have the names and traits that a good declaration would
//! have; it is never run, because it stands beside a `compile_error!`.

use nnue_spec::check::check;
use nnue_spec::diagnostic::Sink;
use nnue_spec::plan::plan;
use proc_macro2::TokenStream;
use quote::quote;

use crate::item::item;
use crate::span_table::SpanTable;
use crate::syntax::ast::{Body, ClauseKind, Declaration};
use crate::{emit, lower, syntax};

/// The items of a stub.
pub(crate) fn emit_stub(declaration: &Declaration) -> TokenStream {
    let inputs = match declaration.custom_inputs() {
        Some(path) => quote!(#path[1, active 1]),
        None => quote!(Chess768[..]),
    };
    let smallest = syntax::parse_input(quote!(struct Stub = #inputs -> 32x2 -> 1;)).declarations.pop();
    let mut body = smallest.and_then(|declaration| declaration.body);
    if let Some(Body::Chain(chain, _)) = &mut body {
        // What is not said is not compared with the user's code.
        chain.inputs.iter_mut().for_each(|feature| feature.rows = None);
    }
    let stub = Declaration {
        attributes: declaration.attributes.clone(),
        crate_path: declaration.crate_path.clone(),
        visibility: declaration.visibility.clone(),
        name: declaration.name.clone(),
        body,
        wrongs: Vec::new(),
    };
    let mut sink = Sink::new();
    let spec = lower::lower(&stub, true, &mut SpanTable::default(), &mut sink);
    let graph = spec.and_then(|spec| check(&spec, &mut sink));
    match (graph, sink.into_diagnostics().as_slice()) {
        (Some(graph), []) => {
            let embedded = names_weights(declaration).then(|| quote!(&[]));
            let plan = plan(&graph);
            let tables = plan.tables();
            let net = tables.descriptor();
            emit::emit(&net, &item(&stub, &net), embedded.as_ref())
        }
        _ => TokenStream::new(),
    }
}

/// True if a `weights` clause was read.
fn names_weights(declaration: &Declaration) -> bool {
    let clauses = match &declaration.body {
        Some(Body::Chain(_, clauses) | Body::Graph(clauses)) => clauses.as_slice(),
        None => &[],
    };
    clauses.iter().any(|clause| matches!(clause.kind, ClauseKind::Weights(_)))
}
