//! The pipeline: parse, lower, check, plan, emit. A stage runs only if the previous one succeeded.

use std::cmp::Ordering;

use nnue_spec::check::check;
use nnue_spec::dense::{self, DenseGraph};
use nnue_spec::diagnostic::{Code, Diagnostic, MAX_ERRORS, Sink};
use nnue_spec::graph::Graph;
use nnue_spec::loc::Loc;
use nnue_spec::model::NetSpec;
use nnue_spec::plan::plan;
use nnue_spec::subnets::{self, SubnetsGraph};
use proc_macro2::TokenStream;
use quote::quote;

use crate::features::Features;
use crate::item::item;
use crate::report::emit_error;
use crate::span_table::SpanTable;
use crate::syntax::ast::Declaration;
use crate::syntax::attribute::conditions;
use crate::syntax::place::Wrong;
use crate::{emit, fallback, lower, syntax, weights};

/// The result of compiling a macro call.
pub(crate) struct Compilation {
    /// the items of all declarations; a `compile_error!` for each error, and stubs for the declarations with
    /// errors
    pub items: TokenStream,
    /// all errors, in the order of the source
    pub diagnostics: Vec<Diagnostic>,
    /// their locations
    pub spans: SpanTable,
}

/// Compiles the tokens of one macro call.
pub(crate) fn compile(input: TokenStream, features: Features) -> Compilation {
    let mut compilation = Compilation {
        items: TokenStream::new(),
        diagnostics: Vec::new(),
        spans: SpanTable::default(),
    };
    let input = syntax::parse_input(input);
    compilation.report(input.wrongs, &TokenStream::new());
    for mut declaration in input.declarations {
        let wrongs = std::mem::take(&mut declaration.wrongs);
        let missing = features.missing(&declaration);
        if missing.is_empty() {
            compilation.declare(&declaration, wrongs);
        } else {
            compilation.declare_without(&declaration, missing, wrongs, features);
        }
    }
    compilation
}

impl Compilation {
    fn report(&mut self, wrongs: Vec<Wrong>, conditions: &TokenStream) {
        let diagnostics = wrongs
            .into_iter()
            .map(|wrong| self.spans.diagnostic(wrong))
            .collect();
        self.record(diagnostics, conditions);
    }

    /// Keeps errors, and emits them under the `cfg` conditions of their declaration.
    fn record(&mut self, diagnostics: Vec<Diagnostic>, conditions: &TokenStream) {
        for mut diagnostic in diagnostics {
            match self.diagnostics.len().cmp(&MAX_ERRORS) {
                Ordering::Less => {}
                Ordering::Equal if diagnostic.code == Code::Limit => {}
                Ordering::Equal => diagnostic = further_errors(diagnostic.loc),
                Ordering::Greater => return,
            }
            let error = emit_error(&diagnostic, &self.spans);
            self.items.extend(quote!(#conditions #error));
            self.diagnostics.push(diagnostic);
        }
    }

    fn declare(&mut self, declaration: &Declaration, wrongs: Vec<Wrong>) {
        let (complete, conditions) = (wrongs.is_empty(), conditions(&declaration.attributes));
        self.report(wrongs, &conditions);
        let mut sink = Sink::new();
        let items = self.compile_declaration(declaration, complete, &mut sink);
        self.record(sink.into_diagnostics(), &conditions);
        self.items
            .extend(items.unwrap_or_else(|| fallback::emit_stub(declaration)));
    }

    /// The stub of a declaration that needs features which are off; without its module in `nnue`, only the
    /// type.
    fn declare_without(
        &mut self,
        declaration: &Declaration,
        missing: Vec<Wrong>,
        wrongs: Vec<Wrong>,
        features: Features,
    ) {
        let conditions = conditions(&declaration.attributes);
        self.report(missing, &conditions);
        self.report(wrongs, &conditions);
        self.items.extend(if features.has_module_of(declaration) {
            fallback::emit_stub(declaration)
        } else {
            fallback::emit_name(declaration)
        });
    }

    /// The items of a declaration; `None` after errors.
    fn compile_declaration(
        &mut self,
        declaration: &Declaration,
        complete: bool,
        sink: &mut Sink,
    ) -> Option<TokenStream> {
        if declaration.is_dense() {
            let graph = self.checked_dense(declaration, complete, sink)?;
            return Some(emit::emit_dense(&graph.desc(), declaration));
        }
        if declaration.is_of_subnets() {
            let graph = self.checked_subnets(declaration, complete, sink)?;
            return Some(emit::emit_subnets(
                &graph.desc(&graph.groups()),
                declaration,
            ));
        }
        let (_, graph) = self.checked(declaration, complete, sink)?;
        let items = emit_checked(&graph, declaration, sink);
        (!sink.has_errors()).then_some(items)
    }

    /// The model and the graph of a declaration; `None` after errors.
    fn checked(
        &mut self,
        declaration: &Declaration,
        complete: bool,
        sink: &mut Sink,
    ) -> Option<(NetSpec, Graph)> {
        let spec = lower::lower(declaration, complete, &mut self.spans, sink)?;
        // After skipped clauses, the check would report what they contained as missing.
        let graph = if complete { check(&spec, sink) } else { None };
        graph.map(|graph| (spec, graph))
    }

    /// As [`Self::checked`], over a dense input.
    fn checked_dense(
        &mut self,
        declaration: &Declaration,
        complete: bool,
        sink: &mut Sink,
    ) -> Option<DenseGraph> {
        let spec = lower::lower_dense(declaration, complete, &mut self.spans, sink)?;
        if complete {
            dense::check(&spec, sink)
        } else {
            None
        }
    }

    /// As [`Self::checked`], for subnets.
    fn checked_subnets(
        &mut self,
        declaration: &Declaration,
        complete: bool,
        sink: &mut Sink,
    ) -> Option<SubnetsGraph> {
        let spec = lower::lower_subnets(declaration, complete, &mut self.spans, sink)?;
        if complete {
            subnets::check(&spec, sink)
        } else {
            None
        }
    }
}

/// The diagnostic in place of all errors beyond the limit.
fn further_errors(loc: Loc) -> Diagnostic {
    let message = format!("up to {MAX_ERRORS} errors are shown, and here are more");
    Diagnostic::new(Code::Limit, loc, message).help("mend those above first")
}

/// The checked declarations of one macro call.
#[derive(Default)]
pub(crate) struct Graphs {
    /// with an accumulator: model and graph
    pub accumulated: Vec<(NetSpec, Graph)>,
    /// over a dense input
    pub dense: Vec<DenseGraph>,
    /// of subnets
    pub subnets: Vec<SubnetsGraph>,
}

/// The graphs of the declarations of one macro call, without code; errors are in the compilation.
pub(crate) fn compile_graphs(input: TokenStream) -> (Graphs, Compilation) {
    let mut compilation = Compilation {
        items: TokenStream::new(),
        diagnostics: Vec::new(),
        spans: SpanTable::default(),
    };
    let input = syntax::parse_input(input);
    compilation.report(input.wrongs, &TokenStream::new());
    let mut graphs = Graphs::default();
    for mut declaration in input.declarations {
        let wrongs = std::mem::take(&mut declaration.wrongs);
        let complete = wrongs.is_empty();
        compilation.report(wrongs, &TokenStream::new());
        let mut sink = Sink::new();
        if declaration.is_dense() {
            graphs
                .dense
                .extend(compilation.checked_dense(&declaration, complete, &mut sink));
        } else if declaration.is_of_subnets() {
            graphs
                .subnets
                .extend(compilation.checked_subnets(&declaration, complete, &mut sink));
        } else {
            graphs
                .accumulated
                .extend(compilation.checked(&declaration, complete, &mut sink));
        }
        compilation.record(sink.into_diagnostics(), &TokenStream::new());
    }
    (graphs, compilation)
}

/// Plans and emits a network without errors; reads its embedded file, if there is one.
fn emit_checked(graph: &Graph, declaration: &Declaration, sink: &mut Sink) -> TokenStream {
    let plan = plan(graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let embedded = graph
        .weights
        .as_ref()
        .and_then(|path| weights::embed(&net, path, sink));
    emit::emit(&net, &item(declaration, &net), embedded.as_ref())
}
